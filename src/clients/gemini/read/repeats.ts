import type { Message } from '../../../session/schema.ts'
import { answeredCalls, partsOf, textIn } from '../../shared/genai/parts.ts'
import { type Fields, fieldsOf, listOf, textOf } from '../../shared/transcript/fields.ts'

/** A message of the client's list, and the messages made of it: none, one, or an answer and its results. */
export interface Entry {
  messages: Message[]
  /** The role, the text and the calls of the message. They identify the message under another id. */
  words: string
  /** The message belongs to the seed of our handoff. */
  isSeed?: true
}

/**
 * Maps new native ids to the entries that they repeat. After `/compress` the client writes the last part of the list
 * again under new ids. We compare both lists from their ends, by role, text and calls. So of two turns with the same
 * words the later one is matched first.
 */
export function matchRepeats(
  list: readonly Fields[],
  entries: ReadonlyMap<string, Entry>,
  live: readonly Entry[],
): Map<string, Entry> {
  const repeats = new Map<string, Entry>()
  let end = live.length
  for (const record of list.toReversed()) {
    const id = textOf(record.id)
    if (entries.has(id) || repeats.has(id) || answeredCalls(partsOf(record.content)) !== undefined) continue
    const words = repeatKey(record)
    const index = live.findLastIndex((entry, i) => i < end && entry.words === words && words !== '')
    if (index === -1) continue
    repeats.set(id, live[index]!)
    end = index
  }
  return repeats
}

/** The role, text and calls of a message; empty for a message that has neither text nor calls. */
export function repeatKey(record: Fields): string {
  const parts = partsOf(record.content)
  const listed = listOf(record.toolCalls).map((call) => textOf(fieldsOf(call).id))
  const inParts = parts.map((part) => textOf(fieldsOf(part.functionCall).id))
  const calls = [...new Set([...listed, ...inParts])].filter((id) => id !== '').sort()
  const text = textIn(parts).trim()
  return text === '' && calls.length === 0 ? '' : JSON.stringify([record.type, text, calls])
}
