import type { Attachment } from '../../../session/schema.ts'
import { attach, type Body, type Part } from '../../shared/transcript/body.ts'
import {
  blocksOf,
  type Fields,
  fieldsOf,
  isObject,
  listOf,
  plainText,
  textOf,
} from '../../shared/transcript/fields.ts'

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

/**
 * Restores a tool's output. The transcript contains only a preview of it (`<persisted-output>`), and the file with the
 * whole output is gone. `toolUseResult` of the same record contains the output or its beginning, up to 30,000
 * characters. Returns that text if it is as long as the client says. Otherwise the text replaces the shorter preview in
 * the tag.
 */
function fromOwnCopy(preview: string, toolUseResult: unknown): string {
  const [, head, size, label, shown, end] = PREVIEW.exec(preview) ?? []
  if (shown === undefined) return preview
  const candidates = textsIn(toolUseResult).filter((text) => text.trim().startsWith(shown.trim()))
  const longest = candidates.reduce((best, text) => (text.length > best.length ? text : best), '')
  if (longest.length <= shown.length) return preview
  if (isAsLong(longest, size!)) return longest
  return `${head}${label!.replace('2KB', `${longest.length} characters`)}${longest}${end}`
}

const PREVIEW =
  /^(<persisted-output>\s*\nOutput too large \(([\d.]+ ?[KMG]?B)\)[^\n]*\n\n)(Preview \(first 2KB\):\n)([\s\S]*?)((?:\n\.\.\.)?\n<\/persisted-output>\s*)$/

/** Whether a text has at least the size that the client named (`64KB`, `99.5KB`), in bytes or in characters. */
function isAsLong(text: string, size: string): boolean {
  const [, number, unit] = /^([\d.]+) ?([KMG]?B)$/.exec(size) ?? []
  const step = { B: 1, KB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30 }[unit ?? ''] ?? 1
  // The client rounds to one digit after the point.
  const minimum = (Number(number) - 0.05) * step
  return Math.max(text.length, Buffer.byteLength(text)) >= minimum
}

/** The texts in the client's own copy of a result. Among them is a command's output joined with its errors. */
function textsIn(toolUseResult: unknown): string[] {
  if (typeof toolUseResult === 'string') return [toolUseResult]
  const fields = fieldsOf(toolUseResult)
  const streams = [textOf(fields.stdout), textOf(fields.stderr)].filter((text) => text !== '')
  const parts = listOf(Array.isArray(toolUseResult) ? toolUseResult : fields.content)
  return [
    streams.join('\n'),
    parts.map((part) => textOf(fieldsOf(part).text)).join('\n'),
    textOf(fieldsOf(fields.file).content),
    ...Object.values(fields).map(textOf),
  ].filter((text) => text !== '')
}

/**
 * A text without the client's reminders, and these reminders. Each reminder has the line breaks that the client put
 * around it.
 */
interface Separated {
  text: string
  reminders: string[]
}

const OPEN = '<system-reminder>'
const CLOSE = '</system-reminder>'

/**
 * Takes out the reminders that the client adds at the end or the beginning of a tool's result. The tool's own answer
 * may contain such a tag too, and stays. So this function takes out a reminder in two cases only. Either the tool
 * numbers all lines of its output (Read), or the client's own copy of the answer (`answered`) lacks the reminder. A
 * result that contains only reminders stays as it is.
 */
function withoutReminders(text: string, tool: string | undefined, answered: unknown): Separated {
  const separated: Separated = { text, reminders: [] }
  if (!text.includes(OPEN)) return separated
  const copy = answered === undefined ? undefined : allTexts(answered)
  const isClients = (found: string) => tool === 'Read' || (copy !== undefined && !copy.includes(found.trim()))
  for (const find of [reminderAtEnd, reminderAtBegin]) {
    for (let range = find(separated.text); range !== undefined; range = find(separated.text)) {
      const found = separated.text.slice(range.from, range.to)
      if (!isClients(found)) break
      separated.reminders.push(found)
      separated.text = separated.text.slice(0, range.from) + separated.text.slice(range.to)
    }
  }
  return separated.text.trim() === '' ? { text, reminders: [] } : separated
}

interface Range {
  from: number
  to: number
}

function reminderAtEnd(text: string): Range | undefined {
  const end = text.trimEnd().length
  const from = text.lastIndexOf(OPEN)
  const startsLine = from > 0 && text[from - 1] === '\n'
  if (!startsLine || text.indexOf(CLOSE, from) !== end - CLOSE.length) return undefined
  return { from: text[from - 2] === '\n' ? from - 2 : from - 1, to: text.length }
}

function reminderAtBegin(text: string): Range | undefined {
  const close = text.startsWith(OPEN) ? text.indexOf(CLOSE) : -1
  if (close === -1) return undefined
  const end = close + CLOSE.length
  const breaks = /^\n{0,2}/.exec(text.slice(end, end + 2))![0].length
  return { from: 0, to: end + breaks }
}

function allTexts(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(allTexts).join('\n')
  return isObject(value) ? Object.values(value).map(allTexts).join('\n') : ''
}
