import { contentOf } from '../../../session/live-path.ts'
import type { Attachment, Message } from '../../../session/schema.ts'
import { byteSize } from '../../../text/count-of.ts'
import { shortLine } from '../../../text/line.ts'
import { MAX } from './bounds.ts'
import { type Html, html } from './html.ts'

/** Returns the bytes of an attachment of the record; undefined if it is not here or has more than `maxBytes`. */
export type ReadAttachment = (sha256: string, maxBytes: number) => Uint8Array | undefined

export interface Images {
  of: (message: Message) => Html | undefined
}

/**
 * The images of a page, as `data:` URIs. Shows only raster images, which it recognises by their first bytes; an SVG is
 * a document of its own. Only names an image that is too large, or that would make the page too large.
 */
export function newImages(read: ReadAttachment): Images {
  let left = MAX.images
  const one = (file: Attachment): Html => {
    const name = shortLine(file.name ?? file.media_type, 100)
    const fits = file.media_type.startsWith('image/') && left > 0
    const bytes = fits ? read(file.sha256, Math.min(MAX.image, left)) : undefined
    const type = bytes === undefined ? undefined : typeOf(bytes)
    if (bytes === undefined || type === undefined)
      return html`<p class="file"><span class="name">Attached</span> <span dir="auto">${name}</span>, ${byteSize(file.bytes)}</p>`
    left -= bytes.length
    const source = `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
    return html`<figure><img src="${source}" alt="Attached image: ${name}" loading="lazy" decoding="async"></figure>`
  }
  return {
    of: ({ attachments = [] }) => (attachments.length === 0 ? undefined : html`${attachments.map(one)}`),
  }
}

/** The text of a message without the names of its attachments, because the page shows the attachments themselves. */
export function textWithoutAttachments(message: Message): string {
  return contentOf((message.attachments ?? []).length > 0 ? withoutImages(message) : message)
}

function withoutImages({ attachments: _, ...message }: Message): Message {
  const { content } = message
  return typeof content === 'string'
    ? message
    : { ...message, content: content.filter(({ type }) => type !== 'image') }
}

function typeOf(bytes: Uint8Array): string | undefined {
  const begin = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  return RASTER.find(([, magic]) => magic.test(begin))?.[0]
}

const RASTER: readonly (readonly [string, RegExp])[] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
  ['image/avif', /^[\s\S]{4}ftypavi[fs]/],
]
