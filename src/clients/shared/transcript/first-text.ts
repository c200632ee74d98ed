import { type Fields, textOf } from './fields.ts'
import { eachLine } from './lines.ts'

/** The first text that `textIn` finds in the records of a transcript, such as an id. Undefined when it finds none. */
export function firstText(bytes: Uint8Array, textIn: (record: Fields) => unknown): string | undefined {
  for (const { content } of eachLine(bytes)) {
    const text = content.kind === 'record' ? textOf(textIn(content.record)) : ''
    if (text !== '') return text
  }
  return undefined
}
