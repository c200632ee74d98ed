import { fstatSync, readSync, renameSync, statSync } from 'node:fs'
import { readAndClose } from '../../io/file-error.ts'
import { appendRegular, openRegular } from '../../io/regular-file.ts'
import { ensureLocalFolder, localFiles } from '../layout.ts'

/** This file is part of the hook bundle: it imports only node's modules and other files of the bundle. */

/**
 * Writes one line with the time to this machine's log. A person can read there why something was not recorded. The log
 * has at most about two megabytes, in `log` and `log.1`. Never throws, because callers are handling a failure already.
 */
export function writeLog(local: string, line: string): void {
  const { log } = localFiles(local)
  try {
    ensureLocalFolder(local, local)
    if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) renameSync(log, `${log}.1`)
    const oneLine = line.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
    appendRegular(log, `${new Date().toISOString()} ${oneLine}\n`)
  } catch {
    // There is no other place to report this.
  }
}

const MAX_BYTES = 1024 * 1024

/** The latest failures in the log, oldest first, from its last 64 KB. */
export function readLog(local: string): { at: Date; what: string }[] {
  return tail(localFiles(local).log)
    .split('\n')
    .flatMap((line) => {
      const [, time, what] = /^(\d{4}-\S+Z) (.*)$/.exec(line) ?? []
      return time === undefined || what === undefined ? [] : { at: new Date(time), what }
    })
}

function tail(path: string): string {
  const file = openRegular(path)
  if (file === undefined) return ''
  return readAndClose(file, path, () => {
    const { size } = fstatSync(file)
    const bytes = Buffer.alloc(Math.min(size, 64 * 1024))
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, size - bytes.length))
  })
}
