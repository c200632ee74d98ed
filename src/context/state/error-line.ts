import { oneLine } from '../../text/line.ts'

/** Returns the last line of an output that mentions an error, else its last line; '' when the output is empty. */
export function errorLine(output: string): string {
  const lines = output.slice(-20_000).split('\n').map(oneLine).filter(Boolean)
  return lines.findLast((line) => TELLING.test(line)) ?? lines.at(-1) ?? ''
}

const TELLING =
  /\b(?:error|fatal|fail(?:ed|s|ure)?|cannot|not found|denied|refused|exception|panic|expected|undefined|unable)\b/i
