import { string } from './fields.ts'
import type { Call } from './talk.ts'

/** The test, lint or build that a shell command runs, without what stands around it; undefined where it runs none. */
export function checkIn(command: string): string | undefined {
  for (const part of command.replace(/<<[\s\S]*$/, '').split(/&&|\|\||[;|\n]/)) {
    const bare = part
      .trim()
      .replace(/^(?:\w+=\S*\s+|(?:timeout|nice|time|env)\s+(?:-\S+\s+)*(?:\d\S*\s+)?)+/, '')
      .replace(/\s*\d?>\S*.*$/, '')
    const [runner = '', ...rest] = bare.split(/\s+/)
    const name = runner.split('/').at(-1)!
    if (CHECKERS.has(name) || (RUNNERS.has(name) && rest.some((word) => JOB.test(word))))
      // Quotation marks are written differently in JSON, so what follows them is not looked for.
      return bare
        .split(/["'\\`$]/)[0]!
        .slice(0, LONGEST)
        .trim()
  }
  return undefined
}

const LONGEST = 60
const RUNNERS = new Set(
  'npm pnpm yarn npx bun bunx deno node make just task mise cargo go python python3 uv poetry gradle gradlew mvn dotnet swift rake bundle composer cmake bazel zig mix'.split(
    ' ',
  ),
)
const CHECKERS = new Set(
  'pytest tox ruff mypy golangci-lint eslint biome tsc vitest jest ctest rspec phpunit shellcheck'.split(' '),
)
const JOB =
  /^(?:[\w:-]*(?:test|lint|check|build|spec|e2e|vet|clippy|compile)[\w:-]*|pytest|tsc|vitest|jest|eslint|biome|mypy|ruff)$/

/**
 * The line that tells why a run failed; undefined where it did not. A pipe, and what follows the check, hide its exit
 * code; there the output tells.
 */
export function failureOf({ input, result, failed }: Call): string | undefined {
  if (!failed && !/\||;/.test(string(input.command))) return undefined
  const lines = result
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^Exit code \d+$/.test(line.trim()))
  const broken = lines.find((line) => FAILURE.test(line))
  if (!failed) return broken
  return broken ?? lines.find((line) => ERROR.test(line)) ?? lines.at(-1) ?? ''
}

const FAILURE = /^\s*(?:--- FAIL|FAIL(?:ED)?\b|not ok\b|✗|×|error(?:\[\w+\])?:|Error:|\S+:\d+:\d+:? )/
/** Words of a line that tells what went wrong. */
export const ERROR = /\berror\b|\bfatal\b|\bconflict\b|\bfail|\bpanic\b|undefined|cannot|not found/i
