import { textOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { resultOf } from '../../session/tool-use.ts'
import { pruneResult } from '../prune-result.ts'
import { type Answers, toolOf } from '../render.ts'
import type { Strategy } from '../strategy.ts'
import { everything } from './full-history.ts'

/** Messages at the end that stay as they were said: three exchanges. */
export const RECENT_MESSAGE_COUNT = 6

/** Everything that was said; tool results before the last messages are pruned. */
export const prunedTools: Strategy = {
  name: 'pruned-tools',
  priority: 2,
  minTokens: 2000,
  fitsItself: false,
  tell(history) {
    const { live, answers } = history
    const recent = live.length - RECENT_MESSAGE_COUNT
    const messages = live.map((message, index) => (index < recent ? pruned(message, answers) : message))
    const changed = messages.filter((message, index) => message !== live[index]).length
    const all = everything(history)
    return {
      ...all,
      pieces: messages.map((message) => ({ message })),
      toolResultsWhole: all.toolResultsWhole - changed,
      toolResultsPruned: changed,
    }
  },
}

/** The same object where nothing is taken away: other messages than tool results, and short ones. */
export function pruned(message: Message, answers: Answers): Message {
  if (message.role !== 'tool') return message
  const text = textOf(message)
  const kind = resultOf(answers.tools, toolOf(message, answers.calls), message.client)
  const shorter = pruneResult(text, kind)
  return shorter === text ? message : { ...message, content: shorter }
}
