import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import { errnoOf, fileError } from '../../io/file-error.ts'
import { ensureLocalFolder, fileNameOf, localFiles } from '../layout.ts'

/** A native session by name. */
interface Named {
  client: string
  nativeId: string
}

/**
 * Keeps the parts of what a native session is given in several calls, in place of those that it was given before.
 * Throws `disk-full`, `unwritable` or `unsafe-path`.
 */
export function writeParts(local: string, native: Named, parts: readonly string[]): void {
  const file = partsFile(local, native)
  ensureLocalFolder(local, dirname(file))
  writeFileAtomic(file, JSON.stringify(parts), { mode: 0o600 })
}

/** The parts that were kept last; none where there are none, or somebody else's hand was in them. Throws `unreadable`. */
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
