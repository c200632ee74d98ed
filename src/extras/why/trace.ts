import { relative, resolve, sep } from 'node:path'
import { CortextError } from '../../errors.ts'
import { readInside } from '../../io/inside.ts'
import { namingFile, type Source } from '../../journeys/finding/search.ts'
import { fromRoot, headOf } from '../../workspace/git/blame.ts'
import type { Workspace } from '../../workspace/open.ts'
import { namesIn, type Traced, versionsOf } from './attribute.ts'
import { blameOf } from './moved.ts'
import { throughRenames } from './renamed.ts'
import { allSources, type Told, toldIn } from './told.ts'
import { type Writing, writingsIn } from './writings.ts'

/** A file, and everything in the records that names it. */
export interface TracedFile extends Traced {
  /** The names that the file has had, relative to the root. */
  names: string[]
  /** Undefined where the file is not there any more. */
  text: string | undefined
  /** The edits alone. */
  writings: readonly Writing[]
  sources: readonly Source[]
  told: readonly Told[]
}

/** Reads what git and the records know of a file. Throws `usage` for a file outside the workspace. */
export async function trace(ws: Workspace, file: string, sources?: readonly Source[]): Promise<TracedFile> {
  const text = readInside(ws.root, file)
  const all = sources ?? (await allSources(ws))
  const linesAt = versionsOf(ws)
  const head = await headOf(ws.root, ws.environment.env)
  const plainly = head === undefined ? undefined : await blameOf(ws, file, head, linesAt)
  const blamed = plainly && (await throughRenames(ws, plainly, all, linesAt))
  const names = new Set([file, ...[...namesIn(blamed)].flatMap((name) => fromRoot(ws.root, name) ?? [])])
  const told = toldIn(all, namingFile(...names))
  const steps = writingsIn(ws.root, told).filter((step) => names.has(step.file))
  const writings = steps.filter(({ kind }) => kind !== 'seen')
  const known = { ws, file, blamed, text, steps, writings, names: [...names] }
  return { ...known, sources: all, told, linesAt }
}

/** A file that was typed, and the line after it: `src/a.ts:12`, also with a column behind. */
export function fileAndLine(ws: Workspace, typed: string): { file: string; line?: number } {
  const [, name, number] = /^(.+?):(\d{1,9})(?::\d+)?$/.exec(typed) ?? []
  const whole = fileOf(ws, typed)
  if (name === undefined || readable(ws, whole)) return { file: inWorkspace(whole, typed) }
  return { file: inWorkspace(fileOf(ws, name), name), line: Number(number) }
}

function readable(ws: Workspace, file: string): boolean {
  return !isOutside(file) && readInside(ws.root, file) !== undefined
}

function fileOf({ root, environment }: Workspace, typed: string): string {
  return relative(root, resolve(environment.cwd, typed)).split(sep).join('/')
}

function isOutside(file: string): boolean {
  return file === '' || file === '..' || file.startsWith('../')
}

function inWorkspace(file: string, typed: string): string {
  if (!isOutside(file)) return file
  throw new CortextError('usage', `${typed} is not a file of this workspace, so nothing is known of it`, {
    fix: 'cortext why src/a.ts:12',
  })
}
