import { textOf } from '../../../session/live-path.ts'
import type { Message } from '../../../session/schema.ts'
import { type Outcome, tellsOfFault, tellsOfSuccess, verdictOf } from './check-output.ts'
import { checksApart, checksIn, doesMoreThanCheck, exitSpeaksOf, isPiped, printedBy } from './shell-job.ts'

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
 * command failed, its checks count as failed only if the output says so. If checks run one after the other, whether
 * they fail or not, nobody knows which of them failed.
 */
export function outcomeOfChecks(command: string, result: Message): Outcome {
  const outcome = outcomeOf(command, result)
  if (outcome !== 'failed') return outcome
  if (checksApart(command)) return 'unknown'
  if (!doesMoreThanCheck(command)) return outcome
  return tellsOfFault(textOf(result)) ? 'failed' : 'unknown'
}

/** Whether a shell said that a program of the command is not there. */
export function isMissing(result: Message): boolean {
  return NOT_FOUND.test(textOf(result).slice(-READ_LENGTH))
}

function judge(command: string, result: Message): Outcome {
  const output = textOf(result)
  const [begin, end] = [output.slice(0, READ_LENGTH), output.slice(-READ_LENGTH)]
  if (
    [NOT_ENDED, OUT_OF_TIME].some((said) => said.test(begin)) ||
    [INTERRUPTED, OUT_OF_TIME].some((said) => said.test(end)) ||
    isMissing(result)
  )
    return 'unknown'
  const code = exitSpeaksOf(command)
  if (result.is_error === true && code !== 'none') return 'failed'
  const said = EXIT_CODE.exec(end)?.[1]
  if (said !== undefined && said !== '0' && code !== 'none') return 'failed'
  const printed = PRINTS_CODE.test(command) ? printedCodes(end) : []
  if (printed.some((one) => one !== '0')) return 'failed'
  const isCheck = checksIn(command).length > 0
  // Clients write exit codes into their transcripts. An agent loop may leave exit codes out.
  if (code === 'all' && (result.client !== undefined || !isCheck || verdictOf(output) !== 'failed'))
    return 'passed'
  if (isCheck) {
    if (printed.length > 0 && !isPiped(command)) return 'passed'
    const verdict = isSilent(command, output) ? 'passed' : verdictOf(output)
    return verdict === 'passed' && hidesFaults(command, output) ? 'unknown' : verdict
  }
  if (result.is_error === true) return 'failed'
  return tellsOfSuccess(output) ? 'passed' : 'unknown'
}

/**
 * Whether checks that print nothing if all is well printed nothing, apart from what the command itself prints, and the
 * line in which a package manager names the script.
 */
function isSilent(command: string, output: string): boolean {
  if (!checksIn(command).every(({ name }) => SILENT.test(name))) return false
  const echoed = printedBy(command)
  const lines = output.replace(NO_OUTPUT, '').split('\n')
  return lines.every((line) => /^(?:[>$] .*|)$/.test(line.trim()) || echoed.includes(line.trim()))
}

const SILENT =
  /^(?:go (?:build|vet)|npm typecheck|mypy|npm lint|flake8|shellcheck|actionlint|yamllint|staticcheck|py_compile|mix (?:compile|format)|gofmt)$/

/** What clients write around an output, so that an empty output is not an empty text. */
const NO_OUTPUT =
  /^(?:\(Bash completed with no output\)|\(no output\)|Chunk ID:.*|Wall time:.*|Process exited with code 0|Original token count:.*|Output:(?: \(empty\))?|Exit code: 0|<[^<>\n]*exit code 0>)$/gim

/**
 * What clients write as the output of a command that goes on in the background, or that did not run to its end. A
 * command that ran out of time says nothing about its checks.
 */
const NOT_ENDED =
  /^(?:Command (?:is )?(?:still )?running in (?:the )?background|Command was (?:manually )?(?:moved to the )?background|(?:[^\n]*\n){0,2}Process running with session|Background process started|<tool_use_error>)/i
const OUT_OF_TIME = /^(?:Error: )?command timed out\b/im
const INTERRUPTED = /\[Request interrupted by user|^Command aborted\s*$/m
/** What a shell says of a program that is not there. A check that did not run has not failed. */
const NOT_FOUND =
  /^(?:\S+: (?:(?:line )?\d+: )?)?(?:[\w./-]+: command not found|command not found: \S+)\s*$|^\S+: \d+: [\w./-]+: not found\s*$|^npm (?:error|ERR!) (?:code E404|could not determine executable to run)|is not recognized as (?:an internal or external command|(?:the|a) name of a cmdlet)/m
/** An exit code in the output, written by a client. */
const EXIT_CODE = /^\W*exit(?:[ _-]?code)?: ?(\d+)\b/im
/** The command prints an exit code itself: `npm test; echo "exit: $?"`. */
const PRINTS_CODE = /\becho\b[^\n;&|]*\$(?:\?|\{?PIPESTATUS|LASTEXITCODE)|\$LASTEXITCODE/
const READ_LENGTH = 1000

function printedCodes(output: string): string[] {
  const lines = output.matchAll(/^\W*[\w -]*(?:exit|rc|status|code)[\w ]*\W{1,3}(\d{1,3})\W*$/gim)
  return [...lines].map(([, code]) => code!)
}

/** Whether a pipe may have removed the lines about a failed check: `npm test | head -20`, `… | grep ok`. */
function hidesFaults(command: string, output: string): boolean {
  const head = /\|\s*head\b(?:\s+-(?:n\s*)?(\d+))?/.exec(command)
  if (head !== null && output.split('\n').length >= Number(head[1] ?? 10)) return true
  // `grep ok` and `grep -v FAIL` hide faults. `grep FAIL` and `grep -v warning` do not.
  return [...command.matchAll(FILTER)].some(
    ([, words = '']) => /(?:fail|error)/i.test(words) === /\s(?:-\w*v|\/v|-NotMatch)\b/i.test(words),
  )
}

const FILTER = /\|\s*(?:e?grep|rg|findstr|Select-String|sls)\b([^|]*)/gi
