import { cutAtWord } from '../text/line.ts'
import { relativeTime } from '../text/relative-time.ts'
import { type EffectiveStatus, statusWords } from './lifecycle.ts'
import { safeLine } from './posing.ts'

interface Line {
  type: string
  title: string
  lastActive: Date
  status: EffectiveStatus
  summary: string
}

/** A short list is read, and it fits into the 10,000 characters that Claude Code's hooks can print. */
const MOST = 20
const TITLE_LENGTH = 100
const SUMMARY_LENGTH = 240

/**
 * The list of S1-003s, in its words. Conversations beyond the twentieth are found by a word of theirs. What is left out
 * because it is old, or `closed`, is counted.
 */
export function resumableLines(
  conversations: readonly Line[],
  now: Date,
  { older = 0, closed = 0 } = {},
): string[] {
  if (conversations.length === 0)
    return [
      closed === 0
        ? 'No resumable conversations exist.'
        : `No resumable conversations exist: ${closed} are completed or archived. To list them: cortext list --all`,
      'Start a new one with /workspace.brainstorm <topic> (or debug, plan, learn, meeting, review, projectmanage).',
    ]
  const entries = conversations
    .slice(0, MOST)
    .flatMap((one, index) => [
      `${index + 1}. [${safeLine(one.type)}] ${cutAtWord(safeLine(one.title), TITLE_LENGTH)}`,
      `   Last active: ${relativeTime(one.lastActive, now)} | Status: ${statusWords(one.status)}`,
      `   Summary: ${cutAtWord(safeLine(one.summary), SUMMARY_LENGTH) || '(none)'}`,
      '',
    ])
  return [
    'Here are your resumable conversations:',
    '',
    ...entries,
    ...(conversations.length > MOST
      ? [`… and ${conversations.length - MOST} more: answer with a word of the title`, '']
      : []),
    ...(older > 0 ? [`${olderWords(older)}. Any word of a title finds one.`, ''] : []),
    'Which conversation would you like to continue? (number or search)',
  ]
}

/** `12 older conversations: cortext resume --list`. */
export function olderWords(older: number): string {
  return `${older} older conversation${older === 1 ? '' : 's'}: cortext resume --list`
}
