import { chmodSync, mkdtempSync, readdirSync, rmdirSync, rmSync, statfsSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'

const IN_MEMORY = '/dev/shm'
const ENOUGH = 2 ** 31

/**
 * Sets `TMPDIR` to a folder in memory, if 2 GB of memory are free and `TMPDIR` is not set. The program syncs its writes
 * to the disk, and tests take twice as long when they wait for a disk. The folder is removed at the end of the run.
 * Vitest's configuration calls this, and the workers inherit the environment.
 */
export function useMemory(): void {
  if (process.env.TMPDIR || freeIn(IN_MEMORY) < ENOUGH) return
  const folder = mkdtempSync(join(IN_MEMORY, 'cortext-tests-'))
  // Some tests run the program as another user in their labs.
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

/** Removes a folder in which another process may still write. Retries for up to 20 s. */
export function removeFolder(folder: string): void {
  try {
    removeTree(folder)
    return
  } catch {
    // Another process writes there, or there is no such folder.
  }
  for (const end = Date.now() + PATIENCE_MS; ; Atomics.wait(still, 0, 0, 50)) {
    try {
      rmSync(folder, { recursive: true, force: true })
      return
    } catch (error) {
      // The retries of `rmSync` itself do not list a folder again. On Windows a file that is open cannot be removed.
      const code = (error as NodeJS.ErrnoException).code ?? ''
      if (!['ENOTEMPTY', 'EBUSY', 'EPERM'].includes(code) || Date.now() > end) throw error
    }
  }
}

/** Takes a third of the time that `rmSync` takes, which asks the system about each file several times. */
function removeTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) removeTree(path)
    else unlinkSync(path)
  }
  rmdirSync(folder)
}

const still = new Int32Array(new SharedArrayBuffer(4))
