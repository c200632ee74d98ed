import type { Message } from '../../../session/schema.ts'
import { type Fields, fieldsOf, listOf, textOf } from '../../transcript/fields.ts'
import { answeredCalls, partsOf, textIn } from './parts.ts'

/** A message of the client's list, and what it became here: nothing, one message, or an answer and its results. */
export interface Entry {
  messages: Message[]
  /** Role and text, to know it again under another id. */
  words: string
}

/**
 * After `/compress` the client writes the last part of the list again under new ids: native id → the entry that
 * it repeats. What is new is matched with the end of the list that was, from its end, by role and text in order;
 * so of two turns with the same words the later one is meant.
 */
export function matchRepeats(
  list: readonly Fields[],
  known: ReadonlyMap<string, Entry>,
  live: readonly Entry[],
): Map<string, Entry> {
  const repeats = new Map<string, Entry>()
  let end = live.length
  for (const record of list.toReversed()) {
    const id = textOf(record.id)
    if (known.has(id) || repeats.has(id) || answeredCalls(partsOf(record.content)) !== undefined) continue
    const words = wordsOf(record)
    const place = live.findLastIndex((entry, index) => index < end && entry.words === words && words !== '')
    if (place === -1) continue
    repeats.set(id, live[place]!)
    end = place
  }
  return repeats
}

/** Empty for a message without any. */
export function wordsOf(record: Fields): string {
  const parts = partsOf(record.content)
  const listed = listOf(record.toolCalls).map((call) => textOf(fieldsOf(call).id))
  const inParts = parts.map((part) => textOf(fieldsOf(part.functionCall).id))
  const calls = [...new Set([...listed, ...inParts])].filter((id) => id !== '').sort()
  const text = textIn(parts).trim()
  return text === '' && calls.length === 0 ? '' : JSON.stringify([record.type, text, calls])
}
