import { blocksOf, type Fields, fieldsOf, textOf } from '../../shared/transcript/fields.ts'
import { bufferOf, splitLines } from '../../shared/transcript/lines.ts'

/**
 * The part of a transcript before the segment that is being read. This class searches raw bytes, because parsing the
 * whole part would take longer than reading the segment.
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

  /** Whether the record is in this part, and no record of type `user` or `assistant` comes after it. */
  isLast(uuid: string): boolean {
    const index = this.#buffer.lastIndexOf(`"uuid":${JSON.stringify(uuid)}`)
    const end = index === -1 ? -1 : this.#buffer.indexOf(10, index)
    return (
      end !== -1 &&
      splitLines(this.#buffer.subarray(end + 1)).every(
        ({ content }) => content.kind !== 'record' || !/^(user|assistant)$/.test(textOf(content.record.type)),
      )
    )
  }

  /**
   * Follows the links up from the record `uuid`, through tool results, the client's bookkeeping and the records of the
   * API message `apiId`. Returns the uuid of the topmost record of that message; undefined when the links lead to no
   * record of it.
   */
  startOfAnswer(apiId: string, uuid: string): string | undefined {
    let start: string | undefined
    const seen = new Set<string>()
    let above = this.#record(uuid)
    // Damaged links may form a circle.
    while (above !== undefined && !seen.has(textOf(above.uuid))) {
      seen.add(textOf(above.uuid))
      if (above.type === 'assistant') {
        if (fieldsOf(above.message).id !== apiId) break
        start = textOf(above.uuid)
      } else if (above.type === 'user' && !isToolResult(above)) break
      above = this.#record(textOf(above.parentUuid))
    }
    return start
  }

  /** The records of the lines that contain `mark`, in order. */
  linesWith(mark: string): Fields[] {
    const buffer = this.#buffer
    const records: Fields[] = []
    for (let index = buffer.indexOf(mark); index !== -1; ) {
      const lineBreak = buffer.indexOf(10, index)
      const end = lineBreak === -1 ? buffer.length : lineBreak
      const [line] = splitLines(buffer.subarray(buffer.lastIndexOf(10, index) + 1, end))
      if (line?.content.kind === 'record') records.push(line.content.record)
      index = buffer.indexOf(mark, end)
    }
    return records
  }

  #record(uuid: string): Fields | undefined {
    return uuid === '' ? undefined : this.linesWith(JSON.stringify(uuid)).find((line) => line.uuid === uuid)
  }

  #allUuids(): Set<string> {
    const uuids = new Set<string>()
    const key = '"uuid"'
    for (
      let index = this.#buffer.indexOf(key);
      index !== -1;
      index = this.#buffer.indexOf(key, index + key.length)
    ) {
      const start = this.#buffer.indexOf('"', index + key.length) + 1
      uuids.add(this.#buffer.toString('latin1', start, this.#buffer.indexOf('"', start)))
    }
    return uuids
  }
}

function isToolResult(record: Fields): boolean {
  return blocksOf(fieldsOf(record.message).content).some((block) => block.type === 'tool_result')
}
