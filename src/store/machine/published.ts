import { dirname, join } from 'node:path'
import { crypto } from '../../hash.ts'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import { appendRegular, readRegular } from '../../io/regular-file.ts'
import type { KnownFacts } from '../../session/reconcile.ts'
import type { Message } from '../../session/schema.ts'
import { jsonPieces } from '../../text/json-pieces.ts'
import { checkRelativePath, ensureLocalFolder, fileNameOf, localFiles } from '../layout.ts'
import type { Binding, Segment } from './binding.ts'
import { writeLog } from './log.ts'
import { type Note, readNote, removeNote, writeNote } from './note.ts'

/**
 * Facts about a record after the last publishing, so that the next publishing need not read it again. They are valid
 * only while no file of the record changes (`record`). The mark can be made again: a caller that doubts it reads
 * everything.
 */
export interface PublishedMark {
  /**
   * Identifies the program and the settings that made the lines: another program or other settings may make other
   * lines.
   */
  by: string
  /** The stamp of the record's files. */
  record: string
  messages: number
  tokens: number
  /** The latest time in the record. */
  newest: string
  /** Present when all lines of the record are of one native session, in its order. */
  alone?: true
  /** The last question of the person, for a summary. */
  asked: string
  /** The number of ids in the list of ids. */
  ids: number
  segments: PublishedSegment[]
}

/** How much of a segment is in the record, and the offset from which a reader continues. */
export interface PublishedSegment {
  client: string
  native_id: string
  journal: string
  from: number
  started_at: string
  /** The offset in the journal up to which everything is in the record. */
  end: number
  /** Whether the segment was imported, or its session had ended, when the mark was written. */
  ended: boolean
  /**
   * An earlier message of the person or the agent: its offset, and its line in the transcript. Absent after a short
   * talk.
   */
  again?: { at: number; line: number }
  /**
   * Id and hash of the messages from `again` up to the turn that may still grow; the hash of the first few is empty. A
   * reader that begins at `again` must find the others unchanged.
   */
  seen: [id: string, hash: string][]
  /** The messages of the turn that may still grow. */
  open: Message[]
  /** A stamp for each side file, by its path. */
  sides: Record<string, string>
  facts: KnownFacts
}

export function readPublished(local: string, path: string): PublishedMark | undefined {
  return readNote(filesOf(local, path).mark)
}

/**
 * Writes the mark together with the ids of all messages in the record. If `after` is given, it is the number of ids
 * that the list contains already, and `ids` are only the new ones. The write is not durable, and a failure is only
 * logged: without the mark the next publishing reads everything, and an earlier mark is not used, because it has the
 * stamp of an earlier record.
 */
export function writePublished(
  local: string,
  path: string,
  mark: Omit<PublishedMark, 'ids'>,
  ids: Iterable<string>,
  after?: number,
): void {
  const files = filesOf(local, checkRelativePath(path))
  const keys = Buffer.concat(Array.from(ids, keyOf))
  const options = { mode: 0o600, refuseSymlink: true, durable: false }
  try {
    ensureLocalFolder(local, dirname(files.ids))
    if (after === undefined) writeFileAtomic(files.ids, keys, options)
    else if (keys.length > 0) appendRegular(files.ids, keys)
  } catch (error) {
    writeLog(local, `noting what is published: ${error instanceof Error ? error.message : error}`)
    return
  }
  writeNote(local, files.mark, { ...mark, ids: (after ?? 0) + keys.length / KEY_BYTES })
}

export function forgetPublished(local: string, path: string): void {
  const { mark, ids } = filesOf(local, path)
  for (const file of [mark, { path: ids }]) removeNote(file)
}

/** The ids of a mark's record; undefined when their list is not the one that the mark was written with. */
export function publishedIds(
  local: string,
  path: string,
  mark: PublishedMark,
): { has(id: string): boolean } | undefined {
  const { ids } = filesOf(local, path)
  const keys = readIds(ids)
  return keys?.length === mark.ids * KEY_BYTES ? idsIn(keys) : undefined
}

/** Undefined when the list is not there or cannot be read; then the record is read again. */
function readIds(ids: string): Buffer | undefined {
  try {
    return readRegular(ids)
  } catch {
    return undefined
  }
}

/** Whether a mark's entry is about this segment of this session. */
export function isSegment(
  entry: PublishedSegment,
  { client, native_id }: Pick<Binding, 'client' | 'native_id'>,
  { journal, from, started_at }: Segment,
): boolean {
  return (
    entry.client === client &&
    entry.native_id === native_id &&
    entry.journal === journal &&
    entry.from === from &&
    entry.started_at === started_at
  )
}

/** A hash of a message, for comparing two readings of it. */
export function hashOf(message: Message): string {
  const hash = crypto().createHash('sha256')
  for (const piece of jsonPieces(message)) hash.update(piece)
  return hash.digest().toString('base64url', 0, 12)
}

/** The length of an id in the list, in bytes. */
const KEY_BYTES = 16

function keyOf(id: string): Buffer {
  return /^[0-9a-f]{32}$/.test(id) ? Buffer.from(id, 'hex') : sha256(id).subarray(0, KEY_BYTES)
}

/** The ids in a list. The index is made when the first id is looked for: a record may have a million of them. */
function idsIn(keys: Buffer): { has(id: string): boolean } {
  const count = keys.length / KEY_BYTES
  let places: Int32Array | undefined
  return {
    has(id) {
      places ??= indexOf(keys, count)
      return places[placeOf(places, keys, keyOf(id))] !== 0
    },
  }
}

/** A hash table with open addressing: for each key, its number from 1; 0 where there is none. */
function indexOf(keys: Buffer, count: number): Int32Array {
  const places = new Int32Array(2 ** Math.ceil(Math.log2(2 * count + 2)))
  for (let number = 0; number < count; number += 1) {
    const key = keys.subarray(number * KEY_BYTES, (number + 1) * KEY_BYTES)
    places[placeOf(places, keys, key)] = number + 1
  }
  return places
}

/** The place of a key, or the free place where it would be. Keys are hashes, so their first bytes tell them apart. */
function placeOf(places: Int32Array, keys: Buffer, key: Buffer): number {
  const last = places.length - 1
  for (let place = key.readUInt32LE() & last; ; place = (place + 1) & last) {
    const start = (places[place]! - 1) * KEY_BYTES
    if (start < 0 || keys.compare(key, 0, KEY_BYTES, start, start + KEY_BYTES) === 0) return place
  }
}

function sha256(text: string): Buffer {
  return crypto().createHash('sha256').update(text).digest()
}

function filesOf(local: string, path: string): { mark: Note<PublishedMark>; ids: string } {
  const name = join(localFiles(local).published, fileNameOf(path))
  const parse = (value: unknown) => value as PublishedMark
  return { mark: { path: `${name}.json`, parse, cache: true }, ids: `${name}.ids` }
}
