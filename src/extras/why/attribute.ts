import { readInside } from '../../io/inside.ts'
import {
  type Blamed,
  type BlamedCommit,
  commitsTouching,
  fromTop,
  type Touching,
  textsAt,
  type Version,
} from '../../workspace/git/blame.ts'
import type { Workspace } from '../../workspace/open.ts'
import { linesOf, matchLines } from './lines.ts'
import { newest, played, type Step } from './played.ts'
import { rowsWritten } from './replay.ts'
import type { Writing } from './writings.ts'

/** A line of a file, and where it comes from. */
export interface Line {
  /** From 1. */
  number: number
  text: string
  /** The edit that wrote it; undefined where none in the record did. */
  by?: Writing
  /** The commit that it came with; undefined for a line that HEAD does not have like that. */
  commit?: BlamedCommit
}

/** What has to be known of a file to say where its lines come from. */
export interface Traced {
  ws: Workspace
  file: string
  blamed: Blamed | undefined
  /** The edits of the file under each of its names, and looks at it, the oldest first. */
  steps: readonly Writing[]
  /** The lines of files in commits, in their order; none where one is not there. */
  linesAt: (versions: readonly Version[]) => Promise<(readonly string[])[]>
}

/** Reads each version once. */
export function versionsOf({ root, environment }: Workspace): Traced['linesAt'] {
  const known = new Map<string, readonly string[]>()
  const keyOf = ({ sha, path }: Version) => `${sha}:${path}`
  return async (versions) => {
    const missing = versions.filter((version) => !known.has(keyOf(version)))
    const texts = await textsAt(root, environment.env, missing)
    for (const [at, version] of missing.entries()) known.set(keyOf(version), linesOf(texts[at] ?? ''))
    return versions.map((version) => known.get(keyOf(version))!)
  }
}

/**
 * Says of each line which edit wrote it. Git's blame says with which commit a line came. The edits that were made between
 * the commit before and this one are played over the file as it was, and what comes out is compared with the file as it
 * was committed. Lines that are not committed are compared with HEAD in the same way. `only`: the lines that are asked
 * for, from 1. With `committed` the file is taken as HEAD has it.
 */
export async function attribute(
  traced: Traced,
  { only, committed = false }: { only?: ReadonlySet<number>; committed?: boolean } = {},
): Promise<Line[]> {
  const { ws, file, blamed } = traced
  const path = fromTop(ws.root, file) ?? file
  const [before = []] = blamed === undefined ? [] : await traced.linesAt([{ sha: blamed.head, path }])
  const lines = committed ? before : linesOf(readInside(ws.root, file) ?? '')
  const places = matchLines(before, lines)
  const asked = lines.flatMap((_, at) => (only === undefined || only.has(at + 1) ? [at] : []))
  const touching = await touchingOf(traced)
  await traced.linesAt(asked.flatMap((at) => versionsIn(blamed?.lines[places[at]!]?.commit)))
  const commits = new Map<BlamedCommit, (Writing | undefined)[]>()
  for (const at of asked) {
    const commit = blamed?.lines[places[at]!]?.commit
    if (commit !== undefined && !commits.has(commit))
      commits.set(commit, await inCommit(traced, touching, commit))
  }
  const uncommitted = asked.some((at) => places[at] === -1)
    ? await between(traced, touching, {
        before,
        lines,
        fresh: places.map((at) => at === -1),
        since: newest(touching),
      })
    : []
  return asked.map((at) => {
    const blame = blamed?.lines[places[at]!]
    const by = blame === undefined ? uncommitted[at] : commits.get(blame.commit)![blame.line - 1]
    return {
      ...{ number: at + 1, text: lines[at]! },
      ...(by === undefined ? {} : { by }),
      ...(blame === undefined ? {} : { commit: blame.commit }),
    }
  })
}

function versionsIn(commit: BlamedCommit | undefined): Version[] {
  if (commit === undefined) return []
  return commit.previous === undefined ? [commit] : [commit, commit.previous]
}

/** The names that a file has had, from the top of the work tree. */
export function namesIn(blamed: Blamed | undefined): Set<string> {
  return new Set(
    blamed?.lines.flatMap(({ commit: { path, previous } }) => (previous ? [path, previous.path] : [path])) ??
      [],
  )
}

async function touchingOf({ ws, file, blamed }: Traced): Promise<Touching[]> {
  if (blamed === undefined) return []
  const names = new Set([...namesIn(blamed), fromTop(ws.root, file) ?? file])
  return commitsTouching(ws.root, ws.environment.env, [...names])
}

/** Which edits wrote the lines that came with a commit, for each line of the file there. */
async function inCommit(
  traced: Traced,
  touching: readonly Touching[],
  commit: BlamedCommit,
): Promise<(Writing | undefined)[]> {
  const [lines, before = []] = await traced.linesAt(versionsIn(commit))
  const earlier = new Set(touching.find(({ sha }) => sha === commit.sha)?.before ?? [])
  return between(traced, touching, {
    before,
    lines: lines!,
    fresh: matchLines(before, lines!).map((at) => at === -1),
    since: newest(touching.filter(({ sha }) => earlier.has(sha))),
    commit,
  })
}

interface FreshStep extends Step {
  /** Whether each line is new in this step. */
  fresh: readonly boolean[]
}

async function between(traced: Traced, touching: readonly Touching[], step: FreshStep) {
  const { by, others } = played(traced.steps, step)
  return others.length === 0 ? by : withOthers(traced, touching, step, by, others)
}

/**
 * Edits that did not find their place, and edits from before the commit before, may have written a line too: they were
 * made beside changes by hand, or were not committed at once. Their text alone says so. An edit whose text was committed
 * earlier has not written a line that came back later.
 */
async function withOthers(
  traced: Traced,
  touching: readonly Touching[],
  { lines, fresh, commit }: FreshStep,
  by: readonly (Writing | undefined)[],
  others: readonly Writing[],
): Promise<(Writing | undefined)[]> {
  const found = [...by]
  const open = new Map<string, number[]>()
  for (const [at, line] of lines.entries())
    if (fresh[at] && by[at] === undefined) open.set(line, [...(open.get(line) ?? []), at])
  const until = commit === undefined ? Number.POSITIVE_INFINITY : madeAt(touching, commit)
  for (const writing of others) {
    const rows = rowsWritten(writing)
    if (!rows.some((row) => row.some((line) => open.has(line)))) continue
    const earlier = await committedSince(traced, touching, writing, commit)
    const undone = undoneBefore(traced, writing, until)
    for (const row of rows)
      for (const [place, line] of row.entries()) {
        const isOpen = open.has(line) && !earlier.holds(line) && !undone(line) && !earlier.lacks(row, place)
        const at = isOpen ? open.get(line)!.shift() : undefined
        if (at !== undefined) found[at] = writing
      }
  }
  return found
}

/** What the file was when an edit was made, and in the commits between it and another commit. */
interface Earlier {
  /** Whether a line stood there: then it is not what the edit wrote there later. */
  holds: (line: string) => boolean
  /** Whether a line of a row was missing in a commit with which the line above or below it came. */
  lacks: (row: readonly string[], place: number) => boolean
}

async function committedSince(
  { ws, blamed, linesAt, steps }: Traced,
  touching: readonly Touching[],
  { file, place }: Writing,
  commit: BlamedCommit | undefined,
): Promise<Earlier> {
  const until = commit?.time ?? Number.POSITIVE_INFINITY
  const earlier = touching.filter(({ sha, time }) => time <= until && sha !== commit?.sha)
  const after = earlier.filter(({ time }) => time + A_SECOND > place.time)
  const last = earlier.find(({ time }) => time + A_SECOND <= place.time)
  const names = new Set([fromTop(ws.root, file) ?? file, ...namesIn(blamed)])
  const seen = steps.findLast((step) => step.kind === 'seen' && step.place.time <= place.time)
  const under = async (commits: readonly Touching[]) => {
    const versions = commits.flatMap(({ sha }) => [...names].map((path) => ({ sha, path })))
    return (await linesAt(versions)).map((lines) => new Set(lines))
  }
  const before = await under(last === undefined ? [] : [last])
  if (seen?.kind === 'seen') before.push(new Set(linesOf(seen.text)))
  const since = await under(after.slice(-MOST_LOOKED))
  return {
    holds: (line) => [...before, ...since].some((lines) => lines.has(line)),
    lacks: (row, place) => {
      const beside = [row[place - 1], row[place + 1]].filter((line) => line !== undefined)
      const came = beside.filter((line) => !before.some((lines) => lines.has(line)))
      return since.some((lines) => !lines.has(row[place]!) && came.some((line) => lines.has(line)))
    },
  }
}

/** When the change of a commit was made, in ms: a rebase does not count. */
function madeAt(touching: readonly Touching[], { sha, time }: BlamedCommit): number {
  return Math.min(time, touching.find((one) => one.sha === sha)?.authored ?? time)
}

/** Tells the lines of an edit that the file did not have any more before they were committed, as later steps show. */
function undoneBefore({ steps }: Traced, writing: Writing, until: number): (line: string) => boolean {
  const later = steps.slice(steps.indexOf(writing) + 1).filter(({ place }) => place.time < until)
  const texts = later.flatMap((step) =>
    step.kind === 'seen' || step.kind === 'whole' ? [new Set(linesOf(step.text))] : [],
  )
  const parts = later.flatMap((step) => (step.kind === 'parts' ? step.parts : []))
  return (line) =>
    texts.some((lines) => !lines.has(line)) ||
    parts.some(({ before, after }) => linesOf(before).includes(line) && !linesOf(after).includes(line))
}

const A_SECOND = 1000
const MOST_LOOKED = 100
