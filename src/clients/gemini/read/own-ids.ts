import { sha256 } from '../../../hash.ts'
import { partsOf, textIn } from '../../shared/genai/parts.ts'
import { type Fields, textOf } from '../../shared/transcript/fields.ts'

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
