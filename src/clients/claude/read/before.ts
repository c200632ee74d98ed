import { bufferOf, splitLines } from './lines.ts'
import { type Fields, fieldsOf, textOf } from './shape.ts'

/**
 * What lies in the transcript before the stretch that is read. Found by its bytes: to parse it all would cost
 * more than reading the stretch.
 */
export class Before {
  readonly #buffer: Buffer
  #uuids: Set<string> | undefined

  constructor(bytes: Uint8Array, end: number) {
    this.#buffer = bufferOf(bytes).subarray(0, end)
  }

  hasRecord(uuid: string): boolean {
    this.#uuids ??= this.#allUuids()
    return this.#uuids.has(uuid)
  }

  /** Uuid of the first record of an answer, by the id of its API message. */
  startOfAnswer(apiId: string): string | undefined {
    const lines = this.linesWith(JSON.stringify(apiId))
    return textOf(lines.find((record) => fieldsOf(record.message).id === apiId)?.uuid) || undefined
  }

  /** The records of the lines in which `mark` stands, in order. */
  linesWith(mark: string): Fields[] {
    const buffer = this.#buffer
    const records: Fields[] = []
    for (let at = buffer.indexOf(mark); at !== -1; ) {
      const lineBreak = buffer.indexOf(10, at)
      const end = lineBreak === -1 ? buffer.length : lineBreak
      const [line] = splitLines(buffer.subarray(buffer.lastIndexOf(10, at) + 1, end))
      if (line?.content.kind === 'record') records.push(line.content.record)
      at = buffer.indexOf(mark, end)
    }
    return records
  }

  #allUuids(): Set<string> {
    const uuids = new Set<string>()
    const key = '"uuid"'
    for (let at = this.#buffer.indexOf(key); at !== -1; at = this.#buffer.indexOf(key, at + key.length)) {
      const start = this.#buffer.indexOf('"', at + key.length) + 1
      uuids.add(this.#buffer.toString('latin1', start, this.#buffer.indexOf('"', start)))
    }
    return uuids
  }
}
