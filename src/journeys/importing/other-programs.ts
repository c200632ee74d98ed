import type { Fields } from '../../clients/shared/transcript/fields.ts'
import { fieldsOf, jsonIn, listOf } from '../../clients/shared/transcript/fields.ts'

/** The forms in which programs that cortext does not read write conversations, as seen in public files of them. */
const LISTS: [program: string, isOf: (one: Fields) => boolean][] = [
  ['an export of claude.ai', (one) => Array.isArray(one.chat_messages)],
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
  const whole = jsonIn(text.replace(/^\ufeff/, ''))
  const first = fieldsOf(
    Array.isArray(whole) ? whole[0] : (listOf(fieldsOf(whole).conversations)[0] ?? whole),
  )
  return LISTS.find(([, isOf]) => isOf(first))?.[0]
}

const HEAD_LENGTH = 2000

function isObjectWith(value: unknown): boolean {
  return Object.keys(fieldsOf(value)).length > 0
}
