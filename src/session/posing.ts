import { asSeen, oneLine } from '../text/line.ts'
import { neutralise } from './resume-block.ts'

/**
 * Marks the lines of a recorded text that would read like a head of ours: as the person's turn, the agent's, a tool's,
 * or a part of the context. A backslash before them says, in markdown too, that they are text. What no terminal prints
 * is taken out first, since it could hide such a head. A text that was marked once stays as it is.
 */
export function unposed(text: string): string {
  return asSeen(text).replace(POSING, '$1\\$2')
}

/** A field from a record on one line, where it stands beside sentences of ours that an agent reads. */
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
/** `### User`, with or without the time behind it, and `[tool result Bash]`, at the begin of a line. */
const POSING = new RegExp(
  `(^|[${BREAK}])([ \\t]*(?:#{1,6}[ \\t]*(?:${HEADINGS.join('|')})(?:[ \\t]*\\([^()${BREAK}]{0,60}\\))?[ \\t:#]*(?=$|[${BREAK}])|\\[tool (?:call|result) ))`,
  'gi',
)
