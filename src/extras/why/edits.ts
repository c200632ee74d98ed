import type { ToolCall } from '../../session/schema.ts'
import { type CalledBy, patchOf, pathOf, type ToolVocabulary, useOf } from '../../session/tool-use.ts'

/** The effect of a tool call on a file. `path` is the path in the call. */
export type FileEdit = { path: string } & (
  | { kind: 'whole'; text: string }
  | { kind: 'parts'; parts: Part[] }
  | { kind: 'removed' }
  /** The call read the file. This is the whole text. */
  | { kind: 'seen'; text: string }
  /** The call changes the file, but does not contain the new text. */
  | { kind: 'unknown' }
)

/** A text in a file, and its replacement. */
export interface Part {
  before: string
  after: string
  /** Replaces all occurrences. Otherwise only the first. */
  all: boolean
  /** Both texts are whole lines. */
  lines?: true
  /** Also removes a line break after `before`. */
  takesBreak?: true
}

/**
 * The edits that a tool call makes, known from the names of the tool and of its arguments. Shell commands are not
 * parsed.
 */
export function editsOf(tools: ToolVocabulary, call: ToolCall, client: CalledBy): FileEdit[] {
  const patch = patchOf(tools, call, client)
  if (patch !== undefined) return editsInPatch(patch)
  const use = useOf(tools, call.name, client)
  const path = pathOf(tools, call, client)
  if (path === undefined) return []
  if (use.removes !== undefined) return [{ path, kind: 'removed' }]
  if ((use.writes ?? use.edits) === undefined) return []
  const given = Object(call.arguments) as Record<string, unknown>
  const parts = (Array.isArray(given.edits) ? given.edits : [given])
    .map(partOf)
    .map((part) => (part !== undefined && use.trims === true ? trimPart(part, path) : part))
  if (parts.length > 0 && parts.every((part) => part !== undefined)) return [{ path, kind: 'parts', parts }]
  const text = textIn(given, WHOLE)
  return [
    text === undefined || use.writes === undefined
      ? { path, kind: 'unknown' }
      : { path, kind: 'whole', text },
  ]
}

/**
 * Returns the whole text of a file from the answer of a tool that read it and numbered its lines. With this text,
 * `replay` sees changes that no tool call made. Undefined if the tool read only a part, or if the answer has another
 * form.
 */
export function seenIn(
  tools: ToolVocabulary,
  call: ToolCall,
  client: CalledBy,
  answer: string,
): FileEdit | undefined {
  const path = useOf(tools, call.name, client).reads === undefined ? undefined : pathOf(tools, call, client)
  const given = Object(call.arguments) as Record<string, unknown>
  if (path === undefined || (given.offset ?? given.limit) !== undefined) return undefined
  const numbered = answer.split('\n').flatMap((line) => {
    const [, number, text] = NUMBERED.exec(line) ?? []
    return number === undefined ? [] : [{ number: Number(number), text: text! }]
  })
  const isAll = numbered.length > 0 && numbered.length < MAX_READ
  if (!isAll || numbered.some(({ number }, index) => number !== index + 1)) return undefined
  const text = numbered.map((line) => line.text).join('\n')
  // Claude Code also numbers the empty line after the last line break.
  return { path, kind: 'seen', text: text.endsWith('\n') ? text : `${text}\n` }
}

/** `     1→text` or `1<tab>text` in Claude Code, `00001| text` or `1: text` in OpenCode. */
const NUMBERED = /^ *(\d+)(?:→|\t|\| |: )(.*)$/
/** Clients return at most so many lines in an answer, by default. A longer file is cut there. */
const MAX_READ = 2000

const WHOLE = ['content', 'file_text', 'contents', 'text']
const BEFORE = ['old_string', 'oldString', 'old_str', 'oldText']
const AFTER = ['new_string', 'newString', 'new_str', 'newText']
const ALL = ['replace_all', 'replaceAll', 'allow_multiple']

function partOf(value: unknown): Part | undefined {
  const given = Object(value) as Record<string, unknown>
  const [before, after] = [textIn(given, BEFORE), textIn(given, AFTER)]
  if (before === undefined || after === undefined) return undefined
  const all = ALL.some((name) => given[name] === true) || Number(given.expected_replacements) > 1
  return { before: withPlainBreaks(before), after: withPlainBreaks(after), all }
}

/** Claude Code 2 removes white space at the ends of the lines that it inserts, but not in Markdown. */
function trimPart(part: Part, path: string): Part {
  const after = /\.mdx?$/i.test(path) ? part.after : part.after.replace(/[^\S\n]+$/gm, '')
  return { ...part, after, ...(after === '' && !part.before.endsWith('\n') ? { takesBreak: true } : {}) }
}

function textIn(given: Record<string, unknown>, names: readonly string[]): string | undefined {
  return names.map((name) => given[name]).find((value): value is string => typeof value === 'string')
}

function withPlainBreaks(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

/**
 * Parses a patch of this form: `*** Update File: src/a.ts`, and then hunks. A hunk begins with `@@`, and each of its
 * lines with a space, `-` or `+`.
 */
function editsInPatch(patch: string): FileEdit[] {
  const edits: FileEdit[] = []
  for (const section of withPlainBreaks(patch).split(/^(?=\*\*\* (?:Add|Update|Delete) File: )/m)) {
    const [, action, named] = /^\*\*\* (Add|Update|Delete) File: (.+)/.exec(section) ?? []
    if (named === undefined) continue
    const path = named.trim()
    const lines = section.split('\n').slice(1)
    if (action === 'Delete') edits.push({ path, kind: 'removed' })
    else if (action === 'Add')
      edits.push({
        path,
        kind: 'whole',
        text: lines.flatMap((line) => (line.startsWith('+') ? [line.slice(1)] : [])).join('\n'),
      })
    else {
      const parts = hunksIn(lines)
      const moved = /^\*\*\* Move to: (.+)/m.exec(section)?.[1]?.trim()
      edits.push({ path, kind: 'parts', parts })
      if (moved !== undefined) edits.push({ path: moved, kind: 'parts', parts })
    }
  }
  return edits
}

function hunksIn(lines: readonly string[]): Part[] {
  const hunks: { before: string[]; after: string[] }[] = [{ before: [], after: [] }]
  for (const line of lines) {
    const hunk = hunks.at(-1)!
    if (line.startsWith('@@')) hunks.push({ before: [], after: [] })
    else if (line.startsWith('+')) hunk.after.push(line.slice(1))
    else if (line.startsWith('-')) hunk.before.push(line.slice(1))
    else if (line.startsWith(' ')) {
      hunk.before.push(line.slice(1))
      hunk.after.push(line.slice(1))
    }
  }
  return hunks
    .filter(({ before, after }) => before.length + after.length > 0)
    .map(({ before, after }) => ({
      before: before.join('\n'),
      after: after.join('\n'),
      all: false,
      lines: true,
    }))
}
