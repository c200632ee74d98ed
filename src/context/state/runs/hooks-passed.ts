import { textOf } from '../../../session/live-path.ts'
import type { Message } from '../../../session/schema.ts'
import { outcomeOf } from './run-outcome.ts'
import type { Job } from './shell-job.ts'

/**
 * Returns a function that says whether the hooks of a commit or push have done a job with success, as far as the output
 * names what they ran. Undefined when the command neither commits nor pushes, when it failed, and when it left the
 * hooks out.
 */
export function hooksPassed(command: string, result: Message): ((job: Job) => boolean) | undefined {
  if (!RUNS_HOOKS.test(command) || LEAVES_OUT.test(command)) return undefined
  if (outcomeOf(command, result) !== 'passed') return undefined
  const output = textOf(result)
  const lines = output.split('\n').filter((line) => HOOK_LINE.test(line))
  return lines.length === 0 ? undefined : (job) => lines.some((line) => wordsOf(job)?.test(line) === true)
}

const RUNS_HOOKS = /\bgit\b[^\n;&|]{0,200}\s(?:commit|push)\b/
const LEAVES_OUT = /\s(?:--no-verify|-n)\b|\bHUSKY=0\b|\bSKIP=/
/**
 * The lines in which hooks say what they ran: `Lint.....Passed` (pre-commit, prek), `✔ eslint --fix` (lint-staged), `✔️
 * lint` (lefthook), `$ biome check .` and `> vitest run` (package managers, called by husky).
 */
const HOOK_LINE = /\.{3,}\s*Passed\b|^\s*(?:\[(?:COMPLETED|SUCCESS)\]|[✔✓√]\S*)\s|^\s*[$>] \S/

/** Matches a line that names a job: its program, or the task of the project. Undefined for a job like `make check`. */
function wordsOf({ name, shown }: Job): RegExp | undefined {
  const words = [name, shown].flatMap((one) => one.split(' ').filter((word) => !RUNNER.test(word)))
  if (words.length === 0) return undefined
  const plain = [...new Set(words)].map((word) => OTHER_NAMES[word] ?? word.replace(/[^\w-]/g, '\\$&'))
  return new RegExp(`(?<![\\w-])(?:${plain.join('|')})(?![\\w-])`, 'i')
}

const RUNNER = /^(?:npm|pnpm|yarn|bun|run|make|just|task|mise|npx|go|cargo|mix|dotnet|check)$/
const OTHER_NAMES: Record<string, string> = {
  test: 'tests?|vitest|jest|mocha',
  lint: '[\\w-]*lint|biome',
  typecheck: 'type-?check|tsc',
}
