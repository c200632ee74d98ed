import { wholeCharacters } from './whole-characters.ts'

export interface PartSize {
  /** UTF-8 bytes, at least 4. */
  bytes: number
  lines: number
}

/**
 * Splits a text into parts no longer than `size`. It cuts after a line. It cuts within a line only if the line is
 * longer than a part. The parts joined are the text; an empty text is one empty part. Pure.
 */
export function inParts(text: string, size: PartSize): string[] {
  const parts: string[] = []
  let part = ''
  let bytes = 0
  let lines = 0
  for (const piece of text.split(/(?<=\n)/).flatMap((line) => piecesOf(line, size.bytes))) {
    const more = Buffer.byteLength(piece)
    if (part !== '' && (bytes + more > size.bytes || lines + 1 > size.lines)) {
      parts.push(part)
      part = ''
      bytes = 0
      lines = 0
    }
    part += piece
    bytes += more
    lines += 1
  }
  return part === '' && parts.length > 0 ? parts : [...parts, part]
}

/** Splits a line into pieces of at most `bytes` bytes. A UTF-16 unit takes at most three bytes. */
function piecesOf(line: string, bytes: number): string[] {
  if (Buffer.byteLength(line) <= bytes) return [line]
  const pieces: string[] = []
  for (let index = 0; index < line.length; ) {
    const slice = line.slice(index, index + Math.floor(bytes / 3))
    // A piece that would end between the halves of a surrogate pair ends before the pair. If the piece is then empty,
    // it takes the whole pair. A half at its beginning is kept by the `x` before it.
    const piece = slice.slice(0, wholeCharacters(`x${slice}`).length - 1) || line.slice(index, index + 2)
    pieces.push(piece)
    index += piece.length
  }
  return pieces
}
