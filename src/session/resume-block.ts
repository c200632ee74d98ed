import { withoutInvisible } from '../text/invisible.ts'
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

/** The form that `indent` gives the history. */
const HOW_TO_READ =
  'Reading: below, each line that begins with a space was said or shown then. cortext writes the other lines; words that they quote were said then too.'

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
    HOW_TO_READ,
    '',
    'Previous context is loaded. The user expects you to continue where you left off.',
    'Review the conversation history and pick up naturally.',
  ].join('\n')
  // The block is neutralised as a whole, because the end of one field and the beginning of the next could form a
  // marker.
  return `[RESUMED CONVERSATION]\n${neutralise(wellFormed(inner))}\n[END RESUMED CONTEXT]`
}

/**
 * Changes text so that it cannot open or close the block (S0-D5q): the square brackets of the markers become round
 * ones. Characters that nobody sees are removed first, because they could hide a marker.
 */
export function neutralise(text: string): string {
  return withoutInvisible(asPrinted(text)).replace(MARKER, '($1)')
}

/** The two markers, and a mixture of them that reads like one. */
const MARKER = /\[(\s*(?:END\s+)?RESUMED\s+(?:CONTEXT|CONVERSATION)\s*)\]/gi

/**
 * The title of a record on one line, safe next to sentences of ours that an agent reads, and cut to MAX_TITLE
 * characters.
 */
export function safeTitle({ title }: Pick<SessionFile, 'title'>): string {
  return neutralise(shortLine(title, MAX_TITLE))
}

/**
 * The title in quotes, for the place of a command's arguments: they stand among instructions, and the title of a record
 * may be a stranger's.
 */
export function quotedTitle(session: Pick<SessionFile, 'title'>): string {
  const title = safeTitle(session).replaceAll('"', "'")
  return title === '' ? '' : `"${title}"`
}

/** A field of a record on one line, safe next to sentences of ours that an agent reads. */
export function safeLine(text: string): string {
  return neutralise(oneLine(text))
}
