import { countOf } from '../text/count-of.ts'
import { withoutInvisible } from '../text/invisible.ts'
import { asPrinted, oneLine, shortLine } from '../text/line.ts'
import { relativeTime } from '../text/relative-time.ts'
import { wellFormed } from '../text/whole-characters.ts'
import type { SessionFile } from './schema.ts'

/** The contents of the resume block besides those of session.json. */
export interface ResumeBlockFacts {
  /**
   * With it, the block says how long ago the last activity was. Without it, the block has the time of the last
   * activity.
   */
  now?: Date | undefined
  /** The text of the `History:` line after its colon. */
  history: string
  /** How often the person has said something. Default: the number of all messages. */
  exchanges?: number
  /** The workspace-relative path of the markdown document; absent when there is none. */
  document?: string | undefined
  /** The text of the `Since then:` line after its colon; absent when nothing changed or nothing is known. */
  since?: string | undefined
  /** Other things that the agent must know, one line each, such as tools that are missing. */
  notes?: string[]
}

/** Explains the form that `indent` gives to the history. */
const HOW_TO_READ =
  'Reading: below, each line that begins with a space was said or shown then. cortext writes the other lines; words that they quote were said then too.'

/** Limits in characters. A forged record may have megabytes in each of these fields. */
const MAX_TYPE = 100
const MAX_TITLE = 300
const MAX_SUMMARY = 10_000

/**
 * The resume block, in words that were asked for to the letter. It has further lines: history, document, changes and
 * notes.
 */
export function resumeBlock(session: SessionFile, facts: ResumeBlockFacts): string {
  const inner = [
    'You are continuing a previous conversation.',
    '',
    `Conversation: ${shortLine(session.conversation_type, MAX_TYPE)} / ${shortLine(session.title, MAX_TITLE)}`,
    `Last active: ${facts.now === undefined ? oneLine(session.last_active) : relativeTime(new Date(session.last_active), facts.now)}`,
    `Messages: ${countOf(facts.exchanges ?? session.message_count, 'exchange')}`,
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
 * Changes text so that it cannot open or close the resume block: the square brackets of the markers become
 * round ones. Invisible characters are removed first, because they could hide a marker.
 */
export function neutralise(text: string): string {
  return withoutInvisible(asPrinted(text)).replace(MARKER, '($1)')
}

/** The two markers of the resume block, and mixtures that read like a marker. */
const MARKER = /\[(\s*(?:END\s+)?RESUMED\s+(?:CONTEXT|CONVERSATION)\s*)\]/gi

/**
 * The title of a record on one line, cut to MAX_TITLE characters. It is safe among sentences of cortext that an agent
 * reads.
 */
export function safeTitle({ title }: Pick<SessionFile, 'title'>): string {
  return neutralise(shortLine(title, MAX_TITLE))
}

/** A field of a record on one line. It is safe among sentences of cortext that an agent reads. */
export function safeLine(text: string): string {
  return neutralise(oneLine(text))
}
