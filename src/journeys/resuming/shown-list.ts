import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import { errnoOf } from '../../io/file-error.ts'
import { ensureLocalFolder, fileNameOf, localFiles } from '../../store/layout.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { SessionName } from '../recording/current-session.ts'

type Named = Pick<SessionName, 'client' | 'nativeId'>

/**
 * The list that was shown last in a native session. An answer such as `2` means that list, whatever has been
 * said elsewhere since, and whichever words it was narrowed down by.
 */
export function rememberList(ws: Workspace, native: Named, conversations: readonly { path: string }[]): void {
  const file = listFile(ws, native)
  ensureLocalFolder(ws.local, localFiles(ws.local).contexts)
  writeFileAtomic(file, JSON.stringify(conversations.map(({ path }) => path)), {
    mode: 0o600,
    durable: false,
  })
}

/** The path of the conversation with a number, counted from 1, in the list that was shown last; undefined if there is none. */
export function fromList(ws: Workspace, native: Named, number: number): string | undefined {
  try {
    const paths: unknown = JSON.parse(readFileSync(listFile(ws, native), 'utf8'))
    const path = Array.isArray(paths) ? paths[number - 1] : undefined
    return typeof path === 'string' ? path : undefined
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw error
  }
}

function listFile(ws: Workspace, { client, nativeId }: Named): string {
  return join(localFiles(ws.local).contexts, `${fileNameOf(client)}-${fileNameOf(nativeId)}.list.json`)
}
