import type { Attachment } from '../../../session/schema.ts'
import { attach, type Body, type Part } from '../../shared/transcript/body.ts'
import {
  blocksOf,
  type Fields,
  fieldsOf,
  isObject,
  plainText,
  textOf,
} from '../../shared/transcript/fields.ts'
import { fromOwnCopy, withoutReminders } from './outputs.ts'

/**
 * `side` reads a side file of the transcript, such as a moved output. `blobs` collects the bytes of attachments by
 * their sha256.
 */
export interface SideFiles {
  blobs: Map<string, Uint8Array>
  side(path: string): Uint8Array | undefined
}

/** Makes a body of what a person typed: a single text becomes a string, anything else stays a list. */
export function promptBody(blocks: Fields[], files: SideFiles): Body {
  const attachments: Attachment[] = []
  if (blocks.length === 1 && blocks[0]?.type === 'text')
    return { content: textOf(blocks[0].text), attachments }
  return { content: blocks.map((block) => part(block, files, attachments)), attachments }
}

/** The result of a tool, and what else the transcript contains about it. */
export interface Result {
  content: unknown
  /** The client's own copy of what the tool answered: `toolUseResult`. */
  copy: unknown
  /** The name of the tool. Undefined if the tool's call was not read. */
  tool: string | undefined
}

/**
 * Makes a body of a tool result, without the reminders that the client adds to it. An output that Claude Code moved to
 * a side file is restored, from that file or from the client's own copy.
 */
export function resultBody(result: Result, files: SideFiles): Body & { reminders: string[] } {
  const attachments: Attachment[] = []
  const reminders: string[] = []
  const answer = (text: string) => {
    const separated = withoutReminders(text, result.tool, result.copy)
    for (const reminder of separated.reminders) reminders.push(reminder)
    return wholeOutput(separated.text, result.copy, files)
  }
  const { content } = result
  if (!Array.isArray(content)) return { content: answer(textOf(content)), attachments, reminders }
  const parts = content.map((block) => {
    if (!isObject(block)) return { type: 'text', text: plainText(block) }
    if (block.type === 'text') return { ...block, type: 'text', text: answer(textOf(block.text)) }
    return part(block, files, attachments)
  })
  return { content: parts, attachments, reminders }
}

/** The texts of a message's content, joined. */
export function textIn(content: unknown): string {
  return blocksOf(content)
    .map((block) => textOf(block.text))
    .join('\n')
}

/**
 * Makes an attachment of an image or a document, named by the hash of its bytes, and a text of a document that is text.
 * Any other block stays as it is.
 */
function part(block: Fields, files: SideFiles, attachments: Attachment[]): Part {
  const source = fieldsOf(block.source)
  const type = textOf(block.type)
  const name = textOf(block.title) || textOf(block.filename)
  if (type === 'document' && source.type === 'text')
    return { type: 'text', text: [name, textOf(source.data)].filter((text) => text !== '').join('\n') }
  if (source.type !== 'base64' || typeof source.data !== 'string')
    return { ...block, type: type || 'unknown' }
  const bytes = Buffer.from(source.data, 'base64')
  const { sha256, media_type } = attach(bytes, textOf(source.media_type), files.blobs, attachments, name)
  return { type: type || 'file', sha256, media_type, ...(name === '' ? {} : { name }) }
}

const MOVED = /^<persisted-output>\s*\n[^\n]*Full output saved to: ([^\n]+)\n/

/**
 * Returns the whole text of an output that was moved to a file: the transcript contains only a preview and the file's
 * name. If the file is gone, the text comes from the client's own copy. If there is no copy either, the preview stays.
 */
function wholeOutput(text: string, copy: unknown, files: SideFiles): string {
  if (!text.startsWith('<persisted-output>')) return text
  const name = MOVED.exec(text)?.[1]?.trim().split(/[\\/]/).at(-1)
  const bytes = name === undefined ? undefined : files.side(`tool-results/${name}`)
  return bytes === undefined ? fromOwnCopy(text, copy) : Buffer.from(bytes).toString('utf8')
}
