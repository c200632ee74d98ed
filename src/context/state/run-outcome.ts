import { textOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { checksIn, doesMoreThanCheck, exitSpeaksOf } from './shell-job.ts'

/** How the jobs of a command ended. `unknown`: neither the exit code nor the output says how. */
export type Outcome = 'passed' | 'failed' | 'unknown'

const cache = new WeakMap<Message, Outcome>()

/** Returns how a command ended, judged by its exit code, or by its output if the exit code says nothing. Cached. */
export function outcomeOf(command: string, result: Message): Outcome {
  const cached = cache.get(result)
  if (cached !== undefined) return cached
  const outcome = judge(command, result)
  cache.set(result, outcome)
  return outcome
}

/**
 * Returns how the checks of a command ended. A command may do more than check: `npm test && git push`. If such a
 * command failed, its checks count as failed only if the output says so.
 */
export function outcomeOfChecks(command: string, result: Message): Outcome {
  const outcome = outcomeOf(command, result)
  if (outcome !== 'failed' || !doesMoreThanCheck(command)) return outcome
  const output = textOf(result).slice(-OUTPUT_LENGTH)
  return FAULT.test(output) || lastMatch(output, COMPILER_FAULT) !== -1 ? 'failed' : 'unknown'
}

function judge(command: string, result: Message): Outcome {
  const output = textOf(result)
  if (NOT_ENDED.test(output.slice(0, READ_LENGTH)) || INTERRUPTED.test(output.slice(-READ_LENGTH)))
    return 'unknown'
  const code = exitSpeaksOf(command)
  if (result.is_error === true && code !== 'none') return 'failed'
  const said = EXIT_CODE.exec(output.slice(-READ_LENGTH))?.[1]
  if (said !== undefined && said !== '0') return 'failed'
  const isCheck = checksIn(command).length > 0
  // Clients write exit codes into their transcripts. An agent loop may leave exit codes out.
  if (code === 'all' && (result.client !== undefined || !isCheck || verdictOf(output) !== 'failed'))
    return 'passed'
  if (isCheck) {
    const isSilent = output.trim() === '' && checksIn(command).every(({ name }) => SILENT.test(name))
    const verdict = isSilent ? 'passed' : verdictOf(output)
    return verdict === 'passed' && hidesFaults(command, output) ? 'unknown' : verdict
  }
  if (result.is_error === true) return 'failed'
  return lastMatch(output.slice(-OUTPUT_LENGTH), FINE) === -1 ? 'unknown' : 'passed'
}

/** Checks that print nothing if all is well. */
const SILENT = /^(?:go (?:build|vet)|tsc|mypy|eslint)$/

/** What clients write as the output of a command that goes on in the background, or that did not run to its end. */
const NOT_ENDED =
  /^(?:Command (?:is )?(?:still )?running in (?:the )?background|Command was (?:manually )?(?:moved to the )?background|(?:[^\n]*\n){0,2}Process running with session|Background process started|<tool_use_error>)/i
const INTERRUPTED = /\[Request interrupted by user/
/** An exit code in the output. A client adds it, or the command itself prints it. */
const EXIT_CODE = /^\W*exit(?:[ _-]?code)?: ?(\d+)\b/im
const READ_LENGTH = 1000
const OUTPUT_LENGTH = 20_000

/** Whether a pipe may have removed the lines about a failed check: `npm test | head -20`, `… | grep ok`. */
function hidesFaults(command: string, output: string): boolean {
  const head = /\|\s*head\b(?:\s+-(?:n\s*)?(\d+))?/.exec(command)
  if (head !== null && output.split('\n').length >= Number(head[1] ?? 10)) return true
  // `grep ok` and `grep -v FAIL` hide faults. `grep FAIL` and `grep -v warning` do not.
  return [...command.matchAll(FILTER)].some(
    ([, words = '']) => /(?:fail|error)/i.test(words) === /\s-\w*v\b/.test(words),
  )
}

const FILTER = /\|\s*(?:e?grep|rg)\b([^|]*)/g

/**
 * Returns how a check ended according to its output. A failed test always counts. A fault that a compiler or linter
 * reports does not count if the output says later that all is well.
 */
function verdictOf(whole: string): Outcome {
  const output = whole.slice(-OUTPUT_LENGTH)
  if (FAULT.test(output)) return 'failed'
  const fine = lastMatch(output, FINE)
  const fault = lastMatch(output, COMPILER_FAULT)
  if (fault > fine) return 'failed'
  return fine > lastMatch(output, POSSIBLE_FAULT) ? 'passed' : 'unknown'
}

/** The lines in which test runners say that a test failed. */
const FAULT =
  /^[^\S\n]*(?:--- FAIL|FAIL(?:ED)?(?:\t|[^\S\n]|$)|not ok \d)|\b[1-9]\d* (?:tests? )?(?:failed|failing)\b|^FAILURES!|^exit status [1-9]|\bERROR task failed\b/m
/** The lines in which compilers and linters say that a check failed. */
const COMPILER_FAULT =
  /\b[1-9]\d* (?:errors?|failures?|problems?|issues?)\b|\berror TS\d+|\berror\[\w+\]|^(?:\[[\w:]+\] )?\S+\.\w+:\d+:\d+: (?!warning|note|info)|^make: \*\*\* /gim
/** Lines that often tell of a failed check. A passing test may print such a line too. */
const POSSIBLE_FAULT = /^[^\w\n]*(?:error|fatal|panic|npm err!?)\b/gim
const FINE =
  /^ok\s|^PASS$|\b[1-9]\d* (?:tests? )?(?:pass(?:ed|ing)|ok)\b|\b(?:0|no) (?:issues?|errors?|problems?|warnings?)\b|\b(?:build succe\w+|compiled successfully|successfully compiled|built in|all checks passed|all (?:matched )?files (?:use|are)|tests? passed)\b|[✓✔] built/gim

function lastMatch(text: string, pattern: RegExp): number {
  let last = -1
  for (const { index } of text.matchAll(pattern)) last = index
  return last
}
