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
