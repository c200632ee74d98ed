import { asPrinted, oneLine, shortLine } from '../text/line.ts'
import { relativeTime } from '../text/relative-time.ts'
import { wellFormed } from '../text/whole-characters.ts'
import type { SessionFile } from './schema.ts'

/** The contents of the resume block besides those of session.json. */
export interface ResumeBlockFacts {
  /** Without it, the block has the time of the last activity instead of how long ago that was. */
  now?: Date | undefined
  /** The text of the `History:` line after its colon. */
  history: string
  /** The workspace-relative path of the markdown document; absent when there is none. */
  document?: string | undefined
  /** The text of the `Since then:` line after its colon; absent when nothing changed or nothing is known. */
  since?: string | undefined
  /**
   * Other things that the agent must know, one line each: tools that are missing, where the rest of the history is.
   */
  notes?: string[]
}

/** In characters. A stranger's record may have megabytes in each of these fields. */
const MAX_TYPE = 100
const MAX_TITLE = 300
const MAX_SUMMARY = 10_000

/** The resume block, exactly as in S0-D5c…k, with further lines of ours: history, document, changes and notes. */
export function resumeBlock(session: SessionFile, facts: ResumeBlockFacts): string {
  const inner = [
    'You are continuing a previous conversation.',
    '',
    `Conversation: ${shortLine(session.conversation_type, MAX_TYPE)} / ${shortLine(session.title, MAX_TITLE)}`,
    `Last active: ${facts.now === undefined ? oneLine(session.last_active) : relativeTime(new Date(session.last_active), facts.now)}`,
    `Messages: ${session.message_count} exchanges`,
    `Summary: ${shortLine(session.context_summary, MAX_SUMMARY) || '(none was written)'}`,
    `History: ${oneLine(facts.history)}`,
    ...(facts.document === undefined ? [] : [`Document: ${oneLine(facts.document)}`]),
    ...(facts.since === undefined ? [] : [`Since then: ${oneLine(facts.since)}`]),
    ...(facts.notes ?? []).map(oneLine),
    '',
    'Previous context is loaded. The user expects you to continue where you left off.',
    'Review the conversation history and pick up naturally.',
  ].join('\n')
  // The block is neutralised as a whole, because the end of one field and the beginning of the next could form a
  // marker.
  return `[RESUMED CONVERSATION]\n${neutralise(wellFormed(inner))}\n[END RESUMED CONTEXT]`
}

/**
 * Changes text so that it cannot open or close the block (S0-D5q): the square brackets of the two markers become round
 * ones. Characters that no terminal prints are removed first, because they could hide a marker that appears in print.
 */
export function neutralise(text: string): string {
  return asPrinted(text).replace(/\[(\s*(?:END\s+RESUMED\s+CONTEXT|RESUMED\s+CONVERSATION)\s*)\]/gi, '($1)')
}

/**
 * Puts a backslash before each line of a recorded text that looks like a heading of ours: of a turn of the person or
 * the agent, of a tool, or of a part of the context. The backslash says, in Markdown too, that the line is text.
 * Characters that no terminal prints are removed first, since they could hide such a heading. A text that is marked
 * already stays as it is.
 */
export function escapeHeadings(text: string): string {
  return asPrinted(text).replace(POSING, '$1\\$2')
}

/**
 * The title of a record on one line, safe next to sentences of ours that an agent reads, and cut to MAX_TITLE
 * characters.
 */
export function safeTitle({ title }: Pick<SessionFile, 'title'>): string {
  return neutralise(shortLine(title, MAX_TITLE))
}

/** A field of a record on one line, safe next to sentences of ours that an agent reads. */
export function safeLine(text: string): string {
  return neutralise(oneLine(text))
}

const BREAK = '\\n\\r\\v\\f\\u0085\\u2028\\u2029'
const HEADINGS = [
  'user',
  'assistant',
  'system',
  'human',
  'tool',
  'prior conversation summary',
  'recent messages follow',
  'where the work stands',
  'what was said about a question',
  'summary of what was moved out of the record',
]
/** `### User`, with or without the time after it, and `[tool result Bash]`, at the beginning of a line. */
const POSING = new RegExp(
  `(^|[${BREAK}])([ \\t]*(?:#{1,6}[ \\t]*(?:${HEADINGS.join('|')})(?:[ \\t]*\\([^()${BREAK}]{0,60}\\))?[ \\t:#]*(?=$|[${BREAK}])|\\[tool (?:call|result) ))`,
  'gi',
)
