import { join } from 'node:path'
import { localFiles } from '../layout.ts'
import { type Note, readNote, writeNote } from './note.ts'

/** A sentence that this machine prints once for each workspace. `no-git`: without git, a stop commits nothing. `lost-notes`: a
 * conversation was opened of which this machine has no notes. */
export type Notice = 'no-git' | 'lost-notes'

/**
 * Notes that a notice is printed, and returns true if it was not noted before. So if the note cannot be written, the
 * notice is printed every time.
 */
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
