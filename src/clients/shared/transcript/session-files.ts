import { CortextError } from '../../../errors.ts'
import { MAX_TEXT } from '../../../io/inside.ts'
import { listAllNames } from '../../../io/list-names.ts'
import { realFolder } from '../../../io/real-folder.ts'
import { readText } from '../../../io/regular-file.ts'
import type { NativeSession } from '../../contract/sessions.ts'
import { type FileEnds, readEnds } from './file-ends.ts'
import { titleLine } from './read-talk.ts'

/** What the ends of a session's file say of it. `nativeId`: where the name of the file does not say it. */
type About = Pick<NativeSession, 'title' | 'cwd'> & Partial<Pick<NativeSession, 'nativeId' | 'automated'>>

/**
 * Lists sessions, newest first, from the ends of their files. `about` returns undefined for a session that is not
 * listed, such as one in which nothing was said.
 */
export function listSessions(
  client: string,
  files: readonly { nativeId: string; transcript: string }[],
  about: (ends: FileEnds, nativeId: string) => About | undefined,
): NativeSession[] {
  return newestFirst(
    files.flatMap((file): NativeSession[] => {
      const ends = readEnds(file.transcript)
      const known = ends && about(ends, file.nativeId)
      if (ends === undefined || known === undefined) return []
      const { bytes, lastActive } = ends
      return [{ client, ...file, ...known, title: titleLine(known.title), lastActive, bytes }]
    }),
  )
}

export function newestFirst(sessions: NativeSession[]): NativeSession[] {
  return sessions.sort((a, b) => b.lastActive.getTime() - a.lastActive.getTime())
}

/** Whether the file of a session has any content. */
export function isWritten(transcript: string): boolean {
  return (readEnds(transcript)?.bytes ?? 0) > 0
}

/** What `heldElsewhere` of the contract returns for a client that finds a session only from its own folder. */
export function heldOutside(folder: string, transcript: string, cwdIn: (ends: FileEnds) => string) {
  const ends = readEnds(transcript)
  const cwd = ends === undefined ? '' : cwdIn(ends)
  return cwd !== '' && realFolder(cwd) === realFolder(folder) ? undefined : cwd
}

/** The names in a folder that end in `suffix`; none if there is no such folder, or nobody may read it. */
export function namesIn(folder: string, suffix = ''): string[] {
  try {
    return listAllNames(folder, suffix)
  } catch {
    return []
  }
}

/** The text of a file; undefined if there is none, or nobody may read it. */
export function textAt(path: string, maxBytes = MAX_TEXT): string | undefined {
  try {
    return readText(path, maxBytes)
  } catch {
    return undefined
  }
}

/** Throws `unsafe-path` on an id of a session that has not this form. `whose` is `a Pi`. */
export function checkId(
  nativeId: string,
  whose: string,
  form = /^[A-Za-z0-9_-]+$/,
  fix = 'cortext resume --list',
): void {
  if (form.test(nativeId)) return
  throw new CortextError('unsafe-path', `not ${whose} session id: ${JSON.stringify(nativeId)}`, { fix })
}
