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

/**
 * A list of this length is short enough to read, and fits into the 10,000 characters that Claude Code's hooks can
 * print.
 */
const MAX_ENTRIES = 20
const TITLE_LENGTH = 100
const SUMMARY_LENGTH = 240

/**
 * Returns the list of requirement S1-003s, in its words. Each conversation has the number that names it `among` all.
 * Conversations after the twentieth are only counted; a number or a word of the title still finds them. An agent prints
 * the list, and some clients renumber the items of a Markdown list. To keep the numbers, a paragraph between two items
 * makes each item a list of its own. `older` counts the conversations that are left out because they are old. `closed`
 * counts those that are left out because they are completed or archived. `loops` counts those of agent loops that are
 * left out.
 */
export function resumableLines(
  conversations: readonly Line[],
  among: readonly Findable[],
  now: Date,
  { older = 0, closed = 0, loops = 0 } = {},
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
    .slice(0, MAX_ENTRIES)
    .flatMap((conversation) => [
      `${safeLine(numbers.get(conversation)!)}. [${safeLine(conversation.type)}] ${cutAtWord(safeLine(conversation.title), TITLE_LENGTH)}`,
      '',
      `Last active: ${relativeTime(conversation.lastActive, now)} | Status: ${statusWords(conversation.status)}`,
      `Summary: ${cutAtWord(safeLine(conversation.summary), SUMMARY_LENGTH) || '(none)'}`,
      '',
    ])
  return [
    'Here are your resumable conversations:',
    '',
    ...entries,
    ...(conversations.length > MAX_ENTRIES
      ? [
          `… and ${conversations.length - MAX_ENTRIES} more: answer with a number, or with a word of the title`,
          '',
        ]
      : []),
    ...(loops > 0 ? [loopsWords(loops), ''] : []),
    ...(older > 0 ? [`${olderWords(older)}. Any word of a title finds one.`, ''] : []),
    'Which conversation would you like to continue? (number or search)',
  ]
}

/**
 * Says how many older conversations there are, and how to list them: `12 older conversations: cortext resume --list`.
 */
export function olderWords(older: number): string {
  return `${older} older conversation${older === 1 ? '' : 's'}: cortext resume --list`
}

/** Says how many conversations of agent loops are left out, and how to list them. */
export function loopsWords(loops: number): string {
  return `${loops} conversation${loops === 1 ? '' : 's'} of agent loops: cortext list`
}
