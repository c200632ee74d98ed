import { sinceCleared } from '../session/live-path.ts'
import { type PrunedEvent, prunedEvents } from '../session/pruning/event.ts'
import type { Message } from '../session/schema.ts'
import { indent } from '../text/indent.ts'
import { oneLine } from '../text/line.ts'
import { NO_TASK } from './state/digest.ts'

/** The lines of a conversation that pruning moved out of messages.jsonl. */
export interface PrunedPart {
  /** Number of the moved messages that a person or an agent said. */
  messages: number
  /** Workspace-relative paths of the newest archive files, the file with the oldest messages first. */
  archives: string[]
}

/** Finds the pruned part; undefined when nothing was pruned. `record` is messages.jsonl's workspace-relative path. */
export function prunedPart(messages: readonly Message[], record: string): PrunedPart | undefined {
  const events = prunedEvents(sinceCleared(messages))
  if (events.length === 0) return undefined
  const folder = record.slice(0, record.lastIndexOf('/') + 1)
  return {
    messages: events.reduce((sum, event) => sum + event.messages, 0),
    archives: events.slice(-MAX_NAMED).map(({ archive }) => `${folder}${archive}`),
  }
}

/**
 * Returns the text to show before the history: the summaries of the pruned lines. It leaves out lines from before the
 * conversation was last cleared. '' when there is no summary. `messages` are in reading order.
 */
export function prunedNote(messages: readonly Message[]): string {
  const summaries = prunedEvents(sinceCleared(messages)).filter(({ summary }) => summary !== '')
  return summaries.length === 0 ? '' : [HEAD, ...summaries.map(summaryLines)].join('\n\n')
}

/**
 * Returns the first request, from the summary of the first pruned lines; undefined when that summary names no request.
 */
export function prunedTask(messages: readonly Message[]): string | undefined {
  const [first] = prunedEvents(sinceCleared(messages))
  const task = /^Task: (.+)/.exec(first?.summary ?? '')?.[1]
  return task === NO_TASK ? undefined : task
}

/** The most archives that are named. A real record is pruned a few times, but a damaged or forged one may name many. */
const MAX_NAMED = 100

const HEAD = '## Summary of what was moved out of the record'

function summaryLines({ messages, archive, summary }: PrunedEvent): string {
  return `${messages} message${messages === 1 ? '' : 's'}, whole in ${oneLine(archive)}:\n${indent(summary)}`
}
