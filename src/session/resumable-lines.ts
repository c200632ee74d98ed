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

/** The list of S1-003s, in its words. Conversations beyond the twentieth are found by a word of theirs. */
export function resumableLines(conversations: readonly Line[], now: Date): string[] {
  if (conversations.length === 0)
    return [
      'No resumable conversations exist.',
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
    'Which conversation would you like to continue? (number or search)',
  ]
}
