import { asSeen, oneLine } from '../text/line.ts'
import { relativeTime } from '../text/relative-time.ts'
import { wellFormed } from '../text/whole-characters.ts'
import type { SessionFile } from './schema.ts'

/** What the resume block says besides the contents of session.json. */
export interface ResumeBlockFacts {
  now: Date
  /** The text of the `History:` line after its colon. */
  history: string
  /** The workspace-relative path of the markdown document; absent when there is none. */
  document?: string | undefined
  /** The text of the `Since then:` line after its colon; absent when nothing changed or nothing is known. */
  since?: string | undefined
  /**
   * Other things that the agent must know, one line each: tools that are missing, where the rest of the history lies.
   */
  notes?: string[]
}

/** The resume block, exactly as in S0-D5c…k, with the lines that this design adds. */
export function resumeBlock(session: SessionFile, facts: ResumeBlockFacts): string {
  const inner = [
    'You are continuing a previous conversation.',
    '',
    `Conversation: ${oneLine(session.conversation_type)} / ${oneLine(session.title)}`,
    `Last active: ${relativeTime(new Date(session.last_active), facts.now)}`,
    `Messages: ${session.message_count} exchanges`,
    `Summary: ${oneLine(session.context_summary) || '(none was written)'}`,
    `History: ${oneLine(facts.history)}`,
    ...(facts.document === undefined ? [] : [`Document: ${oneLine(facts.document)}`]),
    ...(facts.since === undefined ? [] : [`Since then: ${oneLine(facts.since)}`]),
    ...(facts.notes ?? []).map(oneLine),
    '',
    'Previous context is loaded. The user expects you to continue where you left off.',
    'Review the conversation history and pick up naturally.',
  ].join('\n')
  // The block is neutralised as a whole, because the end of one field and the begin of the next could form a marker.
  return `[RESUMED CONVERSATION]\n${neutralise(wellFormed(inner))}\n[END RESUMED CONTEXT]`
}

/**
 * Changes text so that it cannot open or close the block (S0-D5q): the square brackets of the two markers become round
 * ones. What no terminal prints is taken out first: it could hide a marker that stands there once it is printed.
 */
export function neutralise(text: string): string {
  return asSeen(text).replace(/\[(\s*(?:END\s+RESUMED\s+CONTEXT|RESUMED\s+CONVERSATION)\s*)\]/gi, '($1)')
}
