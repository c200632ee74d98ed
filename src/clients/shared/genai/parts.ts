import type { Attachment } from '../../../session/schema.ts'
import { attach, type Body, contentOf, type Part } from '../transcript/body.ts'
import { type Fields, fieldsOf, isObject, plainText, textOf } from '../transcript/fields.ts'

/** The parts of a message's content (`PartListUnion` of Google's GenAI API). A plain text becomes one text part. */
export function partsOf(content: unknown): Fields[] {
  if (typeof content === 'string') return [{ text: content }]
  const parts = Array.isArray(content) ? content : content === undefined ? [] : [content]
  return parts.map((part) => (isObject(part) ? part : { text: plainText(part) }))
}

/** The texts of parts, joined as the client joins them, without what the model thought. */
export function textIn(parts: readonly Fields[]): string {
  return parts.map((part) => (part.thought === true ? '' : textOf(part.text))).join('')
}

/**
 * Makes a body of parts: a single text is a string, anything else stays a list. Bytes in the parts become attachments.
 */
export function bodyOf(parts: readonly Fields[], blobs: Map<string, Uint8Array>): Body {
  const attachments: Attachment[] = []
  const made = parts.map((part): Part => {
    if (typeof part.text === 'string') return { ...part, type: 'text', text: part.text }
    const inline = fieldsOf(part.inlineData)
    if (typeof inline.data !== 'string') return { ...part, type: Object.keys(part)[0] ?? 'unknown' }
    const bytes = Buffer.from(inline.data, 'base64')
    const { sha256, media_type } = attach(bytes, textOf(inline.mimeType), blobs, attachments)
    return { type: media_type.startsWith('image/') ? 'image' : 'file', sha256, media_type }
  })
  return { content: contentOf(made), attachments }
}

/** The ids of the calls that a message answers; undefined for a message that contains anything else. */
export function answeredCalls(parts: readonly Fields[]): string[] | undefined {
  if (parts.length === 0 || parts.some((part) => part.functionResponse === undefined)) return undefined
  return parts.map((part) => textOf(fieldsOf(part.functionResponse).id))
}

/**
 * Separates the parts that a client of this family adds after a prompt for each mentioned `@file`, from the parts of the
 * prompt itself.
 */
export function withoutMentioned(parts: readonly Fields[]): { own: Fields[]; mentioned: Fields[] } {
  const from = parts.findIndex(
    (part, index) => index > 0 && textOf(part.text).trim() === '--- Content from referenced files ---',
  )
  const to = parts.findIndex(
    (part, index) => from !== -1 && index > from && textOf(part.text).trim() === '--- End of content ---',
  )
  if (to === -1) return { own: [...parts], mentioned: [] }
  return { own: [...parts.slice(0, from), ...parts.slice(to + 1)], mentioned: parts.slice(from, to + 1) }
}
