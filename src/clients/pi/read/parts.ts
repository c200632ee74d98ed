import { sha256 } from '../../../hash.ts'
import type { Attachment, Message } from '../../../session/schema.ts'
import { blocksOf, type Fields, textOf } from '../../shared/transcript/fields.ts'

type Content = Message['content']
type Part = Exclude<Content, string>[number]

export interface Body {
  content: Content
  attachments: Attachment[]
}

/** Makes a body of the content of an entry: a text, or texts and images. A single text becomes a string. */
export function bodyOf(content: unknown, blobs: Map<string, Uint8Array>): Body {
  const attachments: Attachment[] = []
  const parts = blocksOf(content ?? '').map((block): Part => {
    if (block.type === 'text') return { type: 'text', text: textOf(block.text) }
    if (block.type === 'image' && typeof block.data === 'string')
      return imagePart(block.data, textOf(block.mimeType), blobs, attachments)
    return { ...block, type: textOf(block.type) || 'unknown' }
  })
  const [first] = parts
  if (first === undefined) return { content: '', attachments }
  const isText = parts.length === 1 && first.type === 'text'
  return { content: isText ? textOf(first.text) : parts, attachments }
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

function imagePart(
  data: string,
  mediaType: string,
  blobs: Map<string, Uint8Array>,
  attachments: Attachment[],
): Part {
  const bytes = Buffer.from(data, 'base64')
  const hash = sha256(bytes)
  blobs.set(hash, bytes)
  const media_type = mediaType || 'application/octet-stream'
  attachments.push({ media_type, sha256: hash, bytes: bytes.length })
  return { type: 'image', media_type, sha256: hash }
}
