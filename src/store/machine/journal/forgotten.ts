import { forgottenPath } from '../../layout.ts'
import { type Note, readNote, writeNote } from '../note.ts'

/**
 * What was blanked in a journal (blank-journal.ts). The client's transcript still has it, and may repeat it: then this
 * tells that it belongs to no conversation.
 */
export interface Forgotten {
  /** The ids of the messages. */
  ids: ReadonlySet<string>
  /** The highest number (`seq`) of a message in each generation, before anything was blanked there. */
  highest: Readonly<Record<string, number>>
}

interface Session {
  client: string
  native_id: string
}

/** Throws `unreadable`. */
export function readForgotten(local: string, session: Session): Forgotten {
  const { ids = [], highest = {} } = readNote(noteOf(local, session)) ?? {}
  return { ids: new Set(ids), highest }
}

/** Throws `unwritable` and the like. */
export function writeForgotten(local: string, session: Session, { ids, highest }: Forgotten): void {
  writeNote(local, noteOf(local, session), { ids: [...ids], highest: { ...highest } })
}

interface Stored {
  ids: string[]
  highest: Record<string, number>
}

function noteOf(local: string, { client, native_id }: Session): Note<Stored> {
  return { path: forgottenPath(local, client, native_id), parse }
}

function parse(value: unknown): Stored | undefined {
  const { ids, highest } = Object(value) as Partial<Stored>
  const isOurs = Array.isArray(ids) && typeof highest === 'object' && highest !== null
  return isOurs ? { ids: ids.filter((id) => typeof id === 'string'), highest } : undefined
}
