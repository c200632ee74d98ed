import { oneLine } from '../../text/line.ts'

/** Returns the last line that mentions an error, else the last line of the output; '' when the output is empty. */
export function errorLine(output: string): string {
  const lines = output.slice(-20_000).split('\n').map(oneLine).filter(Boolean)
  return lines.findLast((line) => TELLING.test(line)) ?? lines.at(-1) ?? ''
}

const TELLING =
  /\b(?:error|fatal|fail(?:ed|s|ure)?|cannot|not found|denied|refused|exception|panic|expected|undefined|unable)\b/i
