import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * Does some work with a folder of its own in the system's temporary one, which is gone afterwards. It begins with these
 * files, by relative path. Throws what the work throws.
 */
export async function withTemporaryFolder<T>(
  files: readonly { path: string; content: string }[],
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'cortext-'))
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
