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
 * Keeps the parts of a text that a native session receives in several calls. They replace the parts of the last text.
 * Throws `disk-full`, `unwritable` or `unsafe-path`.
 */
export function writeParts(local: string, native: Named, parts: readonly string[]): void {
  const file = partsFile(local, native)
  ensureLocalFolder(local, dirname(file))
  writeFileAtomic(file, JSON.stringify(parts), { mode: 0o600 })
}

/**
 * The parts that were kept last. Empty when there are none, or when something else has changed the file. Throws
 * `unreadable`.
 */
export function readParts(local: string, native: Named): string[] {
  const file = partsFile(local, native)
  try {
    const parts: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return Array.isArray(parts) ? parts.filter((part) => typeof part === 'string') : []
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || error instanceof SyntaxError) return []
    throw fileError(error, file, 'read')
  }
}

function partsFile(local: string, { client, nativeId }: Named): string {
  return join(localFiles(local).contexts, `${fileNameOf(client)}-${fileNameOf(nativeId)}.parts.json`)
}
