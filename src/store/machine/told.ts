import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import { ensureLocalFolder, localFiles } from '../layout.ts'
import { writeLog } from './log.ts'

/** What is said once in a workspace on this machine, and is no news later. */
export type News = 'no-git'

/** Whether it was told before, and from now on it was. Where that cannot be noted, it is told again. */
export function wasTold(local: string, news: News): boolean {
  const file = join(localFiles(local).told, news)
  if (existsSync(file)) return true
  try {
    ensureLocalFolder(local, dirname(file))
    writeFileAtomic(file, '', { mode: 0o600, durable: false, refuseSymlink: true })
  } catch (error) {
    writeLog(local, `what was told: ${error instanceof Error ? error.message : error}`)
  }
  return false
}
