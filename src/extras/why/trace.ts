import { basename } from 'node:path'
import { CortextError } from '../../errors.ts'
import { readInside } from '../../io/inside.ts'
import { fileNamePattern, type Source } from '../../journeys/finding/search.ts'
import { byTypos, countTypos } from '../../text/count-typos.ts'
import { paste } from '../../text/paste.ts'
import { pathBelow } from '../../text/project-path.ts'
import { blame, fromRoot } from '../../workspace/git/blame.ts'
import { trackedFiles } from '../../workspace/git/index.ts'
import type { Workspace } from '../../workspace/open.ts'
import { pathsIn, type Traced } from './attribute.ts'
import { allSources, type RecordFile, recordFilesMatching } from './record-files.ts'
import { type RecordedEdit, recordedEdits } from './recorded-edits.ts'

/** A file, and what git and the records know about it. */
export interface TracedFile extends Traced {
  /** The names that the file has had, relative to the root. */
  names: string[]
  /** The text on disk; undefined when the file does not exist. */
  text: string | undefined
  /** `steps` without the reads. */
  edits: readonly RecordedEdit[]
  sources: readonly Source[]
  records: readonly RecordFile[]
}

/**
 * Collects what git and the records know about a file. Throws a CortextError when the path leaves the workspace or goes
 * through a link, and when the file is not a regular file, is too large or cannot be read.
 */
export async function trace(ws: Workspace, file: string, loaded?: readonly Source[]): Promise<TracedFile> {
  const text = readInside(ws.root, file)
  const sources = loaded ?? (await allSources(ws))
  const blamed = await blame(ws, file)
  const names = new Set([file, ...[...pathsIn(blamed)].flatMap((name) => fromRoot(ws.root, name) ?? [])])
  const records = recordFilesMatching(sources, fileNamePattern(...names))
  const steps = recordedEdits(ws.root, records).filter((step) => names.has(step.file))
  const edits = steps.filter(({ kind }) => kind !== 'seen')
  return { ws, file, blamed, text, steps, edits, names: [...names], sources, records }
}

/** Groups ascending numbers into ranges without gaps. A range is its first and its last number. */
export function rangesOf(numbers: readonly number[]): [number, number][] {
  const ranges: [number, number][] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === number - 1) last[1] = number
    else ranges.push([number, number])
  }
  return ranges
}

/**
 * Parses `src/a.ts:12` as a file and a line. The column in `src/a.ts:12:5` is ignored. A file that has the whole text as
 * its name is meant itself. `place` is relative to the working folder, `file` to the root. Throws `usage` for a path
 * outside the workspace.
 */
export function fileAndLine(ws: Workspace, place: string): { file: string; line?: number } {
  const [, name, number] = /^(.+?):(\d{1,9})(?::\d+)?$/.exec(place) ?? []
  const whole = pathBelow(ws.root, ws.environment.cwd, place)
  if (whole !== undefined && (name === undefined || readInside(ws.root, whole) !== undefined))
    return { file: whole }
  return { file: inWorkspace(ws, name ?? place), ...(name !== undefined && { line: Number(number) }) }
}

function inWorkspace({ root, environment }: Workspace, path: string): string {
  const file = pathBelow(root, environment.cwd, path)
  if (file !== undefined) return file
  throw new CortextError('usage', `${path} is not a file of this workspace, so nothing is known about it`, {
    fix: 'cortext why src/a.ts:12',
  })
}

/** What to suggest for an unknown file: `cortext why` with a tracked file of a similar name, else `cortext search`. */
export async function fixForUnknown(
  { root, environment }: Workspace,
  file: string,
  line?: number,
): Promise<string> {
  const similar = mostSimilar(file, await trackedFiles({ root, environment }))
  if (similar === undefined) return paste`cortext search ${basename(file)}`
  return paste`cortext why ${line === undefined ? similar : `${similar}:${line}`}`
}

/**
 * Returns a path with the same file name as `file`. If there is none, returns the path with the most similar file name;
 * its name is compared with and without its ending. Undefined if no name is similar.
 */
function mostSimilar(file: string, paths: readonly string[]): string | undefined {
  const name = basename(file)
  const shortFirst = paths.toSorted((one, other) => one.length - other.length)
  return byTypos(shortFirst, (path) => {
    const other = basename(path)
    return other === name
      ? -1
      : Math.min(countTypos(name, other), countTypos(name, other.replace(/\.[^.]*$/, '')))
  })[0]
}
