import { sha256 } from '../../../hash.ts'
import type { Attachment, Message } from '../../../session/schema.ts'
import { blocksOf, type Fields, textOf } from './fields.ts'

type Content = Message['content']
export type Part = Exclude<Content, string>[number]

export interface Body {
  content: Content
  attachments: Attachment[]
}

/** The image that a block of a message shows; undefined for a block of another kind. */
export type ImageIn = (block: Fields) => { base64: string; mediaType: string } | undefined

/** Makes a body of the blocks of a message: texts and images. A single text becomes a string. */
export function bodyOf(
  content: unknown,
  blobs: Map<string, Uint8Array>,
  imageIn: ImageIn = () => undefined,
): Body {
  const attachments: Attachment[] = []
  const parts = blocksOf(content ?? '').map((block): Part => {
    if (block.type === 'text') return { type: 'text', text: textOf(block.text) }
    const image = imageIn(block)
    if (image === undefined) return { ...block, type: textOf(block.type) || 'unknown' }
    const bytes = Buffer.from(image.base64, 'base64')
    return { type: 'image', ...attach(bytes, image.mediaType, blobs, attachments) }
  })
  return { content: contentOf(parts), attachments }
}

/** The content of a message with these parts: a single text becomes a string. */
export function contentOf(parts: Part[]): Content {
  const [first] = parts
  if (first === undefined) return ''
  return parts.length === 1 && first.type === 'text' ? textOf(first.text) : parts
}

/** Notes the bytes of an attachment. Returns the fields by which a part of a message names it. */
export function attach(
  bytes: Uint8Array,
  mediaType: string,
  blobs: Map<string, Uint8Array>,
  attachments: Attachment[],
  name = '',
): { media_type: string; sha256: string } {
  const named = { media_type: mediaType || 'application/octet-stream', sha256: sha256(bytes) }
  blobs.set(named.sha256, bytes)
  attachments.push({ ...named, bytes: bytes.length, ...(name === '' ? {} : { name }) })
  return named
}

/** Joins blocks into one text, line by line, if all of them are texts. */
export function oneText(blocks: readonly Fields[]): string | readonly Fields[] {
  const isText = blocks.every(({ type }) => type === 'text')
  return isText ? blocks.flatMap(({ text }) => textOf(text) || []).join('\n') : blocks
}

/** Puts a body into a message. */
export function addBody(message: Message, { content, attachments }: Body): Message {
  message.content = content
  if (attachments.length > 0) message.attachments = attachments
  return message
}

/** The image in a `data:` URL. */
export function imageInUrl(url: unknown): ReturnType<ImageIn> {
  const [, mediaType = '', base64] = /^data:([^;,]*);base64,(.*)$/s.exec(textOf(url)) ?? []
  return base64 === undefined ? undefined : { base64, mediaType }
}
