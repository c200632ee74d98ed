import { contentOf, textOf } from '../session/live-path.ts'
import { unposed } from '../session/posing.ts'
import { neutralise } from '../session/resume-block.ts'
import type { Message, ToolCall } from '../session/schema.ts'
import { authorOfMessage } from '../session/sharing/authors.ts'
import { type CalledBy, commandOf, pathOf, type ToolVocabulary } from '../session/tool-use.ts'
import { cutAtWord, oneLine, shortLine } from '../text/line.ts'
import { wellFormed } from '../text/whole-characters.ts'
import { errorLine } from './state/error-line.ts'

/**
 * Renders messages as text for an agent. Texts stay whole and unaltered, except for the markers of the resume block,
 * lines that read like a head of ours, and lone surrogates.
 */

/** Links each call to its result, and each result to its call. */
export interface Answers {
  results: ReadonlyMap<string, Message>
  /** The name of the tool that was called, by the call's id. */
  calls: ReadonlyMap<string, string>
  /** What the clients' tools do. */
  tools: ToolVocabulary
}

export function answersIn(messages: readonly Message[], tools: ToolVocabulary): Answers {
  const results = new Map<string, Message>()
  for (const message of messages)
    if (message.role === 'tool' && message.tool_call_id !== undefined)
      results.set(message.tool_call_id, message)
  return { results, calls: callsIn(messages), tools }
}

/** The tools that calls asked for, by the calls' ids. */
export function callsIn(messages: readonly Message[]): Answers['calls'] {
  return new Map(messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id, name }) => [id, name])))
}

/** The tool that a result comes from. A plain OpenAI result does not name it; then its call does. */
export function toolOf(result: Message, calls: Answers['calls']): string {
  return result.tool_name ?? calls.get(result.tool_call_id ?? '') ?? 'unknown'
}

/**
 * One message with its tool calls and results whole. A call without a result says so, and so does a result without a
 * call.
 */
export function renderWhole(message: Message, answers: Answers): string {
  if (message.role === 'tool') return safe(`${resultHead(message, answers)}\n${unposed(contentOf(message))}`)
  const calls = (message.tool_calls ?? []).map((call) => {
    const missing = answers.results.has(call.id) ? '' : ' → no result'
    return `[tool call ${oneLine(call.name)}] ${JSON.stringify(call.arguments ?? {})}${missing}`
  })
  return safe(joined(speaker(message), unposed(contentOf(message)), calls))
}

/** One message as talk: its text whole, and one line for each tool call. That line tells the result too. */
export function renderTalk(message: Message, answers: Answers): string {
  return renderWhole(asTalk(message, answers), answers)
}

/** The message as talk, with that text as its content and without tool calls. */
export function asTalk(message: Message, answers: Answers): Message {
  if (message.tool_calls === undefined || message.tool_calls.length === 0) return message
  const { tool_calls: calls, attachments: _, ...rest } = message
  const lines = calls.map((call) =>
    callLine(call, mainArgument(answers.tools, call, message.client), answers.results.get(call.id)),
  )
  return { ...rest, content: [contentOf(message), ...lines].filter((line) => line !== '').join('\n') }
}

export function safe(text: string): string {
  return neutralise(wellFormed(text))
}

/** The context of a resume names authors only where they are not all the person who resumes (`withoutMe`). */
function speaker(message: Message): string {
  const { role } = message
  const author = authorOfMessage(message)
  if (author !== undefined) return `### User (${author})`
  return role === 'user' ? '### User' : role === 'assistant' ? '### Assistant' : '### System'
}

function joined(head: string, text: string, calls: string[]): string {
  return [head, ...(text === '' ? [] : [text]), ...calls].join('\n')
}

function resultHead(message: Message, answers: Answers): string {
  const failed =
    message.refused === true ? ', refused by the user' : message.is_error === true ? ', failed' : ''
  const orphan =
    message.tool_call_id === undefined || answers.calls.has(message.tool_call_id)
      ? ''
      : ', call not in this record'
  return `[tool result ${oneLine(toolOf(message, answers.calls))}${failed}${orphan}]`
}

function callLine(call: ToolCall, argument: string, result: Message | undefined): string {
  return `[tool ${oneLine(call.name)}${argument} → ${outcome(result)}]`
}

/** For a failed call the line gives the reason, so that the next agent need not find out again. */
function outcome(result: Message | undefined): string {
  if (result === undefined) return 'no result'
  const text = textOf(result)
  if (result.refused === true) return 'refused by the user'
  if (result.is_error !== true) return `${text.length} characters`
  const reason = cutAtWord(errorLine(text), ARGUMENT_LENGTH)
  return reason === '' ? 'failed' : `failed: ${reason}`
}

const ARGUMENT_LENGTH = 120

/** Arguments that say what a call without a file and a command was about, the most telling first. */
const TELLING = ['pattern', 'query', 'url', 'description', 'prompt']

/** The argument that says what the call was about, with a space before it; '' when no argument does. */
function mainArgument(tools: ToolVocabulary, call: ToolCall, client: CalledBy): string {
  const fields = Object(call.arguments) as Record<string, unknown>
  const texts = [
    pathOf(tools, call, client),
    commandOf(tools, call, client),
    ...TELLING.map((name) => fields[name]),
  ]
  for (const text of texts) {
    const line = typeof text === 'string' ? shortLine(text, ARGUMENT_LENGTH) : ''
    if (line !== '') return ` ${line}`
  }
  return ''
}
