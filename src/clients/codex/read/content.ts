import { basename } from 'node:path'
import type { Attachment } from '../../../session/schema.ts'
import { attach, type Body, contentOf, type Part } from '../../shared/transcript/body.ts'
import { isObject, listOf, textOf } from '../../shared/transcript/fields.ts'

/**
 * Finds the URLs of the images in a message as it was sent to the model, in order. A `data:` URL contains the bytes.
 */
export function imagesIn(content: unknown): string[] {
  return listOf(content).flatMap((part) => {
    const url = isObject(part) ? textOf(part.image_url) : ''
    return url === '' ? [] : [url]
  })
}

/**
 * Makes a body of what a person typed (a `UserMessage` item). An image in the item may have only a path, so the bytes
 * come from `images`, the images of the message to the model. Skills and mentions are left out, because the text names
 * them, too.
 */
export function typedBody(parts: unknown, images: readonly string[], blobs: Map<string, Uint8Array>): Body {
  const attachments: Attachment[] = []
  const left = [...images]
  const body = listOf(parts).flatMap((part): Part[] => {
    if (!isObject(part) || part.type === 'skill' || part.type === 'mention') return []
    if (part.type === 'text') return [{ type: 'text', text: textOf(part.text) }]
    if (part.type === 'image' || part.type === 'local_image')
      return [
        imagePart(left.shift() ?? textOf(part.url ?? part.image_url), textOf(part.path), blobs, attachments),
      ]
    return [{ ...part, type: textOf(part.type) || 'unknown' }]
  })
  return { content: contentOf(body), attachments }
}

/** Makes a part of an image: its bytes go into `blobs`, if the URL has them. */
export function imagePart(
  url: string,
  path: string,
  blobs: Map<string, Uint8Array>,
  attachments: Attachment[],
): Part {
  const [, mediaType = '', data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? []
  const name = path === '' ? '' : basename(path)
  if (data === undefined)
    return { type: 'image', ...(name === '' ? {} : { name }), ...(url === '' ? {} : { url }) }
  const { sha256, media_type } = attach(Buffer.from(data, 'base64'), mediaType, blobs, attachments, name)
  return { type: 'image', sha256, media_type }
}
