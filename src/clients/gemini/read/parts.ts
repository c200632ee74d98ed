import { sha256 } from '../../../hash.ts'
import type { Attachment, Message } from '../../../session/schema.ts'
import { type Fields, fieldsOf, isObject, listOf, plainText, textOf } from '../../shared/transcript/fields.ts'

type Content = Message['content']
type Part = Exclude<Content, string>[number]

export interface Body {
  content: Content
  attachments: Attachment[]
}

/** The parts of a message's content (Gemini's `PartListUnion`). A plain text becomes one text part. */
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
  const [first] = parts
  if (parts.length === 0) return { content: '', attachments }
  if (parts.length === 1 && first !== undefined && typeof first.text === 'string')
    return { content: first.text, attachments }
  return { content: parts.map((part) => onePart(part, blobs, attachments)), attachments }
}

function onePart(part: Fields, blobs: Map<string, Uint8Array>, attachments: Attachment[]): Part {
  if (typeof part.text === 'string') return { ...part, type: 'text', text: part.text }
  const inline = fieldsOf(part.inlineData)
  if (typeof inline.data !== 'string') return { ...part, type: Object.keys(part)[0] ?? 'unknown' }
  const bytes = Buffer.from(inline.data, 'base64')
  const hash = sha256(bytes)
  const mediaType = textOf(inline.mimeType) || 'application/octet-stream'
  blobs.set(hash, bytes)
  attachments.push({ media_type: mediaType, sha256: hash, bytes: bytes.length })
  return { type: mediaType.startsWith('image/') ? 'image' : 'file', sha256: hash, media_type: mediaType }
}

/** Returns the whole text of a tool output that the client has cut. `name` is the name of the file with that text. */
export type ReadMoved = (name: string) => Uint8Array | undefined

/** The answer of a tool, as the record of its call contains it. */
export interface Answered {
  result: unknown
  /** The text on the screen: `resultDisplay`. */
  shown?: unknown
}

export interface ToolResult extends Body {
  failed: boolean
}

/**
 * Makes the result of a tool's answer (`toolCalls[].result`): `response.output` or `response.error` of its
 * `functionResponse`, and any other parts after it.
 */
export function resultOf(
  { result, shown }: Answered,
  blobs: Map<string, Uint8Array>,
  readMoved: ReadMoved,
): ToolResult {
  let failed = false
  const parts = partsOf(result).map((part) => {
    if (part.functionResponse === undefined) return part
    const response = fieldsOf(fieldsOf(part.functionResponse).response)
    if (typeof response.error === 'string') failed = true
    const output = [response.output, response.error].find((value) => typeof value === 'string')
    return {
      text: wholeOutput(withoutHookContext(output ?? JSON.stringify(response)), readMoved, textOf(shown)),
    }
  })
  return { ...bodyOf(parts, blobs), failed }
}

/**
 * Returns the whole text of an output that the client has cut. The first line of the cut output names the file with the
 * whole text. If that file is gone, the text on the screen may contain the omitted middle. Otherwise the output stays
 * as the model saw it.
 */
function wholeOutput(text: string, readMoved: ReadMoved, shown: string): string {
  const [line, name] = CUT_OUTPUT.exec(text) ?? []
  if (line === undefined || name === undefined) return text
  const whole = readMoved(name)
  return whole === undefined
    ? (withMiddle(text.slice(line.length), shown) ?? text)
    : Buffer.from(whole).toString('utf8')
}

/**
 * The number of characters before and after the omitted middle that must match the text on the screen. `withMiddle`
 * tries at most `MAX_TRIES` places in that text.
 */
const SEAM_LENGTH = 100
const MAX_TRIES = 1000

function withMiddle(cut: string, shown: string): string | undefined {
  const [gap, omitted] = OMITTED.exec(cut) ?? []
  if (gap === undefined || omitted === undefined) return undefined
  const [head, tail] = [cut.slice(0, cut.indexOf(gap)), cut.slice(cut.indexOf(gap) + gap.length)]
  const length = Number(omitted.replace(/\D/g, ''))
  const [before, after] = [head.slice(-SEAM_LENGTH), tail.slice(0, SEAM_LENGTH)]
  if (before === '' || after === '') return undefined
  for (let [index, tries] = [shown.indexOf(before), 0]; index !== -1 && tries < MAX_TRIES; tries++) {
    const from = index + before.length
    if (shown.startsWith(after, from + length)) return `${head}${shown.slice(from, from + length)}${tail}`
    index = shown.indexOf(before, index + 1)
  }
  return undefined
}

const OMITTED = /\n\n\.\.\. \[([\d.,\s\u00a0\u202f]+) characters omitted\] \.\.\.\n\n/

const CUT_OUTPUT =
  /^Output too large\. Showing first [^\n]* characters\. For full output see: [^\n]*[\\/]tool-outputs[\\/][^\n]*?([A-Za-z0-9_-]+\.txt)\n/

/** The ids of the calls that a message answers; undefined for a message that contains anything else. */
export function answeredCalls(parts: readonly Fields[]): string[] | undefined {
  if (parts.length === 0 || parts.some((part) => part.functionResponse === undefined)) return undefined
  return parts.map((part) => textOf(fieldsOf(part.functionResponse).id))
}

/**
 * Removes the context that hooks add to a prompt. The context is a part of its own. The context of a SessionStart hook
 * in a headless run is directly before the prompt. The client escapes `<` in a context, so its end is certain.
 */
export function withoutHookContext(text: string): string {
  return text
    .replace(/^<hook_context>[^<]*<\/hook_context>(\n\n)?/, '')
    .replace(/(\n\n)?<hook_context>[^<]*<\/hook_context>$/, '')
}

/** The texts of a list of thoughts; each thought has a subject and a description. */
export function thoughtsIn(thoughts: unknown): string {
  return listOf(thoughts)
    .map((thought) => {
      const { subject, description } = fieldsOf(thought)
      return [textOf(subject), textOf(description)].filter((text) => text !== '').join(': ')
    })
    .filter((text) => text !== '')
    .join('\n')
}
