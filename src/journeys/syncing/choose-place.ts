import { isAbsolute, relative } from 'node:path'
import { inHistory } from '../../conversation/keeping/open-history.ts'
import { CortextError } from '../../errors.ts'
import { withSlashes } from '../../io/slashes.ts'
import { forgetPlace, type PlaceNote, readPlace, updatePlace } from '../../store/machine/place.ts'
import { paste } from '../../text/paste.ts'
import { addressOf, branchOf, findBranch, OURS, projectOf, removeRefs } from '../../workspace/git/place.ts'
import type { Workspace } from '../../workspace/open.ts'
import { kindOf, projectsAt } from '../../workspace/places/open-place.ts'
import type { Kind } from '../../workspace/places/place.ts'
import { findGitTop } from '../../workspace/root.ts'
import { suggestedPlace } from '../../workspace/suggested-place.ts'
import { checkCanSync, repositoryOf, whileNoSync } from './sync.ts'

export interface Chosen {
  address: string
  branch: string
  /** The branch is new: no machine has sent this project there. */
  isNew: boolean
  /** A folder, or a repository, was made there. */
  made: boolean
  kind?: Kind
  /** The address of the place before, if it was another one. */
  before?: string
}

export interface Choosing {
  /** The branch, if the person has said which. */
  branch?: string | undefined
  /** Whether a folder that is not there is made, and a repository in it. Default: true. */
  makes?: boolean
  /** So long the place is waited for; an hour by default. */
  timeoutMs?: number
  /** The person has chosen the place for this workspace: that decides about the one that its settings name. */
  decides?: boolean
}

/**
 * Notes where the conversations of a workspace go. A folder that is not there is made; if its name ends in `.git`, it
 * becomes a bare git repository. The branch is the one of this project, if another clone of it has made one; otherwise a
 * new one. Throws `usage` for a wrong address, `refused` where the conversations are in the project's own git,
 * `ambiguous` when it is not certain which branch is this project's, `locked` and git's errors.
 */
export async function choosePlace(ws: Workspace, text: string, how: Choosing = {}): Promise<Chosen> {
  checkCanSync(ws)
  return whileNoSync(ws, () => choose(ws, text, how))
}

async function choose(
  ws: Workspace,
  text: string,
  { branch: wanted, makes = true, timeoutMs, decides = false }: Choosing,
): Promise<Chosen> {
  const address = addressOf(text, ws.environment.cwd)
  const repository = repositoryOf(ws)
  inHistory(ws, { make: true }, () => undefined)
  const top = findGitTop(ws.root) ?? ws.root
  if (isAbsolute(address) && isBelow(address, top))
    throw new CortextError('refused', `${address} is in this project, whose git would see it`, {
      fix: 'name a folder elsewhere, a URL, or user@host:path',
    })
  const before = readPlace(ws.local)
  const kind = before?.address === address ? before.kind : kindOf(address)
  const { names: branches, made } = await projectsAt(repository, address, { kind, makes, timeoutMs })
  if (wanted !== undefined && !BRANCH.test(wanted))
    throw new CortextError('usage', 'that is no name for a branch: letters, digits and . _ - only')
  const known = before?.address === address ? before.branch : undefined
  const branch = wanted ?? known ?? branchFor(ws, text, [...branches])
  const isSame = before?.address === address && before.branch === branch
  // What was joined with another place says nothing about this one.
  if (!isSame) inHistory(ws, {}, () => removeRefs(repository, OURS))
  const named = suggestedPlace(ws.config)
  const suggested = decides && named !== undefined && 'address' in named ? named.address : undefined
  updatePlace(ws.local, (now) => {
    const { sent: _, there: __, at: ___, joined: ____, kind: _____, ...kept } = { ...NOTHING, ...now }
    const chosen = isSame && now !== undefined ? now : { ...kept, address, branch, ...(kind && { kind }) }
    return suggested === undefined ? chosen : { ...chosen, suggested }
  })
  const other = before?.address === address ? undefined : before?.address
  return {
    address,
    branch,
    isNew: !branches.has(branch),
    made,
    ...(kind && { kind }),
    ...(other !== undefined && { before: other }),
  }
}

const BRANCH = /^[\p{L}\p{N}](?:[\p{L}\p{N}_-]|\.(?!\.|lock$|$))*$/u

const NOTHING: Omit<PlaceNote, 'address' | 'branch'> = {
  deleting: [],
  deleted: {},
  redacted: {},
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || !(way.startsWith('..') || isAbsolute(way))
}

/** Throws `ambiguous` if it is not certain which branch is this project's. */
function branchFor(ws: Workspace, address: string, branches: readonly string[]): string {
  const top = findGitTop(ws.root) ?? ws.root
  const project = projectOf(ws, top, withSlashes(relative(top, ws.root)))
  const { same, doubtful } = findBranch(branches, project)
  const [one, ...more] = same
  if (one !== undefined && more.length === 0) return one
  const own = branchOf(project)
  // Two folders without git may have one name.
  const candidates = [...new Set([...same, ...doubtful, ...branches.filter((branch) => branch === own)])]
  if (candidates.length === 0) return own
  const fresh = candidates.includes(own) ? `${own}-2` : own
  const command = (branch: string) => paste`cortext sync --to ${address} --branch ${branch}`
  throw new CortextError(
    'ambiguous',
    `it is not certain whether ${candidates.join(', ')} is this project, or another with the same first commit or name`,
    { fix: [...candidates.map(command), `${command(fresh)} (a new one)`].join('\nor: ') },
  )
}

/** Forgets the place. What is there stays. Returns its address; undefined if there was none. Throws `locked`. */
export async function stopSyncing(ws: Workspace): Promise<string | undefined> {
  return whileNoSync(ws, () => {
    const place = readPlace(ws.local)
    forgetPlace(ws.local)
    inHistory(ws, {}, (repository) => {
      removeRefs(repository, OURS)
    })
    return place?.address
  })
}
