import { partsOf, withoutMentioned } from '../../shared/genai/parts.ts'
import { type Fields, isObject, textOf } from '../../shared/transcript/fields.ts'
import { withoutHookContext } from './results.ts'

/** The kind of a record, by the client's own checks in the client's order (0.61.0). */
export function recordKind(record: Fields): 'rewind' | 'message' | 'change' | 'header' | 'unknown' {
  if (typeof record.$rewindTo === 'string') return 'rewind'
  if (typeof record.id === 'string') return 'message'
  if (isObject(record.$set)) return 'change'
  if (typeof record.sessionId === 'string' && typeof record.projectHash === 'string') return 'header'
  return 'unknown'
}

/** The keys for bookkeeping in a `$set`. `summary` is the client's own title for the session. */
const STATE_KEYS = new Set([
  'lastUpdated',
  'startTime',
  'sessionId',
  'projectHash',
  'kind',
  'directories',
  'memoryScratchpad',
  'summary',
])

export function unknownKeys(change: Fields): string[] {
  return Object.keys(change).filter((key) => !STATE_KEYS.has(key))
}

/** Messages of our own handoff seed have ids with this prefix. The client keeps ids wherever it copies messages. */
export const SEED = 'cortext-seed-'

export function isSeed(record: Fields): boolean {
  return typeof record.id === 'string' && record.id.startsWith(SEED)
}

/** The kinds of records of type `user`. Gemini CLI writes many records of its own under that type. */
export type UserRecord =
  /** `editor` is what an editor has put before or after the words: the open file, the selection. */
  | { kind: 'prompt'; parts: Fields[]; editor?: string }
  /** `!cmd`: the client ran it, and gave its output to the model with the next prompt. */
  | { kind: 'shell'; command: string; output: string }
  /** The context that the client puts before a conversation, and before each resumed one. */
  | { kind: 'session-context' }
  /** The summary that the model continues from after `/compress`. */
  | { kind: 'snapshot'; text: string }
  /** The record contains only what hooks added. */
  | { kind: 'hook-context' }

const SHELL =
  /^I ran the following shell command:\n```sh\n([\s\S]*?)\n```\n\nThis produced the following result:\n```\n([\s\S]*)\n```\s*$/

/** What the client says to the model after an answer without words (core/client.ts). */
const RETRY = 'System: Please continue.'

/** Classifies a user record that contains more than tool results. The typed text has precedence over its expansion. */
export function classifyUserRecord(record: Fields): UserRecord {
  const expanded = partsOf(record.content)
  const first = textOf(expanded[0]?.text)
  if (first.startsWith('<session_context>') || first === RETRY) return { kind: 'session-context' }
  if (first.startsWith('<state_snapshot>')) return { kind: 'snapshot', text: first }
  const shell = expanded.length === 1 ? SHELL.exec(first) : null
  if (shell !== null) return { kind: 'shell', command: shell[1] ?? '', output: shell[2] ?? '' }
  const typed = record.displayContent === undefined ? expanded : partsOf(record.displayContent)
  const parts = withoutMentioned(typed)
    .own.filter((part) => part.functionResponse === undefined)
    .map((part) => (typeof part.text === 'string' ? { ...part, text: withoutHookContext(part.text) } : part))
  const own = parts.filter((part) => part.text !== '')
  if (own.length > 0) return withoutEditor(own)
  // Without a text, the prompt is a picture or a file. With one, nothing but what hooks have added is left.
  return first === '' ? { kind: 'prompt', parts: expanded } : { kind: 'hook-context' }
}

/** Takes what the agent mode of an editor (12/2025) has added to a prompt from its only text. */
function withoutEditor(parts: Fields[]): UserRecord {
  const [part, ...others] = parts
  const blocks: string[] = []
  let rest = textOf(part?.text)
  for (let head = HEAD.exec(rest)?.[0]; head !== undefined; head = HEAD.exec(rest)?.[0]) {
    blocks.push(head.trim())
    rest = rest.slice(head.length)
  }
  const at = rest.search(LABEL)
  const tail = at === -1 ? '' : rest.slice(at).trim()
  // The texts in such blocks may have fences of their own, so the end of the whole tells.
  if (HISTORY.test(tail) || /\n(?:```|- [^\n]*)$/.test(tail)) {
    blocks.push(tail)
    rest = rest.slice(0, at)
  }
  if (others.length > 0 || blocks.length === 0 || rest.trim() === '') return { kind: 'prompt', parts }
  return { kind: 'prompt', parts: [{ ...part, text: rest.trim() }], editor: blocks.join('\n') }
}

/** The labels of the editor (seen: these three). `Current Behavior:` is a person's. */
const LABELS = '(?:Current (?:File Path|Selection)|User Selected Files)'
const HEAD = new RegExp(`^${LABELS}:\\s*\\n\`\`\`[^\\n]*\\n(?:(?!\`\`\`)[^\\n]*\\n)*\`\`\`\\s*`)
const LABEL = new RegExp(`\\n${LABELS}:[^\\S\\n]*\\n(?:\`\`\`|- )`)
/** The editor repeats what was said before in another window. */
const HISTORY = /\n\s*PRIOR CHAT HISTORY: /

/**
 * Whether this is the acknowledgement that the client writes in the model's name after the summary of a compression.
 */
export function isAcknowledgement(record: Fields, before: Fields | undefined): boolean {
  if (record.type !== 'gemini' || before?.type !== 'user') return false
  return classifyUserRecord(before).kind === 'snapshot'
}
