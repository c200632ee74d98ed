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
import { replay } from './replay.ts'

/** A line of a file, and where it comes from. */
export interface Line {
  /** From 1. */
  number: number
  text: string
  /** The edit that wrote it; undefined if no recorded edit is known to have written it. */
  by?: RecordedEdit
  /** The commit that added it; undefined when the line is not known to be in HEAD. */
  commit?: BlamedCommit
}

/** The facts about a file that `attribute` needs. */
export interface Traced {
  ws: Workspace
  file: string
  blamed: Blamed | undefined
  /** The edits and reads of the file under each of its names, oldest first. */
  steps: readonly RecordedEdit[]
}

/**
 * Names the edit that wrote each line. Git's blame gives the commit that added a line. The edits recorded between the
 * previous change of the file and that commit are replayed over the previous version, and the result is compared with
 * the committed version. For lines that are not committed, the later edits are replayed over HEAD and compared with the
 * file. `only` contains the numbers of the wanted lines. With `committed`, the file is read from HEAD, not from disk.
 */
export async function attribute(
  { ws, file, blamed, steps }: Traced,
  { only, committed = false }: { only?: ReadonlySet<number>; committed?: boolean } = {},
): Promise<Line[]> {
  const { root, environment } = ws
  const path = fromTop(root, file) ?? file
  const read = async (versions: Parameters<typeof textsAt>[2]) =>
    (await textsAt(root, environment.env, versions)).map((text) => linesOf(text ?? ''))
  const [head = []] = blamed === undefined ? [] : await read([{ sha: blamed.head, path }])
  const lines = committed ? head : linesOf(readInside(root, file) ?? '')
  const inHead = matchLines(head, lines)
  const wanted = lines.flatMap((_, index) => (only === undefined || only.has(index + 1) ? [index] : []))
  const touching =
    blamed === undefined
      ? []
      : await commitsTouching(root, environment.env, [...new Set([...pathsIn(blamed), path])])
  const blameOf = (index: number) => blamed?.lines[inHead[index] ?? -1]
  const commits = [...new Set(wanted.flatMap((index) => blameOf(index)?.commit ?? []))]
  const versions = await read(commits.flatMap((commit) => [commit, commit.previous ?? NO_VERSION]))
  const writers = new Map(
    commits.map((commit, n) => {
      const edits = stepsBetween(steps, lastChange(touching, commit), commit.time + A_SECOND)
      return [commit, replay(versions[2 * n + 1]!, edits, versions[2 * n]!)]
    }),
  )
  const uncommitted = wanted.some((index) => inHead[index] === -1)
    ? replay(head, stepsBetween(steps, lastChange(touching), Number.POSITIVE_INFINITY), lines)
    : []
  return wanted.map((index) => {
    const blame = blameOf(index)
    const by = blame === undefined ? uncommitted[index] : writers.get(blame.commit)![blame.line - 1]
    return {
      ...{ number: index + 1, text: lines[index]! },
      ...(by === undefined ? {} : { by }),
      ...(blame === undefined ? {} : { commit: blame.commit }),
    }
  })
}

/** Git has no object with this name, so the text counts as empty. */
const NO_VERSION = { sha: '0'.repeat(40), path: '' }

/** Git gives the time of a commit in whole seconds, so an edit in the same second may be part of the commit. */
const A_SECOND = 1000

function stepsBetween(steps: readonly RecordedEdit[], from: number, to: number): RecordedEdit[] {
  return steps.filter(({ place }) => place.time >= from && place.time < to)
}

/**
 * Returns the time in ms of the last commit that changed the file, or of the last such commit before `commit`; 0 if
 * there is none. A rebase does not change this time.
 */
function lastChange(touching: readonly Touching[], commit?: BlamedCommit): number {
  const earlier = new Set(touching.find(({ sha }) => sha === commit?.sha)?.before ?? [])
  const changes = commit === undefined ? touching : touching.filter(({ sha }) => earlier.has(sha))
  return changes.reduce((last, { authored, time }) => Math.max(last, Math.min(authored, time)), 0)
}

/** The names that a file has had, as blame reports them: relative to the top of the work tree. */
export function pathsIn(blamed: Blamed | undefined): Set<string> {
  return new Set(
    blamed?.lines.flatMap(({ commit: { path, previous } }) => (previous ? [path, previous.path] : [path])),
  )
}
