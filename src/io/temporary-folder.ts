import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { CortextError } from '../errors.ts'
import { paste } from '../text/paste.ts'
import { errnoOf, fileError } from './file-error.ts'

/** Makes a folder in the system's temporary folder. The caller removes it. Throws `unwritable` and `disk-full`. */
export function makeTemporaryFolder(name = 'cortext-'): string {
  try {
    return mkdtempSync(join(tmpdir(), name))
  } catch (error) {
    const refused = fileError(error, tmpdir(), 'write')
    // The variable may name a folder that is gone, such as that of a session that has ended.
    if (!(refused instanceof CortextError) || errnoOf(error) !== 'ENOENT') throw refused
    throw new CortextError('unwritable', refused.message, { fix: paste`mkdir -p ${tmpdir()}`, cause: error })
  }
}

/**
 * Makes a folder in the system's temporary folder, writes `files` into it at their relative paths, runs `work` with it,
 * and removes it. Throws what `work` throws.
 */
export async function withTemporaryFolder<T>(
  files: readonly { path: string; content: string }[],
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = makeTemporaryFolder()
  try {
    for (const { path, content } of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content)
    }
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
