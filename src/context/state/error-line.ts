import { oneLine } from '../../text/line.ts'

/**
 * Returns the line that tells why a command failed: the last line that mentions an error, or a fault in a file where that
 * line counts nothing; else the last line of the output. '' when the output is empty.
 */
export function errorLine(output: string): string {
  const lines = output.slice(-20_000).split('\n').map(oneLine).filter(Boolean)
  const telling = lines.findLast((line) => TELLING.test(line))
  if (telling !== undefined && COUNT.test(telling)) return telling
  return lines.findLast((line) => PLACE.test(line)) ?? telling ?? lines.at(-1) ?? ''
}

/** `2 failed`, `3 problems`. */
const COUNT = /\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?|errors?|problems?)\b/i
/** `src/a.ts:3:4: x is undefined`, also after the name of a task in brackets. */
const PLACE = /^(?:\[[\w:-]+\] )?[\w./-]+\.\w+:\d+(?::\d+)?: \S/
const TELLING =
  /\b(?:error|fatal|fail(?:ed|s|ure)?|cannot|not found|denied|refused|exception|panic|expected|undefined|unable)\b/i
