import { callKey, contentOf } from '../../session/live-path.ts'
import { neutralise } from '../../session/resume-block.ts'
import type { Message, ToolCall } from '../../session/schema.ts'
import { authorOfMessage } from '../../session/sharing/authors.ts'
import { indent } from '../../text/indent.ts'
import { asJson } from '../../text/json.ts'
import { wellFormed } from '../../text/whole-characters.ts'
import { type Answers, plainName, toolOf } from './answers.ts'
import { callsLine } from './calls-line.ts'
import { partsOf } from './message-parts.ts'

/**
 * Renders messages as text for an agent. Each line of a recorded text begins with a space; each line that cortext
 * writes begins without one. Markers of the resume block, invisible characters and lone surrogates are removed or
 * replaced. All other text stays as it is.
 */

/**
 * Renders a message whole: a text with its tool calls, or a tool result. Marks a call without a result, and a result
 * without a call.
 */
export function renderWhole(message: Message, answers: Answers): string {
  const isResult = message.role === 'tool'
  const lines = isResult
    ? [resultHead(message, answers), indent(contentOf(message))]
    : [
        speaker(message),
        // A part that is no text stands for calls that a strategy has taken out of `tool_calls`.
        ...partsOf(message).map((part) => (typeof part === 'string' ? indent(part) : callsLine(part))),
        ...(message.tool_calls ?? []).map((call) => callLine(message, call, answers)),
      ]
  return safe(lines.join('\n'))
}

export function safe(text: string): string {
  return neutralise(wellFormed(text))
}

function callLine(
  message: Message,
  { id, name, arguments: given = {} }: ToolCall,
  { results }: Answers,
): string {
  const missing = results.has(callKey(message, id)) ? '' : ' → no result'
  return `[tool call ${plainName(name)}] ${asJson(given)}${missing}`
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

function resultHead(message: Message, answers: Answers): string {
  const failed =
    message.refused === true ? ', refused by the user' : message.is_error === true ? ', failed' : ''
  const orphan =
    message.tool_call_id === undefined || answers.calls.has(callKey(message, message.tool_call_id))
      ? ''
      : ', call not in this record'
  return `[tool result ${plainName(toolOf(message, answers.calls))}${failed}${orphan}]`
}
