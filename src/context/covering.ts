import { isTalk } from '../session/live-path.ts'
import { neutralise } from '../session/resume-block.ts'
import type { Message } from '../session/schema.ts'
import { hashOf, type SummaryFile } from '../session/summary-file.ts'
import { cutAtWord, oneLine } from '../text/line.ts'

/** A summary that matches the first messages of a conversation as they are now. */
export interface Covering {
  /** Number of messages of the live path that the summary covers, tool results included. */
  end: number
  /** Number of these messages that a person or an agent said. */
  said: number
  content: string
  model: string
}

const MODEL_NAME_LENGTH = 60

/** Returns the summaries whose messages have not changed since they were summarised, the shortest range first. */
export function coveringsOf(live: readonly Message[], summaries: readonly SummaryFile[]): Covering[] {
  return summaries
    .flatMap((one) => {
      const end = endOf(live, one)
      if (end === undefined) return []
      const model = neutralise(cutAtWord(oneLine(one.summary.model), MODEL_NAME_LENGTH)) || 'a model'
      const said = live.slice(0, end).filter(isTalk).length
      return [{ end, said, content: one.summary.content.trim(), model }]
    })
    .sort((a, b) => a.end - b.end || compare(a.content, b.content))
}

/**
 * Returns the number of messages that the summary covers. Undefined when the summary is empty, or when the live path
 * does not begin with the messages that were summarised.
 */
function endOf(live: readonly Message[], { range, hash, summary }: SummaryFile): number | undefined {
  const end = range.messageCount
  if (end === 0 || summary.content.trim() === '') return undefined
  if (live[0]?.id !== range.startMessageId || live[end - 1]?.id !== range.endMessageId) return undefined
  return hashOf(live.slice(0, end)) === hash ? end : undefined
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
