import { readInside } from '../../io/inside.ts'
import {
  type Blamed,
  type BlamedCommit,
  commitsTouching,
  fromTop,
  type Touching,
  textsAt,
} from '../../workspace/git/blame.ts'
import type { Workspace } from '../../workspace/open.ts'
import { linesOf, matchLines } from './lines.ts'
import type { RecordedEdit } from './recorded-edits.ts'
import { replay, withoutEdges } from './replay.ts'

/** A line of a file, and what wrote it. */
export interface Line {
  /** From 1. */
  number: number
  text: string
  /** The recorded edit that wrote the line; undefined if none is known. */
  by?: RecordedEdit
  /** The commit that added the line; undefined if the line is not in HEAD, or if this is not known. */
  commit?: BlamedCommit
}

export interface Traced {
  ws: Workspace
  file: string
  blamed: Blamed | undefined
  /** The recorded edits and reads of the file, under all names that it has had. Oldest first. */
  steps: readonly RecordedEdit[]
}

/**
 * Finds the edit that wrote each line. For a committed line, git's blame gives the commit that added it. The edits
 * between the file's previous commit and this commit are replayed over the previous version, and the result is compared
 * with the committed version. For other lines, the edits after the last commit are replayed over HEAD, and the result
 * is compared with the file on disk. `only`: the numbers of the wanted lines. `committed`: the file is read from HEAD,
 * not from disk.
 */
export async function attribute(
  { ws, file, blamed, steps }: Traced,
  { only, committed = false }: { only?: ReadonlySet<number>; committed?: boolean } = {},
): Promise<Line[]> {
  const { root } = ws
  const path = fromTop(root, file) ?? file
  const read = async (versions: Parameters<typeof textsAt>[1]) =>
    (await textsAt(ws, versions)).map((text) => linesOf(text ?? ''))
  const [head = []] = blamed === undefined ? [] : await read([{ sha: blamed.head, path }])
  const lines = committed ? head : linesOf(readInside(root, file) ?? '')
  // For each line its index in HEAD; -1 if it is not there, undefined if that is not known.
  const inHead = matchLines(head, lines)
  const wanted = lines.flatMap((_, index) => (only === undefined || only.has(index + 1) ? [index] : []))
  const touching =
    blamed === undefined ? [] : await commitsTouching(ws, [...new Set([...pathsIn(blamed), path])])
  const blameOf = (index: number) => blamed?.lines[inHead[index] ?? -1]
  const commits = [...new Set(wanted.flatMap((index) => blameOf(index)?.commit ?? []))]
  const after = await read(commits)
  const before = await read(commits.map((commit) => commit.previous ?? NO_VERSION))
  const writers = new Map(
    commits.map((commit, n) => {
      const edits = stepsBetween(steps, lastChange(touching, commit), commit.time + A_SECOND)
      return [commit, replay(before[n]!, edits, after[n]!)]
    }),
  )
  const uncommitted = wanted.some((index) => inHead[index] === -1)
    ? replay(head, stepsBetween(steps, lastChange(touching), Number.POSITIVE_INFINITY), lines)
    : []
  const written = lines.map((_, index) => {
    const blame = blameOf(index)
    return blame === undefined ? uncommitted[index] : writers.get(blame.commit)?.[blame.line - 1]
  })
  // Git may take an inserted brace for the one that was there. So what others wrote beside it since is an edge too. The
  // ends of the file are none, since the replay has looked at them.
  const kept = withoutEdges(lines, written, true)
  return wanted.map((index) => {
    const [by, blame] = [kept[index], blameOf(index)]
    return {
      ...{ number: index + 1, text: lines[index]! },
      ...(by === undefined ? {} : { by }),
      ...(blame === undefined ? {} : { commit: blame.commit }),
    }
  })
}

/** Git has no such object, so its text is empty. */
const NO_VERSION = { sha: '0'.repeat(40), path: '' }

/** Git gives the time of a commit in whole seconds, so an edit in the same second may be part of the commit. */
const A_SECOND = 1000

function stepsBetween(steps: readonly RecordedEdit[], from: number, to: number): RecordedEdit[] {
  return steps.filter(({ place }) => place.time >= from && place.time < to)
}

/**
 * When a commit last changed the file: before `commit` if it is given, else up to HEAD. In milliseconds since 1970; 0
 * if no commit did. A rebase does not change this time.
 */
function lastChange(touching: readonly Touching[], commit?: BlamedCommit): number {
  const earlier = new Set(touching.find(({ sha }) => sha === commit?.sha)?.before ?? [])
  const changes = commit === undefined ? touching : touching.filter(({ sha }) => earlier.has(sha))
  return changes.reduce((last, { authored, time }) => Math.max(last, Math.min(authored, time)), 0)
}

/** The names that a file has had, from git's blame. They are relative to the top of the work tree. */
export function pathsIn(blamed: Blamed | undefined): Set<string> {
  return new Set(
    blamed?.lines.flatMap(({ commit: { path, previous } }) => (previous ? [path, previous.path] : [path])),
  )
}
