import { readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import { fileError } from '../../io/file-error.ts'
import type { Message } from '../../session/schema.ts'
import { ensureLocalFolder, fileNameOf, localFiles } from '../layout.ts'

/**
 * What publishing would append to a record, ready for searches, which would have to read the client's transcripts and
 * redact them each time. A cache: it counts only with the stamp that it was written with, and may go at any time.
 */
export function writeAhead(local: string, path: string, stamp: string, messages: readonly Message[]): void {
  const file = aheadFile(local, path)
  ensureLocalFolder(local, dirname(file))
  const lines = [{ stamp }, ...messages].map((line) => `${JSON.stringify(line)}\n`)
  writeFileAtomic(file, lines.join(''), { mode: 0o600, refuseSymlink: true, durable: false })
}

/** The messages; undefined where they are not known with this stamp. */
export function readAhead(local: string, path: string, stamp: string): Message[] | undefined {
  try {
    const [first = '', ...lines] = readFileSync(aheadFile(local, path), 'utf8').split('\n')
    if (JSON.parse(first).stamp !== stamp) return undefined
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Message)
  } catch {
    // It is not there, or torn. Whoever asks reads the transcript.
    return undefined
  }
}

/** Throws `unwritable`. */
export function forgetAhead(local: string, path: string): void {
  const file = aheadFile(local, path)
  try {
    rmSync(file, { force: true })
  } catch (error) {
    throw fileError(error, file, 'write')
  }
}

function aheadFile(local: string, path: string): string {
  return join(localFiles(local).unpublished, `${fileNameOf(path)}.jsonl`)
}
