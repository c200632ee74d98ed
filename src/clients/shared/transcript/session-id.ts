import { type Fields, textOf } from './fields.ts'
import { eachLine } from './lines.ts'

/** The first id that `idIn` finds in the records of a transcript. Undefined when it finds none. */
export function firstId(bytes: Uint8Array, idIn: (record: Fields) => unknown): string | undefined {
  for (const { content } of eachLine(bytes)) {
    const id = content.kind === 'record' ? textOf(idIn(content.record)) : ''
    if (id !== '') return id
  }
  return undefined
}
