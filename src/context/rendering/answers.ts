import { callKey } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { withPlainOutput } from '../../session/shell/output.ts'
import type { ToolVocabulary } from '../../session/tool-use.ts'
import { shortLine } from '../../text/line.ts'

/** Links each tool call to its result, and each result to its call. */
export interface Answers {
  /** The result of each call, by its `callKey`. Its output is as people read it. */
  results: ReadonlyMap<string, Message>
  /** The name of the tool that was called, by the call's key. */
  calls: ReadonlyMap<string, string>
  /** The tools of each client, and what they do. */
  tools: ToolVocabulary
}

export function answersIn(messages: readonly Message[], tools: ToolVocabulary): Answers {
  const results = new Map<string, Message>()
  for (const message of messages)
    if (message.role === 'tool' && message.tool_call_id !== undefined)
      results.set(callKey(message, message.tool_call_id), withPlainOutput(message))
  return { results, calls: callsIn(messages), tools }
}

/** Returns the names of the called tools, by the calls' keys. */
export function callsIn(messages: readonly Message[]): Answers['calls'] {
  const names = new Map<string, string>()
  for (const message of messages)
    for (const { id, name } of message.tool_calls ?? []) names.set(callKey(message, id), name)
  return names
}

/**
 * Returns the name of the tool that a result comes from. A plain OpenAI result has no such name, but its call has one.
 */
export function toolOf(result: Message, calls: Answers['calls']): string {
  return result.tool_name ?? calls.get(callKey(result, result.tool_call_id)) ?? 'unknown'
}

/**
 * Returns a tool's name for a line that cortext writes. Signs that no name needs become `_`, so that a forged name
 * cannot look like another part of the line.
 */
export function plainName(name: string): string {
  return shortLine(name, MAX_NAME).replace(/[^\p{L}\p{M}\p{N}_.:/() -]/gu, '_')
}

const MAX_NAME = 100
