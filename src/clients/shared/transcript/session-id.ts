import { type Fields, textOf } from './fields.ts'
import { splitLines } from './lines.ts'

/** What `idIn` finds first in the records of a transcript; undefined when it finds nothing. */
export function firstId(bytes: Uint8Array, idIn: (record: Fields) => unknown): string | undefined {
  for (const { content } of splitLines(bytes)) {
    const id = content.kind === 'record' ? textOf(idIn(content.record)) : ''
    if (id !== '') return id
  }
  return undefined
}
