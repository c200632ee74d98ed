import type { Kept } from '../journeys/merging/keep-in-git.ts'
import { settleMerges } from '../journeys/merging/look.ts'
import { autoPause } from '../journeys/recording/auto-pause.ts'
import { tellLeft } from '../journeys/recording/left.ts'
import type { Workspace } from '../workspace/open.ts'
import { note, noteAutoPaused } from './print.ts'

/**
 * What every verb that looks at conversations does first: what a merge has left is settled, and what has gone quiet is
 * saved. The person is told.
 */
export async function settle(ws: Workspace): Promise<void> {
  await settleAfterGit(ws)
  const paused = await autoPause(ws)
  noteAutoPaused(paused)
  // Of one whose client is gone they have just heard.
  const left = tellLeft(ws).filter(({ path }) => !paused.ended.includes(path))
  const [first] = left
  if (first !== undefined)
    note(
      left.length === 1
        ? `${first.called} was left without a stop, so it is not committed: cortext stop ${first.number}`
        : `${left.length} conversations were left without a stop, so they are not committed: cortext list`,
    )
}

/** Only the first of the two, for verbs that save by themselves. */
export async function settleAfterGit(ws: Workspace): Promise<void> {
  const { apart, joined, counted } = await settleMerges(ws)
  note(
    ...apart.map(
      ({ path, others, kept }) =>
        `Begun under one name in two clones, each in its own folder now (${WORDS[kept]}): ${[path, ...others].join(', ')}`,
    ),
    ...joined.map(
      ({ path, kept }) =>
        `Joined both sides of a git conflict in ${path}/.session/session.json (${WORDS[kept]})`,
    ),
    ...counted.map(({ path, kept }) => `Counted anew after a merge: ${path} (${WORDS[kept]})`),
  )
}

const WORDS: Record<Kept, string> = {
  committed: 'committed',
  staged: 'staged for your next commit',
  'on disk': 'not committed',
}
