import { basename } from 'node:path'
import type { Attachment } from '../../../session/schema.ts'
import { plainOutput } from '../../../session/shell/output.ts'
import { attach, type Body, contentOf, type Part } from '../../shared/transcript/body.ts'
import { type Fields, isObject, listOf, plainText, textOf } from '../../shared/transcript/fields.ts'

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

/** Makes a body of a tool's output: a text, or a list of texts and images. */
export function outputBody(output: unknown, blobs: Map<string, Uint8Array>): Body {
  const attachments: Attachment[] = []
  if (!Array.isArray(output)) {
    const inner = isObject(output) ? (output.content ?? output) : (output ?? '')
    return { content: plainText(inner), attachments }
  }
  const body = output.map((part): Part => {
    if (!isObject(part)) return { type: 'text', text: plainText(part) }
    const url = textOf(part.image_url)
    if (url !== '') return imagePart(url, '', blobs, attachments)
    return typeof part.text === 'string'
      ? { type: 'text', text: part.text }
      : { ...part, type: textOf(part.type) || 'unknown' }
  })
  return { content: contentOf(body), attachments }
}

function imagePart(
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

/** Codex's own note of a call, which may contain more than the model got. */
export interface Outcome {
  failed: boolean
  refused: boolean
  /** The output of a command. It may be longer than what the model got, but Codex may have cut it too. */
  output: string
}

export function outcomeOf(item: Fields): Outcome {
  const status = textOf(item.status)
  const code = item.exit_code
  return {
    failed: status === 'failed' || status === 'declined' || (typeof code === 'number' && code !== 0),
    refused: status === 'declined',
    output: textOf(item.aggregated_output),
  }
}

/** Restores a command's output that Codex has cut for the model, as far as Codex has kept it. */
export function wholeOutput(text: string, outcome: Outcome | undefined): string {
  const cut = CUT.exec(text)
  if (cut === null || outcome === undefined || outcome.output.length <= text.length) return text
  return `${text.slice(0, cut.index)}${outcome.output}`
}

const CUT =
  /(?<=(?:^|\n)Output:\n)Warning: truncated output \(original token count: \d+\)\nTotal output lines: \d+\n\n/

/** How versions of the year 2025 begin the output of a command that failed. */
const FAILED_IN_SANDBOX = /^failed in sandbox\b[^\n]{0,200}\bexit code: (-?\d+)\b/

/** Whether a command's output says that the command failed. For some calls there is no other sign. */
export function saysFailed(text: string): boolean {
  const code =
    FAILED_IN_SANDBOX.exec(text) ??
    /^(?:Chunk ID: \w+\n)?(?:Wall time: [^\n]*\n)?(?:Process exited with code|Exit code:) (-?\d+)\n/.exec(
      plainOutput(text),
    )
  return code !== null && code[1] !== '0'
}
