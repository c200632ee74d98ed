import { bufferOf, splitLines } from '../../shared/transcript/lines.ts'
import { type OpenCodeRecord, recordIn } from './record.ts'

/** The part of the transcript before the segment that is read. This class searches its bytes and does not parse it. */
export class Before {
  readonly #text: Buffer
  #ids: Set<string> | undefined

  constructor(bytes: Uint8Array, end: number) {
    this.#text = bufferOf(bytes).subarray(0, end)
  }

  /**
   * Whether this part contains a message. If so, the message comes again in the segment only because it has changed.
   */
  has(messageId: string): boolean {
    this.#ids ??= this.#allIds()
    return this.#ids.has(messageId)
  }

  /** Whether the person took something back after the last message in this part. */
  endsInRemoval(): boolean {
    for (let end = this.#text.length; end > 0; ) {
      const start = end < 2 ? 0 : this.#text.lastIndexOf(10, end - 2) + 1
      const [line] = splitLines(this.#text.subarray(start, end))
      const type = line === undefined ? undefined : recordIn(line)?.type
      if (type === 'message' || type === 'removed') return type === 'removed'
      end = start
    }
    return false
  }

  /** The last record of the session itself. */
  session(nativeId: string): OpenCodeRecord | undefined {
    const start = this.#text.lastIndexOf(`{"type":"session","id":${JSON.stringify(nativeId)}`)
    if (start === -1) return undefined
    const lineBreak = this.#text.indexOf(10, start)
    const [line] = splitLines(this.#text, start, lineBreak === -1 ? this.#text.length : lineBreak)
    return line === undefined ? undefined : recordIn(line)
  }

  #allIds(): Set<string> {
    const ids = new Set<string>()
    for (
      let index = this.#text.indexOf(PREFIX);
      index !== -1;
      index = this.#text.indexOf(PREFIX, index + PREFIX.length)
    ) {
      const start = index + PREFIX.length
      ids.add(this.#text.toString('utf8', start, this.#text.indexOf('"', start)))
    }
    return ids
  }
}

/** Every line of a message begins like this. Inside a text the quotes would be escaped. */
const PREFIX = '{"type":"message","id":"'
