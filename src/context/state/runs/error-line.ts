import { oneLine } from '../../../text/line.ts'

/**
 * Returns the line that tells best why a command failed; '' when the output is empty. It is the first of these that the
 * output has:
 * * the last line that mentions an error, if it counts failures
 * * the last line about a failed test
 * * the last line with the place of a compiler's error
 * * the last line that mentions an error
 * * the last line
 */
export function errorLine(output: string): string {
  const all = output.slice(-20_000).split('\n').map(oneLine).filter(Boolean)
  const own = all.filter((line) => !AROUND.test(line))
  const lines = own.length === 0 ? all : own
  const telling = lines.findLast((line) => TELLING.test(line))
  if (telling !== undefined && COUNT.test(telling)) return telling
  const exact = lines.findLast((line) => FAILED_TEST.test(line)) ?? lines.findLast((line) => PLACE.test(line))
  return exact ?? telling ?? lines.at(-1) ?? ''
}

/** The lines that package managers and clients write around the output of a program. */
const AROUND =
  /^npm (?:error|err!) (?:a complete log|command|code|lifecycle|path|workspace|location|errno)\b|^error: script .* exited\b|^(?:Error|Signal|Output): \((?:none|empty)\)|^(?:Exit Code|Process Group PGID|Directory|Command|Signal|Wall time|Chunk ID): |^Shell cwd was reset\b|\bfixable with\b/i
/** A count of failures: `2 failed`, `3 problems`. */
const COUNT = /\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?|errors?|problems?)\b/i
const FAILED_TEST = /^(?:\[[\w:-]+\] )?(?:--- FAIL: |not ok \d)/
/** The place of an error: `src/a.ts:3:4: x is undefined`. The name of a task in brackets may precede it. */
const PLACE = /^(?:\[[\w:-]+\] )?(?:\w+(?:\.exe)?: )?[\w./\\-]+\.\w+:\d+:\d+: \S/
const TELLING =
  /\b(?:errors?|fatal|fail(?:ed|s|ure)?|cannot|not found|denied|refused|exception|panic|expected|undefined|unable)\b/i
