import type { Message, ToolCall } from '../../../session/schema.ts'
import { bodyOf, partsOf, textIn } from '../../shared/genai/parts.ts'
import { type Fields, fieldsOf, listOf, textOf } from '../../shared/transcript/fields.ts'
import { thoughtsIn } from './results.ts'

/** One tool call of an answer, and its result if that is known yet. */
export interface Call {
  call: ToolCall
  result?: unknown
  /** The result as the client showed it on the screen. */
  shown?: unknown
  failed: boolean
  /** The session of the subagent that the call started. */
  agent: string
}

export interface Answer {
  body: Message['content']
  attachments: NonNullable<Message['attachments']>
  reasoning: string
  calls: Call[]
  model: string
  tokens: number
}

/**
 * Reads a record of type `gemini`. The client first writes a text as its content, and thoughts and calls as fields next
 * to the content. When the client writes the record again as part of the history, the content is a list of the API's
 * parts. Thoughts and calls are then parts.
 */
export function answerOf(record: Fields, blobs: Map<string, Uint8Array>): Answer {
  const parts = partsOf(record.content)
  const thoughts = parts.filter((part) => part.thought === true)
  const spoken = parts.filter((part) => part.thought !== true && part.functionCall === undefined)
  const { content, attachments } = bodyOf(joinTexts(spoken), blobs)
  const tokens = fieldsOf(record.tokens).output
  return {
    body: content,
    attachments,
    reasoning: thoughtsIn(record.thoughts) || thoughts.map((part) => textOf(part.text)).join('\n'),
    calls: callsOf(record, parts),
    model: textOf(record.model),
    tokens: typeof tokens === 'number' ? tokens : 0,
  }
}

/**
 * Completes a message from a later record of the same answer. A call is new if its id comes more often than it did:
 * several calls have one id where a tool that hides private data has taken the ids out. Returns whether it changed, and the calls
 * that are new.
 */
export function enrich(message: Message, answer: Answer): { grew: boolean; added: ToolCall[] } {
  const before = JSON.stringify(message)
  if (JSON.stringify(answer.body).length > JSON.stringify(message.content).length) {
    message.content = answer.body
    if (answer.attachments.length > 0) message.attachments = answer.attachments
  }
  if (answer.reasoning !== '') message.reasoning ??= answer.reasoning
  if (answer.model !== '') message.model = answer.model
  if (answer.tokens > 0) message.tokens = answer.tokens
  const calls = message.tool_calls ?? []
  const added = answer.calls
    .map(({ call }) => call)
    .filter(({ id }, at, all) => timesOf(id, all.slice(0, at + 1)) > timesOf(id, calls))
  if (added.length > 0) message.tool_calls = [...calls, ...added]
  return { grew: JSON.stringify(message) !== before, added }
}

function timesOf(id: string, calls: readonly ToolCall[]): number {
  return calls.filter((call) => call.id === id).length
}

/** Joins the pieces of one text that came as a stream. */
function joinTexts(parts: Fields[]): Fields[] {
  const allText = parts.every((part) => typeof part.text === 'string')
  return allText && parts.length > 1 ? [{ text: textIn(parts) }] : parts
}

function callsOf(record: Fields, parts: Fields[]): Call[] {
  const listed = listOf(record.toolCalls)
    .map(fieldsOf)
    .map(
      (call): Call => ({
        call: { id: textOf(call.id), name: canonicalName(textOf(call.name)), arguments: call.args ?? {} },
        result: call.result ?? undefined,
        shown: call.resultDisplay,
        failed: call.status === 'error' || call.status === 'cancelled',
        agent: textOf(call.agentId),
      }),
    )
  const inParts = parts.flatMap((part): Call[] => {
    const call = fieldsOf(part.functionCall)
    const id = textOf(call.id)
    if (part.functionCall === undefined || listed.some((other) => other.call.id === id)) return []
    const name = canonicalName(textOf(call.name))
    return [{ call: { id, name, arguments: call.args ?? {} }, failed: false, agent: '' }]
  })
  return [...listed, ...inParts]
}

/**
 * Translates `mcp_<server>_<tool>` to the record's form, `mcp__<server>__<tool>`. The server's name has no underscore.
 */
function canonicalName(name: string): string {
  return name.replace(/^mcp_([^_]+)_(?!_)/, 'mcp__$1__')
}
