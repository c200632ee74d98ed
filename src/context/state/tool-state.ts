import { callKey, isPrompt, textOf } from '../../session/live-path.ts'
import type { Message, ToolCall } from '../../session/schema.ts'
import { type ReportedCommit, reportedCommits } from '../../session/shell/commits.ts'
import { commandOf, patchOf, type ToolVocabulary, useOf } from '../../session/tool-use.ts'
import { oneLine, shortLine } from '../../text/line.ts'
import type { History, Room } from '../strategy.ts'
import { openTasks } from './open-tasks.ts'
import type { ShellRun } from './quiet-commit.ts'
import { type Outcome, verdictOf } from './runs/check-output.ts'
import { errorLine } from './runs/error-line.ts'
import { hooksPassed } from './runs/hooks-passed.ts'
import { messagesBeforeOld } from './runs/old-faults.ts'
import { programEnds } from './runs/program-ends.ts'
import { isMissing, outcomeOf, outcomeOfChecks } from './runs/run-outcome.ts'
import { checksIn, formatsIn, type Job, makeUpFor } from './runs/shell-job.ts'
import { standingCommits } from './standing-commits.ts'
import { subagentReports } from './subagent-reports.ts'

/**
 * State of the work, read from tool calls and not from words. Each item is one line; in each list the newest is last.
 */
export interface ToolState {
  /** Open tasks of the agent's own list, in its order. */
  open: string[]
  /** The first open task behind the last finished one; '' when there is none. */
  next: string
  /** The commits that were made in the talk and not taken back. */
  commits: ReportedCommit[]
  /** The last runs of tests, checks and builds whose results are known. */
  checks: Check[]
  /** The last check, as it was typed, if its program is not on this machine; otherwise ''. */
  notRun: string
  /** The titles of plans that the person accepted. */
  plans: string[]
  /** The last reports of subagents after the last change. Each has the request and the end of the report. */
  reports: string[]
  /** The branch that git named last; '' when it named none. */
  branch: string
  /** The pull requests that were opened, as `pull/7`. */
  pullRequests: string[]
}

/** The last run of a test, a check or a build. */
export interface Check {
  /** The jobs of its command, as they were typed. */
  name: string
  outcome: Exclude<Outcome, 'unknown'>
  /**
   * The line of the output that says best why the run failed; '' for other runs, and when a failed run printed nothing.
   */
  why: string
  /** Whether the person has asked for several things since, and files were changed: the result says little now. */
  isOld: boolean
}

interface Run extends Omit<Check, 'outcome'> {
  outcome: Outcome
  jobs: readonly Job[]
}

/** The most checks, and the most commits that a note lists. The newest ones count. */
const MAX_ITEMS = 8
/** The most runs that are compared with each other, those with an unknown result included. */
const MAX_RUNS = 40
const MAX_PLANS = 2
const MAX_REPORTS = 5
const LINE_LENGTH = 160
const MAX_NAME = 100
/** After so many more requests a result is old. */
const MAX_ASKED = 2

const cache = new WeakMap<readonly Message[], ToolState>()

/** Reads the state of the work from the tool calls. Cached: most strategies need it. */
export function toolStateOf({ live, answers }: Pick<History, 'live' | 'answers'>): ToolState {
  const cached = cache.get(live)
  if (cached !== undefined) return cached
  const checks = new Map<string, Run>()
  const plans: string[] = []
  const reports: string[] = []
  let branch = ''
  const pullRequests = new Set<string>()
  const beforeOld = messagesBeforeOld(live)
  const endOf = programEnds({ live, answers })
  /** What the hooks of later commits, and later runs of formatters, have done. */
  const hooks: ((job: Job) => boolean)[] = []
  const reportOf = subagentReports(live, answers)
  const calls: { call: ToolCall; message: Message; asked: number }[] = []
  let asked = 0
  for (const message of live) {
    if (isPrompt(message)) asked += 1
    for (const call of message.tool_calls ?? []) calls.push({ call, message, asked })
  }
  const runs: ShellRun[] = []
  let isEdited = false
  let notRun: string | undefined
  for (const { call, message, asked: before } of calls.toReversed()) {
    const result = answers.results.get(callKey(message, call.id))
    if (result === undefined || result.refused === true) continue
    const given = Object(call.arguments) as Record<string, unknown>
    if (typeof given.plan === 'string' && plans.length < MAX_PLANS) plans.push(titleOf(given.plan))
    // What was found before the last change may be mended since.
    const report = reports.length < MAX_REPORTS && !isEdited ? reportOf(call, message) : undefined
    if (report !== undefined) reports.push(report)
    isEdited ||= changes(answers.tools, call, message.client)
    const command = commandOf(answers.tools, call, message.client)
    if (command === undefined) continue
    const end = endOf(result)
    const output = end === result ? textOf(result) : `${textOf(result)}\n${textOf(end)}`
    branch ||= branchIn(command, output)
    isEdited ||= reportedCommits(command, output).length > 0
    if (checksIn(command).length > 0)
      notRun ??= isMissing(end) && verdictOf(output) !== 'passed' ? shortLine(command, MAX_NAME) : ''
    runs.push({ command, output, failed: outcomeOf(command, end) === 'failed' })
    for (const opened of pullRequestsIn(command, output)) pullRequests.add(opened)
    if (checks.size < MAX_RUNS && !(beforeOld.has(message) && outcomeOf(command, end) === 'failed'))
      noteCheck(checks, command, end, { hooks, isOld: isEdited && asked - before > MAX_ASKED })
    const passed = hooksPassed(command, end)
    if (passed !== undefined) hooks.push(passed)
    const formats = formatsIn(command)
    if (formats.length > 0 && outcomeOf(command, end) === 'passed')
      hooks.push((job) => makeUpFor(formats, job))
  }
  const tasks = openTasks(
    calls.map(({ call, message }) => ({ call, result: answers.results.get(callKey(message, call.id)) })),
  )
  const state = {
    open: tasks.open.map((text) => shortLine(text, LINE_LENGTH)),
    next: shortLine(tasks.next, LINE_LENGTH),
    commits: standingCommits(runs.reverse()),
    checks: [...checks.values()].flatMap(knownCheck).slice(0, MAX_ITEMS).reverse(),
    notRun: notRun ?? '',
    plans: plans.reverse(),
    reports: reports.reverse(),
    branch,
    pullRequests: [...pullRequests].reverse(),
  }
  cache.set(live, state)
  return state
}

/** Whether the call changes a file. */
function changes(tools: ToolVocabulary, call: ToolCall, client: string | undefined): boolean {
  const { edits, writes } = useOf(tools, call.name, client)
  return edits !== undefined || writes !== undefined || patchOf(tools, call, client) !== undefined
}

function knownCheck({ name, outcome, why, isOld }: Run): Check[] {
  return outcome === 'unknown' ? [] : [{ name, outcome, why, isOld }]
}

/** A line in which git names the branch, after a commit, a checkout or a status. */
const BRANCH =
  /^\[([^\s\]]+)(?: \([\w -]+\))? [0-9a-f]{7,40}\] |^On branch (\S+)|^(?:Switched to (?:a new )?|Already on )[a-z ]*'([^']+)'/gm
/** Asks git in another folder, which may be another worktree or repository. */
const ELSEWHERE = /\bgit -C (?!\.(?:\s|$))/
const SHOWS_STATUS = /\bgit (?:-C \. )?status\b/
/** The same with the line that a short status begins with. */
const BRANCH_OF_STATUS = new RegExp(
  `${BRANCH.source}|^## (?!HEAD )([^\\s.]+(?:\\.[^\\s.]+)*)(?=\\.\\.\\.|\\n[ MADRCUT?!]{2} \\S|\\s*(?![\\s\\S]))`,
  'gm',
)

function branchIn(command: string, output: string): string {
  if (!/\bgit\b/.test(command) || ELSEWHERE.test(command)) return ''
  const form = SHOWS_STATUS.test(command) ? BRANCH_OF_STATUS : BRANCH
  const [, ...names] = [...output.matchAll(form)].at(-1) ?? []
  return names.find((name) => name !== undefined) ?? ''
}

/** What a forge's program says to have opened: `https://github.com/ann/orchard/pull/7`. */
function pullRequestsIn(command: string, output: string): string[] {
  if (!OPENS_PULL_REQUEST.test(command)) return []
  const links = output.matchAll(/https?:\/\/\S{1,200}\/(pull|merge_requests)\/(\d+)\b/g)
  return [...links].map(([, kind, number]) => `${kind}/${number}`)
}

/** Whether a command opens a pull request. */
export const OPENS_PULL_REQUEST = /\b(?:gh pr|glab mr) create\b/

function titleOf(plan: string): string {
  return shortLine(
    plan
      .trim()
      .split('\n', 1)[0]!
      .replace(/^#+\s*/, ''),
    LINE_LENGTH,
  )
}

/**
 * Notes the run of a check. Calls come from the newest to the oldest, so all runs that are already noted are later
 * ones.
 */
function noteCheck(
  checks: Map<string, Run>,
  command: string,
  result: Message,
  { hooks, isOld }: { hooks: readonly ((job: Job) => boolean)[]; isOld: boolean },
): void {
  const jobs = checksIn(command)
  const called = (by: 'name' | 'shown') =>
    [...new Set(jobs.map((job) => [job[by], ...job.scope].join(' ')))].join(' && ')
  const [kind, name] = [called('name'), called('shown')]
  if (kind === '' || checks.has(kind)) return
  const outcome = outcomeOfChecks(command, result)
  const isRunAgain = (job: Job, runs: readonly Run[]) =>
    makeUpFor(
      runs.flatMap((run) => run.jobs),
      job,
    )
  const later = [...checks.values()]
  // A failed `-run TestA` and a failed `-run TestA$` count as one failure.
  const isNotedFailure = (run: Run) =>
    run.outcome === 'failed' && withoutAnchors(run.name) === withoutAnchors(name)
  if (outcome === 'failed' && later.some(isNotedFailure)) return
  // A later run of the same or a wider check counts instead. If a command has several checks, nothing says which of
  // them failed. So it is enough that one of them passed later.
  const passed = later.filter((run) => run.outcome === 'passed')
  if (
    outcome !== 'passed' &&
    (jobs.every((job) => isRunAgain(job, later)) ||
      jobs.some((job) => isRunAgain(job, passed) || hooks.some((passes) => passes(job))))
  )
    return
  checks.set(kind, { name, outcome, why: outcome === 'failed' ? errorLine(textOf(result)) : '', isOld, jobs })
}

function withoutAnchors(name: string): string {
  return name.replace(/[\^$](?=["'\s]|$)|(?<=["'\s])\^/g, '')
}

/** Returns a commit in one line: `1a2b3c4 Add the reader (main)`, as far as git has named its id and its branch. */
export function commitLine({ id, subject, branch }: ReportedCommit): string {
  return shortLine([id, subject, branch && `(${branch})`].filter(Boolean).join(' '), LINE_LENGTH)
}

/** Returns the run in one line. A long name is cut, so that the line has room for the result. */
export function checkLine({ name, outcome, why }: Check): string {
  const result = outcome === 'passed' ? 'ok' : `failed${why === '' ? '' : `: ${why}`}`
  return shortLine(`${shortLine(name, MAX_NAME)}: ${result}`, LINE_LENGTH)
}

/** The part of the room that the note may take. */
const NOTE_RATIO = 0.12
/** A room with fewer tokens gets no note. */
const MIN_ROOM = 1000

/** Returns the state of the work as a note; '' when there is nothing to say or too little room. */
export function standingNote(history: History, tokens: number, room: Pick<Room, 'count'>): string {
  if (tokens < MIN_ROOM) return ''
  const { open, commits, checks, plans, reports, branch } = toolStateOf(history)
  const lists: NoteList[] = [
    { title: 'Open tasks', items: open, first: true },
    { title: 'Branch', items: branch === '' ? [] : [oneLine(branch)] },
    { title: 'Plans that the user accepted', items: plans },
    { title: 'Commits made', items: commits.map(commitLine) },
    { title: 'Last runs of checks', items: checks.map(checkLine) },
    { title: 'What subagents reported last', items: reports },
  ]
  let left = Math.floor(tokens * NOTE_RATIO) - room.count(HEAD)
  const lines = lists.flatMap(({ title, items, first = false }) => {
    const kept: string[] = []
    for (const item of (first ? items : items.toReversed()).slice(0, first ? items.length : MAX_ITEMS)) {
      const cost = room.count(`\n- ${item}`)
      if (cost > left) break
      left -= cost
      kept.push(`- ${item}`)
    }
    if (kept.length === 0) return []
    const part = `the ${first ? 'first' : 'last'} ${kept.length} of ${items.length}`
    const head = `${title}${kept.length === items.length ? '' : ` (${part})`}:`
    left -= room.count(`\n${head}`)
    return [head, ...(first ? kept : kept.toReversed())]
  })
  return lines.length === 0 ? '' : [HEAD, ...lines].join('\n')
}

interface NoteList {
  title: string
  items: readonly string[]
  /** The first items count; otherwise the last ones. */
  first?: true
}

const HEAD = '## Where the work stands (read from the tool calls)'
