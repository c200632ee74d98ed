import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, parse } from 'node:path'
import type { RawTranscript } from '../../clients/contract/reading.ts'
import type { NativeSession } from '../../clients/contract/sessions.ts'
import { readerOf } from '../../clients/index.ts'
import { bytesOfTranscript } from '../../conversation/transcript-bytes.ts'
import { CortextError } from '../../errors.ts'
import { fileError } from '../../io/file-error.ts'
import { MAX_TRANSCRIPT, sizeOf } from '../../store/machine/journal/copy-bytes.ts'
import { readJournalPart } from '../../store/machine/journal/journal.ts'
import { paste } from '../../text/paste.ts'
import { linesOfList } from './other-files.ts'

/**
 * Returns the session in a file that a person has named: exactly this file, even if the session has other files. Throws
 * `not-found` if there is no file, `refused` with advice if it is not a transcript, and `unreadable`.
 */
export function sessionInFile(clientId: string, named: string): NativeSession {
  const found = statSync(named, { throwIfNoEntry: false })
  if (found === undefined)
    throw new CortextError('not-found', `no transcript at ${named}`, {
      fix: paste`cortext import ${clientId} --all`,
    })
  if (found.isDirectory())
    refuse(named, 'is a folder: name the files in it', paste`cortext import ${clientId} --file ${named}/*`)
  if (!found.isFile()) refuse(named, 'is not a regular file', paste`cortext import ${clientId} --all`)
  // Side files are next to the file itself, not next to a link to it.
  const file = realpathSync(named)
  const { reading, sessions } = readerOf(clientId)
  // If a client's transcripts can be read in pieces, the first lines of a long file tell whether it is one of them.
  const head = reading.pieceEnd === undefined ? undefined : headOf(file, found.size)
  const whole = () => bytesOf(file)
  const bytes = head ?? whole()
  refuseOtherForms(clientId, named, bytes)
  const seems = reading.subagentOf?.(bytes)
  const parent = seems !== undefined && head !== undefined ? reading.subagentOf?.(whole()) : seems
  if (parent !== undefined)
    refuse(
      named,
      'is what a subagent said; it is saved with the session that started it, if that is here',
      parent === '' ? paste`cortext import ${clientId} --all` : paste`cortext import ${clientId} ${parent}`,
    )
  const exported = exportIn(clientId, file, bytes)
  const transcript = exported === undefined ? bytes : Buffer.from(exported)
  const folderName = basename(dirname(file))
  const isOfFolder = folderName !== '' && sessions.isNamedAfter?.(file, folderName) === true
  const nativeId = reading.sessionId?.(transcript) ?? (head && reading.sessionId?.(whole()))
  return {
    client: clientId,
    nativeId: nativeId ?? (isOfFolder ? folderName : parse(file).name),
    transcript: file,
    title: '',
    cwd: '',
    lastActive: found.mtime,
    bytes: found.size,
  }
}

/**
 * Returns the transcript from which a client's export was made, or one whose records a program has put into a list.
 * Undefined for any other file.
 */
export function exportedIn(client: string, file: string): string | undefined {
  const isExport = readerOf(client).reading.fromExport !== undefined
  return isExport || isList(bytesOf(file, HEAD_BYTES)) ? exportIn(client, file, bytesOf(file)) : undefined
}

function exportIn(client: string, file: string, bytes: Buffer): string | undefined {
  const { fromExport } = readerOf(client).reading
  if (fromExport === undefined && !isList(bytes)) return undefined
  try {
    const text = bytes.toString('utf8')
    return fromExport?.(text) ?? (isList(bytes) ? linesOfList(text) : undefined)
  } catch (error) {
    throw fileError(error, file, 'read')
  }
}

function isList(bytes: Buffer): boolean {
  return /^(?:\xef\xbb\xbf)?\s*\[/.test(bytes.toString('latin1', 0, HEAD_BYTES))
}

/**
 * Returns the bytes of a session's transcript. If its file is an export of the client, makes the transcript from it.
 */
export function bytesOfSession(session: { client: string; transcript: string }): Buffer {
  const exported = exportedIn(session.client, session.transcript)
  return exported === undefined ? bytesOfTranscript(session) : Buffer.from(exported)
}

/**
 * Returns the first lines of a long file; undefined for a shorter file, or if the first line is longer than
 * `LONG_BYTES`.
 */
function headOf(file: string, size: number): Buffer | undefined {
  if (size <= LONG_BYTES) return undefined
  const bytes = Buffer.from(readJournalPart(file, 0, LONG_BYTES))
  const end = bytes.lastIndexOf(10) + 1
  return end === 0 ? undefined : bytes.subarray(0, end)
}

const LONG_BYTES = 4 * 1024 * 1024

function bytesOf(file: string, most = MAX_TRANSCRIPT): Buffer {
  return Buffer.from(readJournalPart(file, 0, Math.min(sizeOf(file) ?? 0, most)))
}

/** Throws `refused` for a file that cannot be a transcript, and says what the file is instead. */
function refuseOtherForms(clientId: string, file: string, bytes: Buffer): void {
  const all = paste`cortext import ${clientId} --all`
  if (bytes.toString('latin1', 0, HEAD_BYTES).trim() === '')
    refuse(file, 'is empty: nothing was said in it', all)
  const starts = (first: string) => bytes.subarray(0, first.length).equals(Buffer.from(first, 'latin1'))
  const packed = PACKED.find(([first]) => starts(first))
  if (packed !== undefined) refuse(file, `is compressed (${packed[1]}): unpack it first`, packed[2](file))
  if (starts('SQLite format 3\0')) refuse(file, 'is a database, not a transcript', all)
  if (starts('\xff\xfe') || starts('\xfe\xff'))
    refuse(
      file,
      'is text in UTF-16: write it as UTF-8',
      paste`iconv -f UTF-16 -t UTF-8 ${file} > in-utf-8.json`,
    )
  // A crash of the system leaves zeros in a file, also between its records.
  const head = bytes.toString('latin1', 0, HEAD_BYTES)
  if (head.includes('\0') && !/^[\0\s]*[{[]/m.test(head))
    refuse(file, 'is not text, so it is not a transcript', all)
}

const HEAD_BYTES = 64 * 1024

const PACKED: [first: string, name: string, fix: (file: string) => string][] = [
  ['\x1f\x8b', 'gzip', (file) => paste`gzip -dk ${file}`],
  ['PK\x03\x04', 'zip', (file) => paste`unzip ${file}`],
  ['\x28\xb5\x2f\xfd', 'zstd', (file) => paste`zstd -d ${file}`],
  ['\xfd7zXZ\0', 'xz', (file) => paste`xz -dk ${file}`],
  ['BZh', 'bzip2', (file) => paste`bzip2 -dk ${file}`],
]

function refuse(file: string, what: string, fix: string): never {
  throw new CortextError('refused', `${file} ${what}`, { fix })
}

/** A transcript without the files beside it, as a reader gets it. */
export function rawOf({ nativeId }: NativeSession, bytes: Uint8Array): RawTranscript {
  return { nativeId, bytes, sideFiles: [], readSideFile: () => undefined }
}
