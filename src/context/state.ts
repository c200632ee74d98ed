import { textOf } from '../session/live-path.ts'
import type { Message, ToolCall } from '../session/schema.ts'
import { oneLine } from '../session/title.ts'
import { errorLine } from './error-line.ts'
import { type FileChange, filesChanged } from './files-changed.ts'
import { type Kind, sentencesIn } from './sentences.ts'
import type { History } from './strategy.ts'

/** What a conversation has come to, as far as its words and tool calls tell. Items in the order they were said. */
export interface State {
  projectPath: string
  /** What was asked for first. '' where nothing was. */
  originalTask: string
  /** What the person asked to be kept to. */
  constraints: string[]
  modifiedFiles: FileChange[]
  /** The agent's last words. */
  currentStatus: string
  /** Tool calls that failed and were not done again since, and what was said to be in the way near the end. */
  blockers: string[]
  keyDecisions: string[]
  /** What was said to come next, last. '' where nothing was. */
  nextStep: string
}

/** How far back from the end something in the way may still be in the way. */
const LATELY = 8

/** Pure and deterministic. Every item is one line; lists hold what is said once, in its newest words' place. */
export function extractState(
  history: Pick<History, 'live' | 'said' | 'answers' | 'project' | 'task'>,
): State {
  const { live, said, project } = history
  const of = (kind: Kind, messages: readonly Message[]): string[] => {
    const found: string[] = []
    for (const message of messages)
      for (const one of sentencesIn(message)) if (one.kind === kind) found.push(one.text)
    return distinct(found)
  }
  const lately = said.slice(-LATELY)
  return {
    projectPath: project,
    originalTask: history.task ?? taskOf(said),
    constraints: of(
      'constraint',
      said.filter(({ role }) => role === 'user'),
    ),
    modifiedFiles: filesChanged(live),
    currentStatus: oneLine(textOf(said.findLast(isAnswer) ?? EMPTY)),
    blockers: distinct([...of('problem', lately), ...failedCalls(history)]),
    keyDecisions: of('decision', said),
    nextStep: of('next', lately).at(-1) ?? '',
  }
}

/** What the person asked for first: the arguments of the command that they typed, else their first words. */
export function taskOf(said: readonly Message[]): string {
  for (const message of said) {
    if (message.role !== 'user') continue
    const task = textOf(message)
      .replace(/^\s*\/[\w.:-]+(?=\s|$)/, '')
      .trim()
    if (task !== '') return task
  }
  return ''
}

const EMPTY = { content: '' } as Message

function isAnswer(message: Message): boolean {
  return message.role === 'assistant' && textOf(message).trim() !== ''
}

/** Calls whose last try failed: `Bash npm test: 3 tests failed`. */
function failedCalls({ live, answers }: Pick<History, 'live' | 'answers'>): string[] {
  const failed = new Map<string, string>()
  for (const call of live.flatMap((message) => message.tool_calls ?? [])) {
    const result = answers.results.get(call.id)
    if (result === undefined) continue
    const name = callName(call)
    failed.delete(name)
    if (result.is_error === true) failed.set(name, `${name}: ${errorLine(textOf(result)) || 'failed'}`)
  }
  return [...failed.values()]
}

function callName({ name, arguments: given }: ToolCall): string {
  const values = typeof given === 'object' && given !== null ? Object.values(given) : []
  const telling = values.find((value): value is string => typeof value === 'string' && value !== '')
  return oneLine(`${name} ${telling ?? ''}`).slice(0, 120)
}

/** Each once, where it was said last. */
function distinct(items: readonly string[]): string[] {
  const last = new Map<string, string>()
  for (const item of items) {
    const key = item.toLowerCase()
    last.delete(key)
    last.set(key, item)
  }
  return [...last.values()]
}
