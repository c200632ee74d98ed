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
 * What publishing notes about a record, so that the next publishing begins there, and reads neither the record nor the
 * transcripts up to that point. It is valid as long as the record's files have the stamp `record`. It can be made again
 * from the record and the journals.
 */
export interface PublishedMark {
  /** Identifies the version of the program and the settings. Others may make other lines from the same journal. */
  by: string
  /** The stamp of the record's files after publishing. It changes when one of these files changes. */
  record: string
  /** How many messages people and agents said, without those that may still grow. */
  messages: number
  /** The tokens of all messages, without those that may still grow. */
  tokens: number
  /** The latest time in the record. */
  newest: string
  /** Present when all lines of the record are of one native session, in its order. */
  isOneSession?: true
  /** What the person asked last, for a summary. */
  asked: string
  /** The number of ids in the list that belongs to the mark. */
  ids: number
  segments: PublishedSegment[]
}

/** How much of a segment is in the record, and from which offset a reader continues. */
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
   * The offset and the line in the transcript of an earlier message, from which a reader continues. Absent if the
   * segment is short.
   */
  again?: { at: number; line: number }
  /**
   * The ids and hashes of the messages from `again` up to the turn that may still grow. A reader that begins at `again`
   * must find the same messages. The first few have an empty hash, which is not compared.
   */
  seen: [id: string, hash: string][]
  /** The messages of the turn that may still grow. */
  open: Message[]
  /** The stamp of each side file, by path. */
  sides: Record<string, string>
  facts: KnownFacts
}

/** A mark, with the ids of all messages that were then in the record. */
export interface ReadMark extends PublishedMark {
  recordedIds: RecordedIds
}

interface RecordedIds {
  has(id: string): boolean
  /** Adds the ids of a part of the list. */
  add(keys: Buffer): void
}

/** Returns the mark of a conversation; undefined when there is none, or its list of ids was not written with it. */
export function readPublished(local: string, path: string): ReadMark | undefined {
  const files = filesOf(local, path)
  const mark = readNote(files.mark)
  const keys = mark && readKeys(files.ids)
  if (mark === undefined || keys?.length !== mark.ids * KEY_BYTES) return undefined
  return { ...mark, recordedIds: new IdList(keys) }
}

/**
 * Writes and returns a mark. `ids` are those of all messages in the record, or of those that were added since the mark
 * `before`. The files are not synced, and a failure is only logged: without a valid mark the next publishing reads
 * everything, and an earlier mark is not valid, because it has another stamp.
 */
export function writePublished(
  local: string,
  path: string,
  mark: Omit<PublishedMark, 'ids'>,
  ids: Iterable<string>,
  before?: ReadMark,
): ReadMark | undefined {
  const files = filesOf(local, checkRelativePath(path))
  const keys = Buffer.concat(Array.from(ids, keyOf))
  const options = { mode: 0o600, refuseSymlink: true, durable: false }
  try {
    ensureLocalFolder(local, dirname(files.ids))
    if (before === undefined) writeFileAtomic(files.ids, keys, options)
    else if (keys.length > 0) appendRegular(files.ids, keys)
  } catch (error) {
    writeLog(local, `noting what is published: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
  const recordedIds = before?.recordedIds ?? new IdList()
  recordedIds.add(keys)
  const written = { ...mark, ids: (before?.ids ?? 0) + keys.length / KEY_BYTES }
  writeNote(local, files.mark, written)
  return { ...written, recordedIds }
}

export function forgetPublished(local: string, path: string): void {
  const { mark, ids } = filesOf(local, path)
  for (const file of [mark, { path: ids }]) removeNote(file)
}

/** Undefined when the list is missing or cannot be read. */
function readKeys(path: string): Buffer | undefined {
  try {
    return readRegular(path)
  } catch {
    return undefined
  }
}

/** Whether an entry of a mark is about this segment of this native session. */
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

/** A hash of a message, to compare the results of two readings. */
export function hashOf(message: Message): string {
  const hash = crypto().createHash('sha256')
  for (const piece of jsonPieces(message)) hash.update(piece)
  return hash.digest().toString('base64url', 0, 12)
}

/** The length of an id in the list, in bytes. */
const KEY_BYTES = 16

/**
 * The ids in a list, in a hash table with open addressing. A record may have a million of them: with 645,000, a save
 * takes 100 MB less memory than with a Set. The table is made when the first id is looked for.
 */
class IdList implements RecordedIds {
  #keys: Buffer
  /** For each key, its number from 1; 0 where there is none. */
  #places = new Int32Array(0)
  #placed = 0

  constructor(keys: Buffer = Buffer.alloc(0)) {
    this.#keys = keys
  }

  add(keys: Buffer): void {
    this.#keys = Buffer.concat([this.#keys, keys])
  }

  has(id: string): boolean {
    const count = this.#keys.length / KEY_BYTES
    if (this.#places.length < 2 * count + 2) {
      this.#places = new Int32Array(2 ** Math.ceil(Math.log2(2 * count + 2)))
      this.#placed = 0
    }
    for (; this.#placed < count; this.#placed += 1) {
      const key = this.#keys.subarray(this.#placed * KEY_BYTES, (this.#placed + 1) * KEY_BYTES)
      this.#places[this.#placeOf(key)] = this.#placed + 1
    }
    return this.#places[this.#placeOf(keyOf(id))] !== 0
  }

  /** The place of a key, or the free place where it would be. */
  #placeOf(key: Buffer): number {
    const last = this.#places.length - 1
    for (let place = hashOfKey(key) & last; ; place = (place + 1) & last) {
      const start = (this.#places[place]! - 1) * KEY_BYTES
      if (start < 0 || this.#keys.compare(key, 0, KEY_BYTES, start, start + KEY_BYTES) === 0) return place
    }
  }
}

/** The factors are random, so nobody can choose ids that all have the same place. */
const FACTORS = new Uint32Array(KEY_BYTES / 4).map(() => 2 ** 32 * Math.random())

function hashOfKey(key: Buffer): number {
  const hash = FACTORS.reduce((sum, factor, at) => sum ^ Math.imul(key.readUInt32LE(4 * at), factor | 1), 0)
  return hash ^ (hash >>> 15)
}

function keyOf(id: string): Buffer {
  return /^[0-9a-f]{32}$/.test(id) ? Buffer.from(id, 'hex') : sha256(id).subarray(0, KEY_BYTES)
}

function sha256(text: string): Buffer {
  return crypto().createHash('sha256').update(text).digest()
}

function filesOf(local: string, path: string): { mark: Note<PublishedMark>; ids: string } {
  const name = join(localFiles(local).published, fileNameOf(path))
  const parse = (value: unknown) => value as PublishedMark
  return { mark: { path: `${name}.json`, parse, cache: true }, ids: `${name}.ids` }
}
