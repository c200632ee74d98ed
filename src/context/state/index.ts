import { textOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { withoutCommand } from '../../session/title.ts'
import { shortLine } from '../../text/line.ts'
import type { History } from '../strategy.ts'
import { failedCalls } from './failed-calls.ts'
import { type FileChange, filesChanged } from './files-changed.ts'
import { type Kind, sentencesIn } from './sentences.ts'

/** State of the work, as far as words and tool calls show it. Items are in the order they were said. */
export interface State {
  projectPath: string
  /** The first request; '' when there is none. */
  originalTask: string
  /** Rules that the person gave the agent. */
  constraints: string[]
  modifiedFiles: FileChange[]
  /** The agent's last words. */
  currentStatus: string
  /** Jobs, such as builds and tests, whose last run failed. */
  blockers: string[]
  keyDecisions: string[]
  /** The last mention of what comes next; '' when there is none. */
  nextStep: string
}

/** Number of characters of the agent's last message that are read. */
const STATUS_LENGTH = 20_000
/** Number of messages at the end that are searched for the next step. */
const LAST_MESSAGES = 8

/** The part of the state that is found without judging sentences. */
export type Work = Pick<State, 'originalTask' | 'modifiedFiles' | 'blockers'>

export function workIn(history: Pick<History, 'live' | 'said' | 'answers' | 'project' | 'task'>): Work {
  return {
    originalTask: history.task ?? taskOf(history.said),
    modifiedFiles: filesChanged(history),
    blockers: distinct(failedCalls(history)),
  }
}

/**
 * Finds the state of the work. Pure and deterministic. Every item of a list is one line. An item that was said twice is
 * in its list once, where it was said last.
 */
export function extractState(
  history: Pick<History, 'live' | 'said' | 'answers' | 'project' | 'task'>,
): State {
  const { project } = history
  const said = firstAndNewest(history.said)
  const of = (kind: Kind, messages: readonly Message[]): string[] => {
    const found: string[] = []
    for (const message of messages)
      for (const one of sentencesIn(message)) if (one.kind === kind) found.push(one.text)
    return distinct(found)
  }
  return {
    ...workIn(history),
    projectPath: project,
    constraints: of(
      'constraint',
      said.filter(({ role }) => role === 'user'),
    ),
    currentStatus: shortLine(textOf(lastAnswer(history.said) ?? EMPTY), STATUS_LENGTH),
    keyDecisions: of('decision', said),
    nextStep: nextStepIn(said),
  }
}

/** Returns the last mention of what comes next, near the end of the talk; '' when there is none. */
function nextStepIn(said: readonly Message[]): string {
  const sentences = said.slice(-LAST_MESSAGES).flatMap(sentencesIn)
  return sentences.findLast(({ kind }) => kind === 'next')?.text ?? ''
}

/**
 * Returns the messages whose sentences are read: the first and the newest ones. The first ones often have the person's
 * rules. The limit keeps the resume of a long conversation quick.
 */
export function firstAndNewest<T>(said: readonly T[]): readonly T[] {
  return said.length <= FIRST_COUNT + NEWEST_COUNT
    ? said
    : [...said.slice(0, FIRST_COUNT), ...said.slice(-NEWEST_COUNT)]
}

const FIRST_COUNT = 500
const NEWEST_COUNT = 9500

/** Returns the first request: the arguments of a slash command that the person typed, else the person's first words. */
export function taskOf(said: readonly Message[]): string {
  const first = askedFirst(said)
  return first === undefined ? '' : taskIn(first)
}

/** Returns the message with the first request. */
export function askedFirst(said: readonly Message[]): Message | undefined {
  return said.find((message) => message.role === 'user' && taskIn(message) !== '')
}

function taskIn(message: Message): string {
  return withoutCommand(textOf(message)).trim()
}

const EMPTY = { content: '' } as Message

/** Returns the agent's last words. */
export function lastAnswer(said: readonly Message[]): Message | undefined {
  return said.findLast((message) => message.role === 'assistant' && textOf(message).trim() !== '')
}

/** Keeps each item once, at the place where it was said last. */
function distinct(items: readonly string[]): string[] {
  const last = new Map<string, string>()
  for (const item of items) {
    const key = item.toLowerCase()
    last.delete(key)
    last.set(key, item)
  }
  return [...last.values()]
}
