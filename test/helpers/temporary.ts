import { statfsSync } from 'node:fs'

const IN_MEMORY = '/dev/shm'
const ENOUGH = 2 ** 31

/**
 * The environment in which tests make their folders in memory where 2 GB of it are free, unless `TMPDIR` says where:
 * the program asks for its writes to be on the disk, and tests that wait for a disk take twice as long.
 */
export function temporaryFolder(): Record<string, string> {
  if (process.env.TMPDIR) return {}
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize >= ENOUGH ? { TMPDIR: IN_MEMORY } : {}
  } catch {
    return {}
  }
}
