import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import { ensureLocalFolder, fileNameOf, localFiles } from '../layout.ts'
import { writeLog } from './log.ts'

/** How git's files were when a work tree was last looked through for what a merge has left. */
export interface LookedAt {
  /** Identifies git's index. */
  stamp: string
  /** The commit. */
  head?: string | undefined
}

/** Undefined where nothing is known; then everything is looked at anew. */
export function readLookedAt(local: string, root: string): LookedAt | undefined {
  try {
    const { stamp, head } = JSON.parse(readFileSync(lookedAtFile(local, root), 'utf8'))
    return { stamp: String(stamp), ...(typeof head === 'string' ? { head } : {}) }
  } catch {
    // There is none yet, or it was written by half. It may be lost at any time.
    return undefined
  }
}

/** Where it cannot be written, the log says why, and the next look is a longer one. */
export function writeLookedAt(local: string, root: string, looked: LookedAt): void {
  const file = lookedAtFile(local, root)
  try {
    ensureLocalFolder(local, dirname(file))
    writeFileAtomic(file, JSON.stringify(looked), { mode: 0o600, durable: false, refuseSymlink: true })
  } catch (error) {
    writeLog(local, `what was looked at: ${error instanceof Error ? error.message : error}`)
  }
}

function lookedAtFile(local: string, root: string): string {
  return join(localFiles(local).looked, `${fileNameOf(root)}.json`)
}
