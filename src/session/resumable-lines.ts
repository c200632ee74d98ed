import { cutAtWord } from '../text/line.ts'
import { relativeTime } from '../text/relative-time.ts'
import { type EffectiveStatus, statusWords } from './lifecycle.ts'
import { safeLine } from './resume-block.ts'

interface Line {
  name: string
  type: string
  title: string
  summary: string
  lastActive: Date
  status: EffectiveStatus
  live: boolean
  keptHere?: boolean
}

/** How many conversations a list leaves out, by the reason in words. */
export type Hidden = ReadonlyMap<string, number>

/**
 * A list of this length is short enough to read, and fits into the 10,000 characters that Claude Code's hooks can
 * print.
 */
const MAX_ENTRIES = 20
const TITLE_LENGTH = 100
const SUMMARY_LENGTH = 240

/**
 * Returns the list of resumable conversations. The owner of the project has asked for its words to the letter, so they
 * also name the shipped types. Conversations after the twentieth are only counted; a name or a word of the title still
 * finds them. An agent prints the list, and some clients renumber the items of a Markdown list. To keep the numbers, a
 * paragraph between two items makes each item a list of its own.
 */
export function resumableLines(
  conversations: readonly Line[],
  now: Date,
  hidden: Hidden = new Map(),
): string[] {
  if (conversations.length === 0)
    return [
      hidden.size === 0
        ? 'No resumable conversations exist.'
        : `No resumable conversations exist. ${hiddenWords(hidden)}`,
      'Start a new one with /workspace.brainstorm <topic> (or debug, plan, learn, meeting, review, projectmanage).',
    ]
  const entries = conversations
    .slice(0, MAX_ENTRIES)
    .flatMap((conversation) => [
      `${safeLine(conversation.name)}. [${safeLine(conversation.type)}] ${cutAtWord(safeLine(conversation.title), TITLE_LENGTH)}`,
      '',
      `Last active: ${relativeTime(conversation.lastActive, now)} | Status: ${statusWords(conversation.status)}${conversation.live ? ', open now' : ''}${conversation.keptHere ? ', kept here' : ''}`,
      `Summary: ${cutAtWord(safeLine(conversation.summary), SUMMARY_LENGTH) || '(none)'}`,
      '',
    ])
  const further = conversations.length - MAX_ENTRIES
  const all = new Map([...(further > 0 ? [['less recent', further] as const] : []), ...hidden])
  return [
    'Here are your resumable conversations:',
    '',
    ...(conversations.length > 1 ? ['The last active one comes first.', ''] : []),
    ...entries,
    ...(all.size > 0 ? [`${hiddenWords(all)}. A word of a title finds one too.`, ''] : []),
    'Which conversation would you like to continue? (number or search)',
  ]
}

/** Shows every conversation: the way out where a name means none, or several. */
export const LIST_ALL = 'cortext list --all'

/**
 * Says how many conversations are hidden, why, and what shows them:
 * `12 not shown: 10 quiet for 30 days, 2 archived. All of them: cortext list --all`
 */
export function hiddenWords(hidden: Hidden, all: string = LIST_ALL): string {
  const sum = [...hidden.values()].reduce((total, count) => total + count, 0)
  const reasons = [...hidden].map(([why, count]) => `${count} ${why}`)
  return `${sum} not shown: ${reasons.join(', ')}. All of them: ${all}`
}
