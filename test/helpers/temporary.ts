import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const IN_MEMORY = '/dev/shm'
const ENOUGH = 2 ** 31

/**
 * Has the tests of this run make their folders in memory where 2 GB of it are free, unless `TMPDIR` says where: the
 * program asks for its writes to be on the disk, and tests that wait for a disk take twice as long. What is left there
 * goes with the run. Called by vitest's configuration; the workers inherit it.
 */
export function useMemory(): void {
  if (process.env.TMPDIR || freeIn(IN_MEMORY) < ENOUGH) return
  const folder = mkdtempSync(join(IN_MEMORY, 'cortext-tests-'))
  // Some tests run the program as another user, who must get through to their labs.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
}

function freeIn(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return 0
  }
}

const PATIENCE_MS = 20_000

/** Removes a folder in which a process that was left to run may still write: it is begun anew until all is gone. */
export function removeFolder(folder: string): void {
  for (const end = Date.now() + PATIENCE_MS; ; Atomics.wait(still, 0, 0, 50)) {
    try {
      rmSync(folder, { recursive: true, force: true })
      return
    } catch (error) {
      // The own retries of `rmSync` do not look for what came into a folder meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY' || Date.now() > end) throw error
    }
  }
}

const still = new Int32Array(new SharedArrayBuffer(4))
