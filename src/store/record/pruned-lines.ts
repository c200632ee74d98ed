import { basename } from 'node:path'
import { crypto } from '../../hash.ts'
import { syncFolder } from '../../io/atomic-write.ts'
import { pathInside, removeEmptyInside, removeInside, writeInside } from '../../io/inside.ts'
import { type Moved, type PrunedEvent, prunedEvent, prunedEvents } from '../../session/pruning/event.ts'
import type { Message } from '../../session/schema.ts'
import { RECORD } from '../layout.ts'
import { keptRaw, type RecordRead, rewrittenRecord } from './index.ts'
import { prunedFile, prunedFilesIn } from './pruned-files.ts'
import { ownMessageIn, readRawLines } from './read-lines.ts'

/**
 * Moves lines of messages.jsonl, given by their 0-based indexes, into an archive file of their own, byte for byte.
 * `line` makes the event that replaces the first moved line. The archive file is on the disk before messages.jsonl is
 * replaced. A kill between the two leaves all lines where they were, and an archive file that no event names. `known`
 * is the record before the move. The returned `record` is the record after the move if `known` has its raw lines.
 * Otherwise it is `known`, whose stamp is out of date. Call this under the conversation's lock. Throws `disk-full`,
 * `unwritable` or `unsafe-path`; then nothing was moved.
 */
export function movePrunedOut(
  folder: string,
  known: RecordRead,
  moving: ReadonlySet<number>,
  line: (moved: Moved) => Message,
): Moved & { record: RecordRead } {
  // If git or a person has changed messages.jsonl since `known` was read, the file is read again, so that the change is
  // not lost.
  const raw = keptRaw(folder, known)
  const all = raw ?? readRawLines(folder, RECORD.messages)
  const old = withLineBreaks(all.filter((_, index) => moving.has(index)))
  const archive = `archive/${newName(folder, all, old)}`
  const moved: Moved = {
    archive,
    places: runsOf(moving),
    bytes: old.reduce((sum, { length }) => sum + length, 0),
  }
  writeInside(folder, prunedFile(moved), old)
  const event = Buffer.from(`${JSON.stringify(line(moved))}\n`)
  const first = moved.places[0]![0]
  const left = write(
    folder,
    all.flatMap((entry, index) => {
      if (index === first) return [event]
      return moving.has(index) ? [] : [entry]
    }),
  )
  if (raw === undefined) return { ...moved, record: known }
  const out = known.all.filter((_, index) => moving.has(known.places[index]!))
  const pruned = new Map([...known.pruned, ...out.map((message) => [message.id, message] as const)])
  return { ...moved, record: rewrittenRecord(folder, left, pruned) }
}

export interface Restored {
  /** How many lines came back. */
  lines: number
  /** Archive files, by their path below `.session/`, whose lines are in messages.jsonl again. */
  archives: string[]
  /** Archive files that events name but that are not here. Their events stay. */
  missing: string[]
}

/**
 * Undoes every prune, the newest first. One write puts the lines back in their places and removes the events; then the
 * archive files are removed. Lines that messages.jsonl contains already are not added again. A kill after the write
 * leaves only archive files whose lines are all in messages.jsonl. `raw` are the lines of messages.jsonl, if they were
 * read before; the returned `record` is the record afterwards. Call this under the conversation's lock.
 */
export function restorePruned(folder: string, raw?: readonly Buffer[]): Restored & { record: RecordRead } {
  let text = tidy(folder, raw)
  const archives = prunedFilesIn(folder).sort((a, b) => numberOf(b) - numberOf(a) || (a < b ? 1 : -1))
  const events = eventsOf(text)
  const named = new Map(events.map((event) => [event.archive, event]))
  const before = text.length
  let gone = 0
  for (const archive of archives) {
    const back = readRawLines(folder, prunedFile({ archive }))
    const without = withoutEvent(text, { archive })
    gone += text.length - without.length
    text = putBack(text, without, back, named.get(archive))
  }
  if (archives.length > 0) text = write(folder, text)
  for (const archive of archives) remove(folder, archive)
  removeEmptyInside(folder, RECORD.archive)
  const missing = events.map(({ archive }) => archive).filter((archive) => !archives.includes(archive))
  const record = rewrittenRecord(folder, text, new Map())
  return { lines: text.length - before + gone, archives, missing, record }
}

/**
 * Removes what is there twice. A killed prune or restore leaves an archive file that no event names: it is removed if the
 * record has all of its lines elsewhere. A merge may bring pruned lines back to messages.jsonl: there they are removed. If
 * two machines have pruned the same lines, the prune that moved fewer is undone. Returns the lines of messages.jsonl
 * after that; `raw` are its lines before, if they have been read. Call this under the conversation's lock.
 */
export function tidy(folder: string, raw?: readonly Buffer[]): readonly Buffer[] {
  const lines = raw ?? readRawLines(folder, RECORD.messages)
  const archives = new Map(
    prunedFilesIn(folder).map((archive) => [archive, readRawLines(folder, prunedFile({ archive }))]),
  )
  if (archives.size === 0) return lines
  const linesOf = ({ archive }: PrunedEvent) => archives.get(archive) ?? []
  const largestFirst = eventsOf(lines).sort(
    (a, b) => linesOf(b).length - linesOf(a).length || (a.archive < b.archive ? -1 : 1),
  )
  const pruned = new Set<string>()
  let left = withoutRepeatedEvents(lines)
  for (const event of largestFirst) {
    const texts = linesOf(event).map(lineText)
    if (texts.some((text) => pruned.has(text)))
      left = putBack(left, withoutEvent(left, event), linesOf(event), event)
    else for (const text of texts) pruned.add(text)
  }
  left = left.filter((line) => !pruned.has(lineText(line)))
  const isSame = left.length === lines.length && left.every((line, index) => line === lines[index])
  const now = isSame ? lines : write(folder, left)
  const named = new Set(eventsOf(now).map(({ archive }) => archive))
  const present = new Set([...now.map(lineText), ...pruned])
  for (const [archive, moved] of archives)
    if (!named.has(archive) && moved.every((line) => present.has(lineText(line)))) remove(folder, archive)
  return now
}

/** Two machines that pruned the same have the same event, with the times of both. */
function withoutRepeatedEvents(lines: readonly Buffer[]): readonly Buffer[] {
  const seen = new Set<string>()
  return lines.filter((line) => {
    const archive = eventOf(line)?.archive
    if (archive === undefined) return true
    const isFirst = !seen.has(archive)
    seen.add(archive)
    return isFirst
  })
}

function withoutEvent(lines: readonly Buffer[], { archive }: Pick<PrunedEvent, 'archive'>): Buffer[] {
  return lines.filter((line) => eventOf(line)?.archive !== archive)
}

/** Replaces messages.jsonl by these lines, and returns them with the line breaks that were added. */
function write(folder: string, lines: readonly Buffer[]): Buffer[] {
  const written = withLineBreaks(lines)
  writeInside(folder, RECORD.messages, written)
  return written
}

/**
 * Makes a name of a number and a hash. The number tells the order; with the hash, two clones do not give the same name
 * to different files.
 */
function newName(folder: string, lines: readonly Buffer[], content: readonly Buffer[]): string {
  const named = eventsOf(lines).map(({ archive }) => archive)
  const numbers = [...prunedFilesIn(folder), ...named].map(numberOf)
  const hash = crypto().createHash('sha256')
  for (const line of content) hash.update(line)
  const short = hash.digest('hex').slice(0, 8)
  return `${String(Math.max(0, ...numbers) + 1).padStart(3, '0')}-${short}.jsonl`
}

function numberOf(archive: string): number {
  return Number.parseInt(basename(archive), 10) || 0
}

function runsOf(places: ReadonlySet<number>): [number, number][] {
  const runs: [number, number][] = []
  for (const index of [...places].sort((a, b) => a - b)) {
    const last = runs.at(-1)
    if (last !== undefined && last[0] + last[1] === index) last[1] += 1
    else runs.push([index, 1])
  }
  return runs
}

/** Adds the archived lines `back`. `text` still contains the event, `without` does not. */
function putBack(
  text: readonly Buffer[],
  without: readonly Buffer[],
  back: readonly Buffer[],
  event: PrunedEvent | undefined,
): Buffer[] {
  const present = new Set(without.map(lineText))
  const lacking = back.filter((line) => !present.has(lineText(line)))
  if (event !== undefined && lacking.length === back.length) return interleaved(without, back, event.places)
  // A merge or a checkout has changed the file, so the places are no longer valid. Readers order the lines themselves.
  const index = text.findIndex((line) => eventOf(line)?.archive === event?.archive)
  const start = event === undefined || index === -1 ? without.length : index
  return [...without.slice(0, start), ...lacking, ...without.slice(start)]
}

/** Joins `left` and `back`. The lines of `back` get their former places. */
function interleaved(
  left: readonly Buffer[],
  back: readonly Buffer[],
  places: readonly [number, number][],
): Buffer[] {
  const result: Buffer[] = []
  let [nextLeft, nextBack] = [0, 0]
  for (const [start, count] of places) {
    while (result.length < start && nextLeft < left.length) result.push(left[nextLeft++]!)
    for (let n = 0; n < count && nextBack < back.length; n += 1) result.push(back[nextBack++]!)
  }
  return [...result, ...back.slice(nextBack), ...left.slice(nextLeft)]
}

/** The last line of a file may lack its line break; it gets one when another line follows. */
function withLineBreaks(lines: readonly Buffer[]): Buffer[] {
  return lines.map((line, index) =>
    index < lines.length - 1 && line.at(-1) !== BREAK ? Buffer.concat([line, Buffer.from('\n')]) : line,
  )
}

const BREAK = 0x0a

/** The bytes of a line without its line break, as text. */
function lineText(line: Buffer): string {
  return line.toString('latin1').replace(/\r?\n$/, '')
}

/** The first event for each archive file, in the order of the lines. */
function eventsOf(lines: readonly Buffer[]): PrunedEvent[] {
  return prunedEvents(lines.flatMap((line) => archiveMessage(line) ?? []))
}

function eventOf(line: Buffer): PrunedEvent | undefined {
  const message = archiveMessage(line)
  return message && prunedEvent(message)
}

/** The message of a line that may name an archive file. */
function archiveMessage(line: Buffer): Message | undefined {
  return line.includes('"pruned"') ? ownMessageIn(line.toString('utf8')) : undefined
}

function remove(folder: string, archive: string): void {
  removeInside(folder, prunedFile({ archive }))
  syncFolder(pathInside(folder, RECORD.archive))
}
