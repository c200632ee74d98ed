import { oneLine } from '../text/line.ts'
import { relativeTime } from '../text/relative-time.ts'
import { wellFormed } from '../text/whole-characters.ts'
import type { SessionFile } from './schema.ts'

/** What the block says besides what session.json holds. */
export interface ResumeBlockFacts {
  now: Date
  /** The `History:` line behind its colon. */
  history: string
  /** Workspace-relative path of the markdown; absent when there is none. */
  document?: string | undefined
  /** The `Since then:` line behind its colon; absent when nothing changed or nothing is known. */
  since?: string | undefined
  /** Other things the agent must know (tools that are missing, where the rest of the history lies), a line each. */
  notes?: string[]
}

/** The resume block, to the letter of S0-D5c…k, with the lines that this design adds. */
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
  // As a whole: the end of one field and the begin of the next could make a marker.
  return `[RESUMED CONVERSATION]\n${neutralise(wellFormed(inner))}\n[END RESUMED CONTEXT]`
}

/**
 * Text that cannot open or close the block (S0-D5q): the square brackets of the two markers become round ones.
 * Nothing else is altered.
 */
export function neutralise(text: string): string {
  return text.replace(/\[(\s*(?:END\s+RESUMED\s+CONTEXT|RESUMED\s+CONVERSATION)\s*)\]/gi, '($1)')
}
