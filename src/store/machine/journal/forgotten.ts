import { forgottenPath } from '../../layout.ts'
import { type Note, readNote, writeNote } from '../note.ts'

/**
 * What was blanked in a journal (blank-journal.ts). The client's transcript still has it, and may repeat it: then this
 * tells that it belongs to no conversation.
 */
export interface Forgotten {
  /** For each message, by its id: its place in the talk of all generations (`seq`), if it has one. */
  seqs: ReadonlyMap<string, number | undefined>
  /** The highest `seq` of a message in each generation, before anything was blanked there. */
  highest: Readonly<Record<string, number>>
}

interface Session {
  client: string
  native_id: string
}

/** Throws `unreadable`. */
export function readForgotten(local: string, session: Session): Forgotten {
  const { messages = [], highest = {} } = readNote(noteOf(local, session)) ?? {}
  return { seqs: new Map(messages.map(([id, seq]) => [id, seq])), highest }
}

/** Throws `unwritable` and the like. */
export function writeForgotten(local: string, session: Session, { seqs, highest }: Forgotten): void {
  const messages = [...seqs].map(([id, seq]): [string, number?] => (seq === undefined ? [id] : [id, seq]))
  writeNote(local, noteOf(local, session), { messages, highest: { ...highest } })
}

interface Stored {
  messages: [id: string, seq?: number][]
  highest: Record<string, number>
}

function noteOf(local: string, { client, native_id }: Session): Note<Stored> {
  return { path: forgottenPath(local, client, native_id), parse }
}

function parse(value: unknown): Stored | undefined {
  const { messages, highest } = Object(value) as Partial<Stored>
  const isOurs = Array.isArray(messages) && messages.every(Array.isArray) && typeof highest === 'object'
  return isOurs ? { messages, highest: highest ?? {} } : undefined
}
