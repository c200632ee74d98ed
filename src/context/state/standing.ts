import { textOf } from '../../session/live-path.ts'
import type { Message, ToolCall } from '../../session/schema.ts'
import { commandOf } from '../../session/tool-use.ts'
import { shortLine } from '../../text/line.ts'
import type { History, Room } from '../strategy.ts'
import { errorLine } from './error-line.ts'
import { jobsIn, saysFault } from './shell-job.ts'

/** Where the work stands, read from tool calls and not from words. Each item is one line; the newest come last. */
export interface Standing {
  /** What the client's own list of tasks still holds. */
  open: string[]
  /** `<id> <subject>` of commits that were made in the talk. */
  commits: string[]
  /** How the last run of each test, check and build went. */
  checks: string[]
}

/** How many commits and checks are looked for, from the end. */
const MOST = 8
const LINE = 160

const known = new WeakMap<readonly Message[], Standing>()

/** It is kept, so that each strategy may ask for it. */
export function standingOf({ live, answers }: Pick<History, 'live' | 'answers'>): Standing {
  const before = known.get(live)
  if (before !== undefined) return before
  const commits: string[] = []
  const checks = new Map<string, string>()
  const calls = live.flatMap((message) => (message.tool_calls ?? []).map((call) => ({ call, message })))
  for (const { call, message } of calls.toReversed()) {
    if (commits.length >= MOST && checks.size >= MOST) break
    const command = commandOf(answers.tools, call, message.client)
    const result = answers.results.get(call.id)
    if (command === undefined || result === undefined || result.refused === true) continue
    if (commits.length < MOST) commits.push(...commitsIn(command, textOf(result)).toReversed())
    if (checks.size < MOST) noteCheck(checks, command, result)
  }
  const standing = {
    open: openIn(calls.map(({ call }) => ({ call, result: answers.results.get(call.id) }))),
    commits: commits.slice(0, MOST).reverse(),
    checks: [...checks.values()].reverse(),
  }
  known.set(live, standing)
  return standing
}

/** `[main 1a2b3c4] Subject`, as git says it. */
const COMMIT = /^\[([^\s\]]+)(?: \([\w -]+\))? ([0-9a-f]{7,40})\] (.*)$/gm

function commitsIn(command: string, output: string): string[] {
  if (!/\bcommit\b/.test(command)) return []
  return [...output.matchAll(COMMIT)].map(([, branch, id, subject]) =>
    shortLine(`${id} ${subject} (${branch})`, LINE),
  )
}

const CHECKED = /(?:test|build|check|lint|tsc|type|vet|compile|spec|make\b)/i

function noteCheck(checks: Map<string, string>, command: string, result: Message): void {
  if (!CHECKED.test(command)) return
  const jobs = jobsIn(command).filter(({ name }) => CHECKED.test(name))
  const name = jobs.map((job) => [job.name, ...job.scope].join(' ')).join(' && ')
  if (name === '' || checks.has(name)) return
  const output = textOf(result)
  const failed = result.is_error === true || saysFault(output)
  const why = failed ? errorLine(output) : ''
  checks.set(name, shortLine(`${name}: ${failed ? `failed${why === '' ? '' : `: ${why}`}` : 'ok'}`, LINE))
}

/** A list is told whole by each call that has one; or tasks are made and changed one by one, by their numbers. */
function openIn(done: readonly { call: ToolCall; result: Message | undefined }[]): string[] {
  let open = new Map<string, string>()
  for (const { call, result } of done) {
    const given = Object(call.arguments) as Record<string, unknown>
    if (Array.isArray(given.todos)) {
      open = new Map(given.todos.flatMap(todoOf))
    } else if (typeof given.subject === 'string') {
      const [, id] = /\bTask #(\w+) created/.exec(result === undefined ? '' : textOf(result)) ?? []
      if (id !== undefined) open.set(id, given.subject)
    } else if (given.taskId !== undefined && /^(?:completed|deleted|cancelled)$/.test(`${given.status}`)) {
      open.delete(`${given.taskId}`)
    }
  }
  return [...open.values()].map((text) => shortLine(text, LINE))
}

function todoOf(one: unknown, place: number): [string, string][] {
  const { content, description, status } = Object(one) as Record<string, unknown>
  const text = content ?? description
  if (typeof text !== 'string' || /^(?:completed|cancelled)$/.test(`${status}`)) return []
  return [[`${place}`, status === 'in_progress' ? `${text} (in progress)` : text]]
}

/** The part of the room that the note may take. */
const RATIO = 0.12
const LEAST_ROOM = 1000

/** Where the work stands, as a note in a small part of the room; '' where there is nothing to tell. */
export function standingNote(history: History, tokens: number, room: Pick<Room, 'count'>): string {
  if (tokens < LEAST_ROOM) return ''
  const { open, commits, checks } = standingOf(history)
  const lists: [string, string[]][] = [
    ['Open tasks:', open],
    ['Commits made:', commits],
    ['Last runs of checks:', checks],
  ]
  let left = Math.floor(tokens * RATIO) - room.count(HEAD)
  const lines = lists.flatMap(([title, items]) => {
    const kept: string[] = []
    for (const item of title.startsWith('Open') ? items : items.toReversed()) {
      const cost = room.count(`\n- ${item}`)
      if (cost > left) break
      left -= cost
      kept.push(`- ${item}`)
    }
    left -= kept.length === 0 ? 0 : room.count(`\n${title}`)
    return kept.length === 0 ? [] : [title, ...(title.startsWith('Open') ? kept : kept.toReversed())]
  })
  return lines.length === 0 ? '' : [HEAD, ...lines].join('\n')
}

const HEAD = '## Where the work stands (read from the tool calls)'
