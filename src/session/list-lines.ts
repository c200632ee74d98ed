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

/** The list of S1-003s, in its words. */
export function resumableLines(conversations: readonly Line[], now: Date): string[] {
  if (conversations.length === 0)
    return [
      'No resumable conversations exist.',
      'Start a new one with /workspace.brainstorm <topic> (or debug, plan, learn, meeting, review, projectmanage).',
    ]
  const entries = conversations.flatMap((one, index) => [
    `${index + 1}. [${oneLine(one.type)}] ${oneLine(one.title)}`,
    `   Last active: ${relativeTime(one.lastActive, now)} | Status: ${statusWords(one.status)}`,
    `   Summary: ${oneLine(one.summary) || '(none)'}`,
    '',
  ])
  return [
    'Here are your resumable conversations:',
    '',
    ...entries,
    'Which conversation would you like to continue? (number or search)',
  ]
}
