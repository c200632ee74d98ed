import { CortextError } from '../errors.ts'
import { asJson } from '../text/json.ts'
import { printable } from '../text/line.ts'
import { inTerminal } from './print.ts'

/** Prints `error: what` and `fix: a command to paste` on stderr; with `--json` one document on stdout. */
export function reportError(error: unknown, json: boolean): void {
  const known = error instanceof CortextError
  const message = printable(error instanceof Error ? error.message : String(error))
  const fix = known ? error.fix : 'this is a bug in cortext: please report it, with what follows'
  if (json) {
    const code = known ? error.code : 'bug'
    process.stdout.write(`${asJson({ error: { code, message, ...(fix === undefined ? {} : { fix }) } })}\n`)
    return
  }
  // Whoever pressed Esc knows what they did.
  if (known && error.code === 'cancelled') {
    process.stderr.write(`${message.slice(0, 1).toUpperCase()}${message.slice(1)}.\n`)
    return
  }
  process.stderr.write(`${inTerminal([`error: ${message}`], process.stderr).join('\n')}\n`)
  if (fix !== undefined) process.stderr.write(`fix: ${printable(fix)}\n`)
  if (!known && error instanceof Error) process.stderr.write(`${printable(error.stack ?? '')}\n`)
}
