import { parseForeign } from '../../text/nesting.ts'

type Fields = Record<string, unknown>

/** The forms in which programs that cortext does not read write conversations, as seen in public files of them. */
const LISTS: [program: string, isOf: (one: Fields) => boolean][] = [
  ['an export of Claude.ai', (one) => Array.isArray(one.chat_messages)],
  ['an export of ChatGPT', (one) => isObjectWith(one.mapping) && 'current_node' in one],
  ['a task of Cline or Roo Code', (one) => 'ts' in one && ('say' in one || 'ask' in one)],
  ['a list of messages as Cline, Roo Code and APIs write it', (one) => 'role' in one && 'content' in one],
  ['a chat of VS Code', (one) => Array.isArray(one.requests) && 'requesterUsername' in one],
]

const TEXTS: [program: string, head: RegExp][] = [
  ['a chat history of Aider', /^\s*# aider chat started at /],
  ['a chat exported from Cursor', /^_?Exported on .* from Cursor/m],
]

/** Names the program that has written a conversation in a file. Undefined for a file that none of these programs wrote. */
export function otherProgram(text: string): string | undefined {
  const named = TEXTS.find(([, head]) => head.test(text.slice(0, HEAD_LENGTH)))
  if (named !== undefined) return named[0]
  if (!/^\ufeff?\s*[[{]/.test(text)) return undefined
  const whole = valueIn(text.replace(/^\ufeff/, ''))
  const first = fieldsOf(firstIn(whole) ?? firstIn(fieldsOf(whole).conversations) ?? whole)
  return LISTS.find(([, isOf]) => isOf(first))?.[0]
}

const HEAD_LENGTH = 2000

function isObjectWith(value: unknown): boolean {
  return Object.keys(fieldsOf(value)).length > 0
}

/** The records of a transcript that a program has put into a list, as lines. Undefined for any other text. */
export function linesOfList(text: string): string | undefined {
  const list = valueIn(text.replace(/^\ufeff/, ''))
  if (!Array.isArray(list) || list.length === 0 || !list.every(isObject)) return undefined
  return list.map((record) => `${JSON.stringify(record)}\n`).join('')
}

function valueIn(text: string): unknown {
  try {
    return parseForeign(text)
  } catch {
    // The text is not JSON.
    return undefined
  }
}

function firstIn(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : undefined
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {}
}
