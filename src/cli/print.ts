import { printable } from '../text/line.ts'

/** Everything that goes to stdout goes through here: what comes from a record can hold escape sequences. */
export function say(...lines: string[]): void {
  process.stdout.write(`${lines.map(printable).join('\n')}\n`)
}

/** One document, nothing else. JSON escapes control characters itself. */
export function sayJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
}

/** What the person should know beside the answer: stderr, so that stdout stays what was asked for. */
export function note(...lines: string[]): void {
  if (lines.length > 0) process.stderr.write(`${lines.map(printable).join('\n')}\n`)
}

/** Told to the person: conversations that nobody stopped, and that were saved as paused (S1-005d). */
export function noteAutoPaused({
  quiet,
  ended,
}: {
  quiet: readonly string[]
  ended: readonly string[]
}): void {
  note(
    ...quiet.map((path) => `Quiet for a while, saved as paused: ${path}`),
    ...ended.map((path) => `Its client is gone, saved as paused: ${path}`),
  )
}
