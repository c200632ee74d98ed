import { namingFile, type Source } from '../../journeys/finding/search.ts'
import {
  type Blamed,
  type BlamedCommit,
  commitsTouching,
  fromRoot,
  removedWith,
  type Version,
} from '../../workspace/git/blame.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { Traced } from './attribute.ts'
import { likeness, matchLines } from './lines.ts'
import { blameOf } from './moved.ts'
import { newest, played } from './played.ts'
import { toldIn } from './told.ts'
import { type Writing, writingsIn } from './writings.ts'

type LinesAt = Traced['linesAt']

/**
 * Follows the lines of a file through renames that git does not see. Git takes a file for a new one when it was renamed in
 * the commit in which more than half of it changed. The records know what tools had made of the old file until then: when
 * that is the new one by git's own measure, then the file was renamed.
 */
export async function throughRenames(
  ws: Workspace,
  blamed: Blamed,
  sources: readonly Source[],
  linesAt: LinesAt,
): Promise<Blamed> {
  let known = blamed
  for (const commit of new Set(blamed.lines.map((line) => line.commit))) {
    const before = commit.previous === undefined ? await oldName(ws, commit, sources, linesAt) : undefined
    if (before !== undefined) known = await withName(ws, known, { commit, before }, sources, linesAt)
  }
  return known
}

/** The removed file of which a file was made that came with a commit; undefined where the records know of none. */
async function oldName(
  ws: Workspace,
  commit: BlamedCommit,
  sources: readonly Source[],
  linesAt: LinesAt,
): Promise<Version | undefined> {
  const removed = (await removedWith(ws.root, ws.environment.env, commit.sha)).slice(0, MOST_REMOVED)
  const files = new Map(
    removed.flatMap((version) => {
      const file = fromRoot(ws.root, version.path)
      return file === undefined ? [] : [[file, version] as const]
    }),
  )
  if (files.size === 0) return undefined
  const steps = writingsIn(ws.root, toldIn(sources, namingFile(...files.keys())))
  const likely: { version: Version; like: number }[] = []
  for (const [file, version] of files) {
    const own = steps.filter((step) => step.file === file)
    if (own.length === 0) continue
    const like = await likenessOf(ws, own, { commit, before: version }, linesAt)
    if (like >= HALF) likely.push({ version, like })
  }
  return likely.sort((one, other) => other.like - one.like)[0]?.version
}

/** How much of a file that came with a commit is what tools had made of another one until then. */
async function likenessOf(
  ws: Workspace,
  steps: readonly Writing[],
  { commit, before }: Renamed,
  linesAt: LinesAt,
): Promise<number> {
  const touching = await commitsTouching(ws.root, ws.environment.env, [before.path])
  const earlier = new Set(touching.find(({ sha }) => sha === commit.sha)?.before ?? [])
  const since = newest(touching.filter(({ sha }) => earlier.has(sha)))
  const [lines, old] = await linesAt([commit, before])
  return likeness(played(steps, { before: old!, lines: lines!, since, commit }).made, lines!)
}

interface Renamed {
  commit: BlamedCommit
  before: Version
}

/** Lines that the old file had already came with an earlier commit. */
async function withName(
  ws: Workspace,
  blamed: Blamed,
  { commit, before }: Renamed,
  sources: readonly Source[],
  linesAt: LinesAt,
): Promise<Blamed> {
  const file = fromRoot(ws.root, before.path)!
  const plainly = await blameOf(ws, file, before.sha, linesAt)
  if (plainly === undefined) return blamed
  const earlier = await throughRenames(ws, plainly, sources, linesAt)
  const [lines, old] = await linesAt([commit, before])
  const places = matchLines(old!, lines!)
  const renamed = { ...commit, previous: before }
  return {
    ...blamed,
    lines: blamed.lines.map((one) =>
      one.commit === commit ? (earlier.lines[places[one.line - 1]!] ?? { ...one, commit: renamed }) : one,
    ),
  }
}

/** As much as git asks of two files before it calls them one. */
const HALF = 0.5
const MOST_REMOVED = 100
