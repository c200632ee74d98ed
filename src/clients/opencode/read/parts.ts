import type { Attachment } from '../../../session/schema.ts'
import { attach, type Body, contentOf, type Part } from '../../shared/transcript/body.ts'
import { type Fields, fieldsOf, isObject, listOf, textOf } from '../../shared/transcript/fields.ts'
import { answersText, NO_WORDS, type PersonsWords } from '../../shared/transcript/persons-words.ts'

/** Bookkeeping of the client: steps and their costs, snapshots of the folder, retries. */
const BOOKKEEPING = new Set(['step-start', 'step-finish', 'snapshot', 'patch', 'retry'])

/** Types of parts that the reader knows. Parts of other types are kept raw, as `unknown` events. */
const KNOWN_TYPES = new Set([
  ...BOOKKEEPING,
  ...['text', 'reasoning', 'tool', 'file', 'agent', 'subtask', 'compaction'],
])

export function unknownParts(parts: readonly Fields[]): Fields[] {
  return parts.filter((part) => !KNOWN_TYPES.has(textOf(part.type)))
}

/**
 * Makes a body of what a person typed. Leaves out texts that the client added (`synthetic`), such as a mentioned file
 * or the body of a command, and texts that it only showed (`ignored`). The typed command stays: our plugin shows it in
 * place of its body. An `@agent` stays in the text.
 */
export function promptBody(parts: readonly Fields[], blobs: Map<string, Uint8Array>): Body {
  const attachments: Attachment[] = []
  const body = parts.flatMap((part): Part[] => {
    if (part.type === 'text') return isTyped(part) ? [{ type: 'text', text: typedText(part) }] : []
    if (part.type === 'file') return [filePart(part, blobs, attachments)]
    if (part.type === 'subtask') return [commandOf(part), { ...withoutIds(part), type: 'subtask' }]
    return []
  })
  return { content: contentOf(body), attachments }
}

/** What a person typed to start a subagent. The part contains only the name of the command, such as `review`. */
function commandOf({ command, description }: Fields): Part {
  const name = textOf(command)
  return { type: 'text', text: name === '' ? textOf(description) : `/${name}` }
}

export function isTyped(part: Fields): boolean {
  if (part.synthetic === true) return false
  return part.ignored !== true || typedCommand(part) !== undefined
}

/**
 * The text as it was typed. For a slash command that the plugin has noted, this is the command, and not the body that
 * OpenCode made from it.
 */
function typedText(part: Fields): string {
  return typedCommand(part) ?? textOf(part.text)
}

function typedCommand(part: Fields): string | undefined {
  const noted = fieldsOf(fieldsOf(part.metadata).cortext)
  const command = textOf(noted.command)
  const args = textOf(noted.arguments)
  if (command === '') return undefined
  return args.trim() === '' ? `/${command}` : `/${command} ${args}`
}

/** Whether a part belongs to the seed of a handoff (opencode/seed.ts). */
export function isSeed(part: Fields): boolean {
  return fieldsOf(fieldsOf(part.metadata).cortext).seed === true
}

/**
 * Makes a body of a tool's answer, in text and files, without the `instructions` that the client added at its end.
 * Undefined when the tool has not answered yet.
 */
export function resultBody(
  part: Fields,
  blobs: Map<string, Uint8Array>,
): (Body & { failed: boolean; instructions: string }) | undefined {
  const state = fieldsOf(part.state)
  const attachments: Attachment[] = []
  if (state.status === 'error')
    return { content: textOf(state.error), attachments, failed: true, instructions: '' }
  if (state.status !== 'completed') return undefined
  const files = listOf(state.attachments).filter(isObject)
  const { exit, loaded } = fieldsOf(state.metadata)
  const failed = typeof exit === 'number' && exit !== 0
  const { output, instructions } = withoutInstructions(textOf(state.output), listOf(loaded).length > 0)
  if (files.length === 0) return { content: output, attachments, failed, instructions }
  const content = [{ type: 'text', text: output }, ...files.map((file) => filePart(file, blobs, attachments))]
  return { content, attachments, failed, instructions }
}

/**
 * Takes out the instruction files (AGENTS.md) that the client adds after the content of a file. `metadata.loaded` names
 * them. The lines of the content are numbered, so the first closing tag without a number ends the content.
 */
function withoutInstructions(output: string, loaded: boolean): { output: string; instructions: string } {
  const end = loaded ? INSTRUCTIONS.exec(output) : null
  if (end === null) return { output, instructions: '' }
  const length = end.index + end[1]!.length
  return { output: output.slice(0, length), instructions: output.slice(length) }
}

const INSTRUCTIONS = /^(<\/(?:content|file)>)\n\n<system-reminder>\n[\s\S]*<\/system-reminder>$/m

/**
 * Makes a part for a file that came with a message, and an attachment from its bytes. If the file was only mentioned,
 * the part has the URL, because the file can be read again.
 */
function filePart(part: Fields, blobs: Map<string, Uint8Array>, attachments: Attachment[]): Part {
  const url = textOf(part.url)
  const media_type = textOf(part.mime) || 'application/octet-stream'
  const name = textOf(part.filename)
  const named = { type: 'file', media_type, ...(name === '' ? {} : { name }) }
  const data = /^data:[^,]*?(;base64)?,/.exec(url)
  if (data === null) return { ...named, url }
  const encoded = url.slice(data[0].length)
  const bytes = data[1] === undefined ? plainBytes(encoded) : Buffer.from(encoded, 'base64')
  return { ...named, sha256: attach(bytes, media_type, blobs, attachments, name).sha256 }
}

function plainBytes(encoded: string): Uint8Array {
  try {
    return Buffer.from(decodeURIComponent(encoded))
  } catch {
    // A percent sign in the text is not an escape, so the text is taken as it is.
    return Buffer.from(encoded)
  }
}

function withoutIds({ id: _, sessionID: __, messageID: ___, ...rest }: Fields): Fields {
  return rest
}

/**
 * The person's words in the answer to a call: their answers to questions (`metadata.answers`, a list for each
 * question), or what they said with a refusal. Seen in 1.18.33.
 */
export function personsWords(part: Fields): PersonsWords {
  const state = fieldsOf(part.state)
  const [refusal, words = ''] = REFUSED.exec(textOf(state.error)) ?? []
  if (refusal !== undefined) return { words, refused: true }
  const { answers } = fieldsOf(state.metadata)
  if (!Array.isArray(answers)) return NO_WORDS
  const asked = listOf(fieldsOf(state.input).questions).map((asking, index) => ({
    question: textOf(fieldsOf(asking).question),
    answer: listOf(answers[index]).map(textOf).join(', '),
  }))
  return { words: answersText(asked), refused: false }
}

const REFUSED =
  /^(?:Error: )?The user rejected permission to use this specific tool call(?:\.$| with the following feedback: ([\s\S]*)$)/
