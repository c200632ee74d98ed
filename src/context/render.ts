import { neutralise } from '../session/brief.ts'
import { textOf } from '../session/live-path.ts'
import type { Message, ToolCall } from '../session/schema.ts'

/** How messages read as text for an agent. Texts are whole and unaltered but for the block's own markers. */

/** One message with its tool calls and tool results whole. */
export function renderWhole(message: Message): string {
  if (message.role === 'tool') return neutralise(`${resultHead(message)}\n${contentOf(message)}`)
  const calls = (message.tool_calls ?? []).map(
    (call) => `[tool call ${call.name}] ${JSON.stringify(call.arguments ?? {})}`,
  )
  return neutralise(joined(speaker(message), contentOf(message), calls))
}

/** One message as talk: its text whole, a line for each tool call. Tool results are said by that line. */
export function renderTalk(message: Message, results: ReadonlyMap<string, Message>): string {
  const calls = (message.tool_calls ?? []).map((call) => callLine(call, results.get(call.id)))
  return neutralise(joined(speaker(message), contentOf(message), calls))
}

/** Results by the id of the call that they answer. */
export function resultsByCall(messages: readonly Message[]): Map<string, Message> {
  const results = new Map<string, Message>()
  for (const message of messages)
    if (message.role === 'tool' && message.tool_call_id !== undefined)
      results.set(message.tool_call_id, message)
  return results
}

function speaker(message: Message): string {
  return message.role === 'user' ? '### User' : '### Assistant'
}

function joined(head: string, text: string, calls: string[]): string {
  return [head, ...(text === '' ? [] : [text]), ...calls].join('\n')
}

function contentOf(message: Message): string {
  const images = Array.isArray(message.content)
    ? message.content.filter((part) => part.type !== 'text').map((part) => `[${part.type}]`)
    : []
  return [textOf(message), ...images].filter((line) => line !== '').join('\n')
}

function resultHead(message: Message): string {
  return `[tool result ${message.tool_name ?? 'unknown'}${message.is_error === true ? ', failed' : ''}]`
}

function callLine(call: ToolCall, result: Message | undefined): string {
  const size = result === undefined ? 'no result' : `${textOf(result).length} characters`
  const outcome = result?.is_error === true ? `failed, ${size}` : size
  return `[tool ${call.name}${mainArgument(call.arguments)} → ${outcome}]`
}

const ARGUMENT_LENGTH = 120

/** The argument that says what a call was about: a path, a command, a pattern, a query. */
function mainArgument(argument: unknown): string {
  if (typeof argument !== 'object' || argument === null) return ''
  const fields = argument as Record<string, unknown>
  for (const name of [
    'file_path',
    'filePath',
    'path',
    'command',
    'pattern',
    'query',
    'url',
    'description',
    'prompt',
  ]) {
    const value = fields[name]
    if (typeof value !== 'string' || value === '') continue
    const line = value.replace(/\s+/g, ' ')
    return ` ${line.length > ARGUMENT_LENGTH ? `${[...line].slice(0, ARGUMENT_LENGTH).join('')}…` : line}`
  }
  return ''
}
