import { copyInside, removeInside, writeInside } from '../../io/inside.ts'
import type { Message, SessionFile } from '../../session/schema.ts'
import { ownersOf } from '../../session/sharing/apart.ts'
import { RECORD } from '../layout.ts'
import { filesOf } from './copy-record.ts'
import { placedIn, type RecordRead } from './index.ts'
import { isConflictMarker } from './problem.ts'
import { prunedFilesIn } from './pruned-files.ts'
import { readRawLines } from './read-lines.ts'
import { readMessages } from './read-messages.ts'

/** One of several conversations in one folder, and the folder that it gets. The first one keeps its folder. */
export interface Part {
  session: SessionFile
  folder: string
}

/**
 * Gives each conversation of a folder its own lines, byte for byte, with the files that belong to them. The first part
 * keeps the folder; the lines of the other parts are added to their folders, which may exist already. These folders are
 * complete before anything is removed, so after a kill the next call does the rest. `record` must have its raw lines.
 * The caller writes the session.json of each conversation, and holds the lock. Throws `disk-full`, `unwritable`,
 * `unreadable` or `unsafe-path`.
 */
export function divideRecord(record: RecordRead, parts: readonly Part[]): void {
  const shares = sharesOf(record, parts)
  const [kept, ...moved] = parts.map((part, index) => ({ ...part, ...shares[index]! }))
  if (kept === undefined) return
  for (const { folder, lines, files } of moved) {
    for (const path of files) copyInside({ root: kept.folder, path }, { root: folder, path })
    addLines(folder, lines)
  }
  writeInside(kept.folder, RECORD.messages, Buffer.concat(kept.lines.map(withLineBreak)))
  const gone = moved.flatMap(({ files }) => [...files]).filter((path) => !kept.files.has(path))
  for (const path of new Set(gone)) removeInside(kept.folder, path)
}

interface Share {
  lines: Buffer[]
  files: Set<string>
}

function sharesOf(record: RecordRead, parts: readonly Part[]): Share[] {
  const sessions = parts.map(({ session }) => session)
  const { raw = [] } = record
  const messages = new Map(placedIn(record).map(({ message, place }) => [place, message]))
  const shares = parts.map(() => ({ lines: [] as Buffer[], messages: [] as Message[] }))
  let owners: readonly number[] = [0]
  for (const [place, line] of raw.entries()) {
    const message = messages.get(place)
    // Only the markers of a conflict are dropped. Other lines that are no messages go where the line before them goes.
    if (message === undefined && isConflictMarker(line.toString('latin1').trimEnd())) continue
    owners = ownersOf(sessions, message, owners)
    for (const owner of owners) {
      shares[owner]!.lines.push(line)
      if (message !== undefined) shares[owner]!.messages.push(message)
    }
  }
  const folder = parts[0]!.folder
  return shares.map((share) => ({
    lines: share.lines,
    files: filesOf([...share.messages, ...prunedOf(folder, share.messages)]),
  }))
}

/** The messages in the archive files that these messages name. */
function prunedOf(folder: string, messages: readonly Message[]): Message[] {
  const named = filesOf(messages)
  const archives = prunedFilesIn(folder).map((archive) => `${RECORD.folder}/${archive}`)
  return archives.filter((path) => named.has(path)).flatMap((path) => readMessages(folder, path).lines)
}

/** Adds the lines that a messages.jsonl lacks. */
function addLines(folder: string, lines: readonly Buffer[]): void {
  const present = readRawLines(folder, RECORD.messages).map(withLineBreak)
  const texts = new Set(present.map((line) => line.toString('latin1')))
  const lacking = lines.map(withLineBreak).filter((line) => !texts.has(line.toString('latin1')))
  writeInside(folder, RECORD.messages, Buffer.concat([...present, ...lacking]))
}

/** The last line of a file may lack its line break. */
function withLineBreak(line: Buffer): Buffer {
  return line.at(-1) === 0x0a ? line : Buffer.concat([line, Buffer.from('\n')])
}
