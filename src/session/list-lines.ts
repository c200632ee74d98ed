import { type EffectiveStatus, statusWords } from './lifecycle.ts'
import { relativeTime } from './relative-time.ts'
import { oneLine } from './title.ts'

interface Line {
  type: string
  title: string
  lastActive: Date
  status: EffectiveStatus
  summary: string
}

/** More would not fit into what a hook can tell, nor be read. */
const MOST = 20

/** The list of S1-003s, in its words; what is beyond the twentieth is found by a word of it. */
export function resumableLines(conversations: readonly Line[], now: Date): string[] {
  if (conversations.length === 0)
    return [
      'No resumable conversations exist.',
      'Start a new one with /workspace.brainstorm <topic> (or debug, plan, learn, meeting, review, projectmanage).',
    ]
  const entries = conversations
    .slice(0, MOST)
    .flatMap((one, index) => [
      `${index + 1}. [${oneLine(one.type)}] ${oneLine(one.title)}`,
      `   Last active: ${relativeTime(one.lastActive, now)} | Status: ${statusWords(one.status)}`,
      `   Summary: ${oneLine(one.summary) || '(none)'}`,
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
