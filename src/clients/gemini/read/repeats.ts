import { sha256 } from '../../../hash.ts'
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
  /** The message is of a conversation that was deleted here. */
  isDeleted?: true
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

/** What tells two messages with one id apart. */
interface Said {
  type: unknown
  time: string
  text: string
}

/**
 * Gives each message an id of its own. A program that scrubs transcripts can give one id to many messages. Gemini CLI
 * itself writes a message again under its id and with its time: when it has grown, and in each list of all messages,
 * where its content may have become another one (0.61.0).
 */
export class OwnIds {
  readonly #first = new Map<string, Said>()

  /** Returns the id of a record. If an earlier message that is another one has it, the id is made from both. */
  idOf(record: Fields): string {
    return this.#idOf(record, ({ text }, said) => said.text.startsWith(text) || text.startsWith(said.text))
  }

  /** Returns the ids of the records of a list. No message is in a list twice. */
  idsIn(list: readonly Fields[]): string[] {
    const times = new Map<string, number>()
    for (const { id } of list) times.set(textOf(id), (times.get(textOf(id)) ?? 0) + 1)
    return list.map((record) => this.#idOf(record, () => times.get(textOf(record.id)) === 1))
  }

  #idOf(record: Fields, mayBecome: (first: Said, said: Said) => boolean): string {
    const id = textOf(record.id)
    const said = { type: record.type, time: textOf(record.timestamp), text: textIn(partsOf(record.content)) }
    const first = this.#first.get(id)
    if (first === undefined) this.#first.set(id, said)
    if (first === undefined || (first.type === said.type && first.text === said.text)) return id
    if (first.type === said.type && first.time === said.time && mayBecome(first, said)) return id
    return `${id}~${sha256(JSON.stringify([said.type, said.time, said.text])).slice(0, 12)}`
  }
}
