import { textOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { resultOf } from '../../session/tool-use.ts'
import { pruneResult } from '../prune-result.ts'
import { type Answers, toolOf } from '../render.ts'
import type { Strategy } from '../strategy.ts'
import { everything } from './full-history.ts'

/** So many messages at the end, three exchanges, stay as they were said. */
export const RECENT_MESSAGE_COUNT = 6

/** Shows everything that was said, with the tool results before the last messages shortened. */
export const prunedTools: Strategy = {
  name: 'pruned-tools',
  priority: 2,
  minTokens: 2000,
  fitsItself: false,
  showsTalk: true,
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

/** Returns the same object when nothing is shortened: for short results, and for messages that are not tool results. */
export function pruned(message: Message, answers: Answers): Message {
  if (message.role !== 'tool') return message
  const text = textOf(message)
  const kind = resultOf(answers.tools, toolOf(message, answers.calls), message.client)
  const shorter = pruneResult(text, kind)
  return shorter === text ? message : { ...message, content: shorter }
}
