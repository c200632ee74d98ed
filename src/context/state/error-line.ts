import { oneLine } from '../../text/line.ts'

/**
 * Returns the line that tells why a command failed: a count of failures, the test that failed, the place of a
 * compiler's error, or else the last line that mentions an error; without such a line the last one. '' when the output
 * is empty.
 */
export function errorLine(output: string): string {
  const lines = output.slice(-20_000).split('\n').map(oneLine).filter(Boolean)
  const telling = lines.findLast((line) => TELLING.test(line))
  if (telling !== undefined && COUNT.test(telling)) return telling
  const exact = lines.findLast((line) => FAILED_TEST.test(line)) ?? lines.findLast((line) => PLACE.test(line))
  return exact ?? telling ?? lines.at(-1) ?? ''
}

/** `2 failed`, `3 problems`. */
const COUNT = /\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?|errors?|problems?)\b/i
const FAILED_TEST = /^(?:\[[\w:-]+\] )?(?:--- FAIL: |not ok \d)/
/** `src/a.ts:3:4: x is undefined`, also after the name of a task in brackets. */
const PLACE = /^(?:\[[\w:-]+\] )?[\w./-]+\.\w+:\d+:\d+: \S/
const TELLING =
  /\b(?:error|fatal|fail(?:ed|s|ure)?|cannot|not found|denied|refused|exception|panic|expected|undefined|unable)\b/i
