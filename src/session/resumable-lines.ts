import { cutAtWord } from '../text/line.ts'
import { relativeTime } from '../text/relative-time.ts'
import { type EffectiveStatus, statusWords } from './lifecycle.ts'
import { type Findable, numbersOf } from './names.ts'
import { safeLine } from './resume-block.ts'

interface Line extends Findable {
  type: string
  lastActive: Date
  status: EffectiveStatus
}

/** A short list is read, and it fits into the 10,000 characters that Claude Code's hooks can print. */
const MAX = 20
const TITLE_LENGTH = 100
const SUMMARY_LENGTH = 240

/**
 * The list of S1-003s, in its words, each conversation with the number that names it `among` all. Those beyond the
 * twentieth are found by a word of theirs. An agent prints it, and some clients number the items of a markdown list
 * anew: a paragraph between two of them makes each a list of its own, whose number stays. What is left out because it
 * is old, or `closed`, is counted.
 */
export function resumableLines(
  conversations: readonly Line[],
  among: readonly Findable[],
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
  const numbers = numbersOf(conversations, among)
  const entries = conversations
    .slice(0, MAX)
    .flatMap((one) => [
      `${safeLine(numbers.get(one)!)}. [${safeLine(one.type)}] ${cutAtWord(safeLine(one.title), TITLE_LENGTH)}`,
      '',
      `Last active: ${relativeTime(one.lastActive, now)} | Status: ${statusWords(one.status)}`,
      `Summary: ${cutAtWord(safeLine(one.summary), SUMMARY_LENGTH) || '(none)'}`,
      '',
    ])
  return [
    'Here are your resumable conversations:',
    '',
    ...entries,
    ...(conversations.length > MAX
      ? [`… and ${conversations.length - MAX} more: answer with a number, or with a word of the title`, '']
      : []),
    ...(older > 0 ? [`${olderWords(older)}. Any word of a title finds one.`, ''] : []),
    'Which conversation would you like to continue? (number or search)',
  ]
}

/** `12 older conversations: cortext resume --list`. */
export function olderWords(older: number): string {
  return `${older} older conversation${older === 1 ? '' : 's'}: cortext resume --list`
}
