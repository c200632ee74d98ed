import { sha256 } from '../../../hash.ts'
import type { Attachment, Message } from '../../../session/schema.ts'
import {
  blocksOf,
  type Fields,
  fieldsOf,
  isObject,
  plainText,
  textOf,
} from '../../shared/transcript/fields.ts'
import { fromOwnCopy, withoutReminders } from './outputs.ts'

type Content = Message['content']
type Part = Exclude<Content, string>[number]

/** Side files of the transcript. Bytes found in it go to `blobs`; `side` gives moved outputs. */
export interface Beside {
  blobs: Map<string, Uint8Array>
  side(path: string): Uint8Array | undefined
}

export interface Body {
  content: Content
  attachments: Attachment[]
}

/** Makes a body of what a person said: a single text is a string, anything else keeps its parts. */
export function saidBody(blocks: Fields[], beside: Beside): Body {
  const attachments: Attachment[] = []
  if (blocks.length === 1 && blocks[0]?.type === 'text')
    return { content: textOf(blocks[0].text), attachments }
  return { content: blocks.map((block) => part(block, beside, attachments)), attachments }
}

/** The result of a tool, and what else the transcript tells of it. */
export interface Result {
  content: unknown
  /** The client's own copy of what the tool answered: `toolUseResult`. */
  copy: unknown
  /** The name of the tool, where its call was read. */
  tool: string | undefined
}

/**
 * Makes a body of a tool result, without the reminders that the client puts into it. An output that Claude Code moved to
 * a side file is put back, from there or from the client's own copy.
 */
export function resultBody(result: Result, beside: Beside): Body & { reminders: string[] } {
  const attachments: Attachment[] = []
  const reminders: string[] = []
  const answer = (text: string) => {
    const told = withoutReminders(text, result.tool, result.copy)
    for (const reminder of told.reminders) reminders.push(reminder)
    return whole(told.text, result.copy, beside)
  }
  const { content } = result
  if (!Array.isArray(content)) return { content: answer(textOf(content)), attachments, reminders }
  const parts = content.map((block) => {
    if (!isObject(block)) return { type: 'text', text: plainText(block) }
    if (block.type === 'text') return { ...block, type: 'text', text: answer(textOf(block.text)) }
    return part(block, beside, attachments)
  })
  return { content: parts, attachments, reminders }
}

/** The texts that the model was told. */
export function textIn(content: unknown): string {
  return blocksOf(content)
    .map((block) => textOf(block.text))
    .join('\n')
}

/** Makes attachments of images and documents, named by their content. Every other block stays as it is. */
function part(block: Fields, beside: Beside, attachments: Attachment[]): Part {
  const source = fieldsOf(block.source)
  const type = textOf(block.type)
  if (source.type !== 'base64' || typeof source.data !== 'string')
    return { ...block, type: type || 'unknown' }
  const bytes = Buffer.from(source.data, 'base64')
  const hash = sha256(bytes)
  const mediaType = textOf(source.media_type) || 'application/octet-stream'
  beside.blobs.set(hash, bytes)
  attachments.push({ media_type: mediaType, sha256: hash, bytes: bytes.length })
  return { type: type || 'file', sha256: hash, media_type: mediaType }
}

const MOVED = /^<persisted-output>\s*\n[^\n]*Full output saved to: ([^\n]+)\n/

/**
 * Returns a moved output whole: the transcript holds only a preview and names the file. Without the file it gives what
 * the client's own copy has; without both the preview stays.
 */
function whole(text: string, copy: unknown, beside: Beside): string {
  if (!text.startsWith('<persisted-output>')) return text
  const name = MOVED.exec(text)?.[1]?.trim().split(/[\\/]/).at(-1)
  const bytes = name === undefined ? undefined : beside.side(`tool-results/${name}`)
  return bytes === undefined ? fromOwnCopy(text, copy) : Buffer.from(bytes).toString('utf8')
}
