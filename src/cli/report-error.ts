import { CortextError } from '../errors.ts'
import { asJson } from '../text/json.ts'
import { removeControls } from '../text/line.ts'
import { wrapForTerminal } from './print.ts'

/** Prints `error: what failed` and `fix: what to do` on stderr, or with `--json` one document on stdout. */
export function reportError(error: unknown, json: boolean): void {
  if (json) process.stdout.write(`${asJson(errorAsJson(error))}\n`)
  else process.stderr.write(`${errorLines(error, process.stderr).join('\n')}\n`)
}

function errorAsJson(error: unknown) {
  const { message, fix } = partsOf(error)
  const code = error instanceof CortextError ? error.code : 'bug'
  return { error: { code, message, ...(fix === undefined ? {} : { fix }) } }
}

/** The lines of an error, without control characters. The `fix` line is never broken to fit the terminal. */
export function errorLines(error: unknown, terminal: Parameters<typeof wrapForTerminal>[1]): string[] {
  const { message, fix } = partsOf(error)
  // A person who cancelled needs no fix.
  if (error instanceof CortextError && error.code === 'cancelled')
    return [`${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`]
  const isBug = error instanceof Error && !(error instanceof CortextError)
  return [
    ...wrapForTerminal([`error: ${message}`], terminal),
    ...(fix === undefined ? [] : [`fix: ${fix}`]),
    ...(isBug ? [removeControls(error.stack ?? '')] : []),
  ]
}

function partsOf(error: unknown): { message: string; fix: string | undefined } {
  const fix = error instanceof CortextError ? error.fix : BUG
  return {
    message: indented(error instanceof Error ? error.message : String(error)),
    fix: fix === undefined ? undefined : indented(fix),
  }
}

/** The address for reports, `bugs.url` of package.json; '' if the package names none. */
declare const __BUGS__: string

const ADDRESS = typeof __BUGS__ === 'string' ? __BUGS__ : ''
const BUG = `this is a bug in cortext${ADDRESS === '' ? '' : `; report it, with this output: ${ADDRESS}`}`

/**
 * Removes control characters, and indents the lines after a line break. Otherwise a name with a line break could begin
 * a line that looks like one of ours, such as `fix: …`. Lines that begin with a space, `the nearest:` or `the newest:`
 * are ours and stay as they are.
 */
function indented(text: string): string {
  return removeControls(text).replace(/[\r\n]+(?! |the (?:nearest|newest):)/g, '\n  ')
}
