import { appendFileSync, renameSync, statSync } from 'node:fs'
import { ensureLocalFolder, localFiles } from './layout.ts'

/** Part of the hook bundle: node's own modules only. */

/**
 * Notes one line, with the time, in this machine's log, for whoever looks why something was not recorded.
 * Kept to a megabyte or two (`log`, `log.1`). Never throws: what is logged is a failure already.
 */
export function writeLog(local: string, line: string): void {
  const { log } = localFiles(local)
  try {
    ensureLocalFolder(local, local)
    if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) renameSync(log, `${log}.1`)
    const oneLine = line.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
    appendFileSync(log, `${new Date().toISOString()} ${oneLine}\n`, { mode: 0o600 })
  } catch {
    // There is nowhere left to say it.
  }
}

const MAX_BYTES = 1024 * 1024
