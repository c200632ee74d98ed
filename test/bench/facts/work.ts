import { checkIn, ERROR, failureOf } from './checks.ts'
import { type Fact, haystack, holds, type Kind, type Needle } from './fact.ts'
import { fields, list, string } from './fields.ts'
import type { RareWords } from './rare-words.ts'
import type { Call, Talk } from './talk.ts'

/** Facts of what was done, the newest last. */
export function factsOfWork(talk: Talk, rare: RareWords): Fact[] {
  const { calls } = talk
  return [
    ...openTasks(calls).flatMap((task) => each('open tasks', rare.orExact(task))),
    ...filesEdited(calls).map((name) => fact('files edited', { exact: [name] })),
    ...commits(calls, rare),
    // A bare word ("main") stands in any talk, so that it cannot be looked for.
    ...(/[-_/\d]/.test(talk.branch) ? [fact('branch', { exact: [talk.branch] })] : []),
    ...checks(calls, rare),
    ...issues(talk),
    ...calls.flatMap((call) => each('accepted plans', rare.orExact(acceptedPlan(call)))),
    ...calls
      .filter(isSubagent)
      .slice(-REPORTS)
      .flatMap(({ result }) => each('reports of subagents', lastPassage(result, rare))),
    ...unresolved(talk, rare),
  ]
}

const REPORTS = 5

function fact(kind: Kind, ...needles: Needle[]): Fact {
  return { kind, needles }
}

function each(kind: Kind, needle: Needle | undefined): Fact[] {
  return needle === undefined ? [] : [fact(kind, needle)]
}

/** The last paragraph that says enough to be known again. */
export function lastPassage(text: string, rare: RareWords): Needle | undefined {
  const paragraphs = text.trim().split(/\n\s*\n/)
  return paragraphs
    .toReversed()
    .map(rare.of)
    .find((needle) => needle !== undefined)
}

function openTasks(calls: readonly Call[]): string[] {
  const written = calls.findLast(({ name, failed }) => name === 'TodoWrite' && !failed)
  const todos = list(written?.input.todos).map(fields)
  const open = todos.filter(({ status }) => status !== 'completed').map(({ content }) => string(content))
  const tasks = new Map<string, string>()
  for (const { name, input, result, details } of calls) {
    const id = string(fields(fields(details).task).id) || /Task #(\w+)/.exec(result)?.[1]
    if (name === 'TaskCreate' && id !== undefined) tasks.set(id, string(input.subject))
    if (name === 'TaskUpdate' && /completed|deleted/.test(string(input.status)))
      tasks.delete(string(input.taskId))
  }
  return [...open, ...tasks.values()]
}

/** Base names, each once, where it was edited last. Scratch files and plans of the client do not count. */
function filesEdited(calls: readonly Call[]): string[] {
  const paths = calls
    .filter(({ name, failed }) => EDITS.has(name) && !failed)
    .map(({ input }) => string(input.file_path) || string(input.notebook_path))
    .filter((path) => path !== '' && !/^\/(?:private\/)?(?:tmp|var)\/|\/\.claude\/plans\//.test(path))
  const names = paths.map((path) => path.split(/[\\/]/).at(-1)!)
  return [...new Set(names.toReversed())].toReversed()
}

const EDITS = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit'])

/** The id and the subject of each commit, without those in repositories that were made for a try. */
function commits(calls: readonly Call[], rare: RareWords): Fact[] {
  const made: { branch: string; fact: Fact }[] = []
  for (const { input, result } of calls) {
    const command = string(input.command)
    if (!/\bgit\b[^|;&\n]*\scommit\b/.test(command) || /\bgit init\b/.test(command)) continue
    for (const [, where, id, subject] of result.matchAll(/^\[([^\]\n]+?) ([0-9a-f]{7,12})\] (.+)$/gm)) {
      const branch = where!.split(' ')[0]!
      // The commit before an amended one is gone.
      const amended = /--amend/.test(command) ? made.findLastIndex((one) => one.branch === branch) : -1
      if (amended >= 0) made.splice(amended, 1)
      const about = rare.orExact(subject!)
      const exact = [id!, ...(about?.exact ?? [])]
      made.push({ branch, fact: fact('commits', { ...about, exact }) })
    }
  }
  return made.map((one) => one.fact)
}

/** How the last run of each check ended, the newest five: older ones have been overtaken. */
function checks(calls: readonly Call[], rare: RareWords): Fact[] {
  const last = new Map<string, Fact | undefined>()
  for (const call of calls) {
    const command = checkIn(string(call.input.command))
    if (command === undefined || (call.failed && NO_ERROR.test(call.result))) continue
    last.delete(command)
    last.set(command, checkFact(command, call, rare))
  }
  return [...last.values()].filter((one) => one !== undefined).slice(-CHECKS)
}

const CHECKS = 5

function checkFact(command: string, call: Call, rare: RareWords): Fact | undefined {
  const failedWith = failureOf(call)
  if (failedWith === undefined) {
    // A silent success is told by nothing that could be looked for.
    const saysSo = holds(haystack(call.result), { kind: 'results of checks', needles: [{ oneOf: PASSED }] })
    return saysSo ? fact('results of checks', { exact: [command], oneOf: PASSED }) : undefined
  }
  const why = rare.orExact(failedWith)
  return why && fact('results of checks', { exact: [command] }, why)
}

const PASSED = [
  'ok',
  'pass',
  'passes',
  'passed',
  'passing',
  'success',
  'successful',
  'succeeded',
  'green',
  'clean',
  '0 issues',
  'no issues',
  '✓',
  '✔',
  '✅',
]

/** Numbers that the person named, and what was created here, by its address or its number. */
function issues({ said, calls, pullRequests }: Talk): Fact[] {
  const named = said
    .filter(({ who }) => who === 'person')
    .flatMap(({ text }) => [...text.matchAll(/(?<![\w&/#])#\d{2,6}\b/g)].map(([name]) => name))
  const created = calls
    .filter(
      ({ name, input }) => CREATES.test(string(input.command)) || /create_(?:issue|pull_request)$/.test(name),
    )
    .flatMap(({ result }) => /https?:\/\/[^\s"'<>)\\]+/.exec(result)?.[0] ?? [])
  return [
    ...[...new Set(named)].map((number) => fact('issues and pull requests', { exact: [number] })),
    ...[...new Set([...created, ...pullRequests])].map((address) =>
      fact('issues and pull requests', {
        oneOf: [address, ...numbersIn(address)].map((one) => one.toLowerCase()),
      }),
    ),
  ]
}

const CREATES = /\bgh (?:pr|issue) create\b|\bglab (?:mr|issue) create\b/

/** How people name what lies at this address: #12, ABC-12. */
function numbersIn(address: string): string[] {
  const number = /\/(?:pull|issues|merge_requests)\/(\d+)/.exec(address)?.[1]
  const key = /\/issue\/([A-Z]+-\d+)/.exec(address)?.[1]
  return [...(number === undefined ? [] : [`#${number}`]), ...(key === undefined ? [] : [key])]
}

function acceptedPlan({ name, input, result }: Call): string {
  if (name !== 'ExitPlanMode' || !/^User has approved your plan/.test(result)) return ''
  const lines = string(input.plan)
    .split('\n')
    .filter((line) => line.trim() !== '')
  return (lines.find((line) => line.startsWith('#')) ?? lines[0] ?? '').replace(/^#+\s*/, '')
}

function isSubagent({ name, result, failed }: Call): boolean {
  return (name === 'Task' || name === 'Agent') && !failed && result !== ''
}

/** Calls of the last two turns that failed and never worked since; what a person refused did not fail. */
function unresolved({ said, calls }: Talk, rare: RareWords): Fact[] {
  const turns = said.flatMap(({ who }, place) => (who === 'person' ? [place] : []))
  const from = turns.at(-2) ?? 0
  const late = calls.filter((call) => call.said > from)
  return late
    .filter(
      (call, place) =>
        call.failed &&
        !LOOKS.has(call.name) &&
        !NO_ERROR.test(call.result) &&
        checkIn(string(call.input.command)) === undefined &&
        !late.slice(place + 1).some((later) => !later.failed && jobOf(later) === jobOf(call)),
    )
    .slice(-UNRESOLVED)
    .flatMap(({ result }) => each('unresolved errors', rare.of(errorLine(result))))
}

const UNRESOLVED = 5
/** What cannot be looked at stands in nobody's way. */
const LOOKS = new Set(['Read', 'Grep', 'Glob', 'LS', 'WebFetch', 'WebSearch', 'TaskOutput'])
const NO_ERROR =
  /The user doesn['’]t want|Sibling tool call errored|Request interrupted|has not been read yet/

function jobOf({ name, input }: Call): string {
  const what = string(input.file_path) || string(input.command).split(/\s+/).slice(0, 2).join(' ')
  return `${name} ${what}`
}

function errorLine(result: string): string {
  const lines = result
    .replace(/<\/?tool_use_error>/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^Exit code \d+$/.test(line.trim()))
  return lines.find((line) => ERROR.test(line)) ?? lines[0] ?? ''
}
