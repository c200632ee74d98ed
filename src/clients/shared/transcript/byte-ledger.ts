import { isUtf8 } from 'node:buffer'
import type { ReadReport } from '../../contract/reading.ts'
import type { Line } from './lines.ts'

/** The bucket of a line. `dropped` names the rule, `unknown` the kind. */
export type Bucket = 'kept' | 'derived' | 'unreadable' | { dropped: string } | { unknown: string }

interface Sum {
  records: number
  bytes: number
}

/** Counts the bytes of a segment by bucket. Each line is entered once, into one bucket. */
export class ByteLedger {
  readonly #from: number
  #bytes = 0
  readonly #sums = { kept: { records: 0, bytes: 0 }, derived: { records: 0, bytes: 0 } }
  // These are Maps because the kinds are words from the transcript, and `__proto__` may be one of them.
  readonly #dropped = new Map<string, Sum>()
  readonly #unknown = new Map<string, Sum>()
  readonly #apart: { bucket: Exclude<Bucket, 'unreadable'>; bytes: number }[] = []
  readonly #unreadable: { line: number; bytes: number }[] = []

  /** Lines that begin before the offset `from` are not counted. */
  constructor(from = 0) {
    this.#from = from
  }

  /**
   * Notes that a rule leaves a text out of the line that is entered next. The text's bytes, as written in JSON, count
   * as dropped.
   */
  leaveOut(rule: string, text: string): void {
    this.setApart({ dropped: rule }, JSON.stringify(text).slice(1, -1))
  }

  /** Notes that a part of the line that is entered next belongs into another bucket. `json` is that part as written. */
  setApart(bucket: Exclude<Bucket, 'unreadable'>, json: string): void {
    this.#apart.push({ bucket, bytes: Buffer.byteLength(json) })
  }

  /** Counts a record in one more bucket. Its bytes are in the bucket of its line. */
  count(bucket: Exclude<Bucket, 'unreadable'>): void {
    this.#sumOf(bucket).records++
  }

  enter(line: Line, bucket: Bucket): void {
    const apart = this.#apart.splice(0)
    if (line.start < this.#from) return
    let bytes = line.bytes.length
    this.#bytes += bytes
    const damaged = bucket === 'unreadable' ? 0 : damagedIn(line.bytes)
    if (damaged > 0) this.#unreadable.push({ line: line.number, bytes: damaged })
    bytes -= damaged
    for (const part of apart) {
      const size = Math.min(bytes, part.bytes)
      bytes -= size
      const sum = this.#sumOf(part.bucket)
      sum.records++
      sum.bytes += size
    }
    if (bucket === 'unreadable') {
      this.#unreadable.push({ line: line.number, bytes })
      return
    }
    const sum = this.#sumOf(bucket)
    sum.records++
    sum.bytes += bytes
  }

  report(): ReadReport {
    return {
      bytes: this.#bytes,
      ...this.#sums,
      dropped: Object.fromEntries(this.#dropped),
      unknown: Object.fromEntries(this.#unknown),
      unreadable: this.#unreadable,
    }
  }

  #sumOf(bucket: Exclude<Bucket, 'unreadable'>): Sum {
    if (typeof bucket === 'string') return this.#sums[bucket]
    return 'dropped' in bucket ? sumIn(this.#dropped, bucket.dropped) : sumIn(this.#unknown, bucket.unknown)
  }
}

function sumIn(sums: Map<string, Sum>, name: string): Sum {
  const sum = sums.get(name) ?? { records: 0, bytes: 0 }
  sums.set(name, sum)
  return sum
}

/** How many bytes, or beginnings of a character, are not UTF-8: each has become a replacement character. */
function damagedIn(bytes: Uint8Array): number {
  if (isUtf8(bytes)) return 0
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const written = buffer.toString('latin1').split(REPLACEMENT).length
  return Math.min(bytes.length, buffer.toString('utf8').split('\ufffd').length - written)
}

/** The replacement character in UTF-8, byte by byte. */
const REPLACEMENT = '\xef\xbf\xbd'
