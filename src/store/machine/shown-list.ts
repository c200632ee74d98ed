import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import { errnoOf, fileError } from '../../io/file-error.ts'
import { ensureLocalFolder, fileNameOf, localFiles } from '../layout.ts'

/** The name of a native session. */
interface Named {
  client: string
  nativeId: string
}

/**
 * Keeps the list that was last shown in a native session. An answer such as `2` means that list, whatever was said
 * elsewhere since and whichever words narrowed it down. Throws `disk-full`, `unwritable` or `unsafe-path`.
 */
export function rememberList(local: string, native: Named, conversations: readonly { path: string }[]): void {
  const file = listFile(local, native)
  ensureLocalFolder(local, dirname(file))
  writeFileAtomic(file, JSON.stringify(conversations.map(({ path }) => path)), {
    mode: 0o600,
    durable: false,
  })
}

/**
 * The path of the conversation with this number, from 1, in the list that was last shown; undefined if there is none.
 * Throws `unreadable`.
 */
export function fromList(local: string, native: Named, number: number): string | undefined {
  const file = listFile(local, native)
  try {
    const paths: unknown = JSON.parse(readFileSync(file, 'utf8'))
    const path = Array.isArray(paths) ? paths[number - 1] : undefined
    return typeof path === 'string' ? path : undefined
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw fileError(error, file, 'read')
  }
}

function listFile(local: string, { client, nativeId }: Named): string {
  return join(localFiles(local).contexts, `${fileNameOf(client)}-${fileNameOf(nativeId)}.list.json`)
}
