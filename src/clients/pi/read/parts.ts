import { blocksOf, type Fields, textOf } from '../../shared/transcript/fields.ts'

/** The image of a block, for `bodyOf`. */
export function imageIn({ type, data, mimeType }: Fields) {
  return type === 'image' && typeof data === 'string'
    ? { base64: data, mediaType: textOf(mimeType) }
    : undefined
}

/** The texts of one kind in an answer: `text`, or `thinking`. */
export function textsIn(content: unknown, kind: 'text' | 'thinking'): string[] {
  return blocksOf(content ?? [])
    .filter((block) => block.type === kind)
    .map((block) => textOf(block[kind]))
    .filter((text) => text !== '')
}

export function callsIn(content: unknown): { id: string; name: string; arguments: unknown }[] {
  return blocksOf(content ?? [])
    .filter((block) => block.type === 'toolCall')
    .map(({ id, name, arguments: given }: Fields) => ({
      id: textOf(id),
      name: textOf(name),
      arguments: given ?? {},
    }))
}
