import { CortextError } from '../../../errors.ts'
import type { NativeSession } from '../../contract/sessions.ts'
import { titleLine } from './facts.ts'
import { type FileEnds, readEnds } from './file-ends.ts'

/** What the ends of a session's file say of it. */
export interface About {
  title: string
  cwd: string
}

/**
 * Lists sessions, newest first, from the ends of their files. `about` returns undefined for a session that is not
 * listed, such as one in which nothing was said.
 */
export function listSessions(
  client: string,
  files: readonly { nativeId: string; transcript: string }[],
  about: (ends: FileEnds) => About | undefined,
): NativeSession[] {
  return files
    .flatMap((file): NativeSession[] => {
      const ends = readEnds(file.transcript)
      const known = ends && about(ends)
      if (ends === undefined || known === undefined) return []
      const { bytes, lastActive } = ends
      return [{ client, ...file, ...known, title: titleLine(known.title), lastActive, bytes }]
    })
    .sort((a, b) => b.lastActive.getTime() - a.lastActive.getTime())
}

/** Throws `unsafe-path` on an id of a session that is not a plain name. */
export function checkPlainId(nativeId: string, clientName: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(nativeId)) return
  throw new CortextError('unsafe-path', `not a ${clientName} session id: ${JSON.stringify(nativeId)}`, {
    fix: 'cortext list',
  })
}
