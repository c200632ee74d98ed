import { contentOf } from '../session/live-path.ts'
import { escapeHeadings, neutralise } from '../session/resume-block.ts'
import type { Message } from '../session/schema.ts'
import { authorOfMessage } from '../session/sharing/authors.ts'
import type { ToolVocabulary } from '../session/tool-use.ts'
import { oneLine } from '../text/line.ts'
import { wellFormed } from '../text/whole-characters.ts'

/**
 * Renders messages as text for an agent. Texts stay whole and unaltered, except for the markers of the resume block,
 * lines that look like a heading of ours, and lone surrogates.
 */

/** Links each tool call to its result, and each result to its call. */
export interface Answers {
  /** The result of each call, by the call's id. */
  results: ReadonlyMap<string, Message>
  /** The name of the tool that was called, by the call's id. */
  calls: ReadonlyMap<string, string>
  /** The clients' tools and their use. */
  tools: ToolVocabulary
}

export function answersIn(messages: readonly Message[], tools: ToolVocabulary): Answers {
  const results = new Map<string, Message>()
  for (const message of messages)
    if (message.role === 'tool' && message.tool_call_id !== undefined)
      results.set(message.tool_call_id, message)
  return { results, calls: callsIn(messages), tools }
}

/** Returns the names of the called tools, by the calls' ids. */
export function callsIn(messages: readonly Message[]): Answers['calls'] {
  const names = new Map<string, string>()
  for (const { tool_calls: calls } of messages)
    if (calls !== undefined) for (const { id, name } of calls) names.set(id, name)
  return names
}

/** Returns the name of the tool that a result comes from. A plain OpenAI result does not have it, but its call does. */
export function toolOf(result: Message, calls: Answers['calls']): string {
  return result.tool_name ?? calls.get(result.tool_call_id ?? '') ?? 'unknown'
}

/**
 * Renders a message whole: a text with its tool calls, or a tool result. Marks a call without a result, and a result
 * without a call.
 */
export function renderWhole(message: Message, answers: Answers): string {
  if (message.role === 'tool')
    return safe(`${resultHead(message, answers)}\n${escapeHeadings(contentOf(message))}`)
  const calls = (message.tool_calls ?? []).map((call) => {
    const missing = answers.results.has(call.id) ? '' : ' → no result'
    return `[tool call ${oneLine(call.name)}] ${JSON.stringify(call.arguments ?? {})}${missing}`
  })
  return safe(joined(speaker(message), escapeHeadings(contentOf(message)), calls))
}

export function safe(text: string): string {
  return neutralise(wellFormed(text))
}

/**
 * Returns the head of a message. A resume names no author if the person who resumes is the only author
 * (`withoutOwnName`).
 */
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
