import { CortextError } from '../errors.ts'
import { errnoOf, fileError } from '../io/file-error.ts'
import { asJson } from '../text/json.ts'
import { removeControls } from '../text/line.ts'
import { wrapForTerminal } from './print.ts'

/** Reports an error with which the program ends, and returns its exit code (docs/verbs.md). */
export function reportAtEnd(thrown: unknown): number {
  const error = tooManyFiles(thrown) ?? refusedBySystem(thrown) ?? thrown
  reportError(error, process.argv.includes('--json'))
  if (!(error instanceof CortextError)) return 70
  if (error.code === 'cancelled') return 130
  return error.code === 'usage' ? 2 : 1
}

/**
 * Returns an error with a fix if too many files are open, otherwise undefined. Any part of the program can reach this
 * limit.
 */
function tooManyFiles(error: unknown): CortextError | undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  if (code !== 'EMFILE' && code !== 'ENFILE') return undefined
  return new CortextError('unreadable', `too many files are open at once: ${(error as Error).message}`, {
    fix: 'see the limit: ulimit -n; raise it: ulimit -n 1024; then run the command again',
  })
}

/**
 * Returns an error with a fix if the system has refused a path, otherwise undefined. Rooms below handle what they expect;
 * this is for a path that only this machine refuses, such as a folder of a client that may not be entered.
 */
function refusedBySystem(error: unknown): unknown {
  const { path, syscall = '' } = Object(error) as NodeJS.ErrnoException
  if (path === undefined || !REFUSALS.includes(errnoOf(error) ?? '')) return undefined
  return fileError(error, path, READING.test(syscall) ? 'read' : 'write')
}

const REFUSALS = [
  'EACCES',
  'EPERM',
  'EROFS',
  'ELOOP',
  'ENOTDIR',
  'ENAMETOOLONG',
  'ENOSPC',
  'EDQUOT',
  'EIO',
  'ESTALE',
]
const READING = /^(?:open|read|scandir|l?stat|access|realpath)/

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
