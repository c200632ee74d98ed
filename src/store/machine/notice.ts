import { join } from 'node:path'
import { localFiles } from '../layout.ts'
import { type Note, readNote, writeNote } from './note.ts'

/** A sentence that is printed once in a workspace on this machine. `no-git`: a stop commits nothing without git. */
export type Notice = 'no-git'

/** Notes that a notice is printed. Returns true the first time, and every time if the note cannot be written. */
export function claimNotice(local: string, notice: Notice): boolean {
  const note: Note<true> = {
    path: join(localFiles(local).notices, `${notice}.json`),
    parse: (value) => (value === true ? value : undefined),
    cache: true,
  }
  if (readNote(note) === true) return false
  writeNote(local, note, true)
  return true
}
