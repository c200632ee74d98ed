import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import type { Program } from '../io/environment.ts'
import { readBytesInside } from '../io/inside.ts'
import { findRepository } from './repository.ts'

/**
 * Returns the lines for the repository's configuration that say which program merges the files with `merge=cortext`. A
 * clone does not bring these lines. First they name the program by its whole path, because graphical git programs often
 * have neither node nor cortext on their PATH. If this fails, they run `cortext`. If this fails too, git merges
 * session.json as text, as it does without these lines. Our merge writes session.json only when it is complete.
 *
 * If the program is in the work tree, its path is left out, because another branch may have another version of it.
 */
export function driverLines(
  root: string,
  config: string | undefined,
  program: Program | undefined,
): string[] {
  const named = config === undefined ? undefined : programIn(config)
  const kept = named !== undefined && mayRun(root, named) && isWhole(config ?? '', named) ? named : undefined
  const own = program !== undefined && mayRun(root, program) ? program : undefined
  return linesFor(kept ?? own)
}

/** The program, or its node, that git's configuration names for the merge, if it is gone; otherwise undefined. */
export function goneDriver(common: string): string | undefined {
  const program = programIn(configOf(common) ?? '')
  return program && [program.script, program.node].find((path) => !existsSync(path))
}

/** Git's configuration, one character for each byte. */
export function configOf(common: string): string | undefined {
  return readBytesInside(common, 'config')?.toString('latin1')
}

function linesFor(program: Program | undefined): string[] {
  const steps = [
    ...(program === undefined ? [] : [`${asWord(program.node)} ${asWord(program.script)}`]),
    'cortext',
  ].map((cortext) => `${cortext} merge-session %O %A %B 2>/dev/null`)
  const driver = [...steps, 'git merge-file -q -L ours -L base -L theirs %A %O %B'].join(' || ')
  return ['[merge "cortext"]', '\tname = session.json of a conversation', `\tdriver = ${asValue(driver)}`]
}

/** Quotes a path for sh. Each `%` is doubled, because git would expand it. */
function asWord(path: string): string {
  return `'${path.replaceAll("'", "'\\''").replaceAll('%', '%%')}'`
}

function asValue(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}

/** The program that lines of ours in a configuration name by its whole path; undefined if they name none. */
function programIn(config: string): Program | undefined {
  const value = /^\tdriver = "((?:[^"\\\n]|\\.)*)"$/m.exec(config)?.[1]?.replace(/\\(.)/g, '$1')
  const words = /^('(?:[^']|'\\'')*') ('(?:[^']|'\\'')*') merge-session /.exec(value ?? '')
  const [node, script] = (words ?? []).slice(1).map((word) => {
    const path = word.slice(1, -1).replaceAll("'\\''", "'").replaceAll('%%', '%')
    return Buffer.from(path, 'latin1').toString('utf8')
  })
  return node === undefined || script === undefined ? undefined : { node, script }
}

/** Whether the configuration has exactly the lines that we write for this program. */
function isWhole(config: string, program: Program): boolean {
  const lines = linesFor(program).map((line) => Buffer.from(line, 'utf8').toString('latin1'))
  return config.replaceAll('\r\n', '\n').includes(`\n${lines.join('\n')}\n`)
}

function mayRun(root: string, { node, script }: Program): boolean {
  if (![node, script].every((path) => existsSync(path) && !path.includes('\n'))) return false
  const real = [node, script].map((path) => realpathSync(path))
  if (basename(real[1]!) !== 'bin.cjs' || basename(real[0]!).replace(/\.exe$/, '') !== 'node') return false
  const { top, common } = findRepository(root) ?? {}
  const trees = [root, top, common === undefined ? undefined : dirname(common)].filter(
    (tree) => tree !== undefined,
  )
  const paths = [node, script, ...real]
  return !paths.some((path) => trees.some((tree) => path.startsWith(join(realpathSync(tree), sep))))
}
