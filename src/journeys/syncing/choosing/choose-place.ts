import { join, relative, resolve } from 'node:path'
import { inHistory } from '../../../conversation/keeping/open-history.ts'
import { CortextError } from '../../../errors.ts'
import { withSlashes } from '../../../io/slashes.ts'
import {
  type Gone,
  type PlaceNote,
  readPlace,
  readPlaceOrStopped,
  stopPlace,
  updatePlace,
  whileNoSync,
} from '../../../store/machine/place.ts'
import { oneLine } from '../../../text/line.ts'
import { paste } from '../../../text/paste.ts'
import {
  BASE,
  branchOf,
  FETCHED,
  findBranch,
  HEADS,
  isRemoteOf,
  NEXT,
  OURS,
  projectOf,
  removeRefs,
} from '../../../workspace/git/place.ts'
import { hiddenName, needKeys, readKeys, takeKeys } from '../../../workspace/keys.ts'
import type { Workspace } from '../../../workspace/open.ts'
import { personalPlace } from '../../../workspace/personal-place.ts'
import { addressOf } from '../../../workspace/places/address.ts'
import { recipientOf } from '../../../workspace/places/age.ts'
import {
  type Found,
  forgetMirror,
  kindOf,
  projectsAt,
  whatIsAt,
} from '../../../workspace/places/open-place.ts'
import type { Kind } from '../../../workspace/places/place.ts'
import { findGitTop } from '../../../workspace/root.ts'
import { suggestedPlace } from '../../../workspace/suggested-place.ts'
import { cannotOpen, checkCanSync, checkIsNotEmpty, repositoryOf } from '../sync.ts'
import { checkIsElsewhere } from './elsewhere.ts'

export interface Chosen {
  address: string
  branch: string
  /** The branch is new: no machine has sent this project there. */
  isNew: boolean
  /** A folder, or a repository, was made there. */
  made: boolean
  kind?: Kind
  isSealed: boolean
  /** The address of the place before, if it was another one. */
  before?: string
  /** The names of the other projects at a place that can be read. */
  others: string[]
}

export interface Choosing {
  /** The branch, if the person has said which. */
  branch?: string | undefined
  /** Whether a folder that is not there is made, and a repository in it. Default: true. */
  makes?: boolean
  /**
   * Whether a place where nothing is yet becomes a sealed one. Default: as before on this machine, or not. After a sealed
   * place, one that can be read has to be asked for.
   */
  seals?: boolean
  /** Asks for the passphrase with which the key at the place is sealed; undefined where nobody can be asked. */
  askPassphrase?: () => Promise<string | undefined>
  /** So long the place is waited for; an hour by default. */
  timeoutMs?: number
  /** The person has chosen the place for this workspace: that decides about the one that its settings name. */
  decides?: boolean
  /** Options that the commands of an error's `fix` repeat, as ` --personal --auto`. */
  typed?: string
}

/**
 * Notes where the conversations of a workspace go. A folder that is not there is made; if its name ends in `.git`, it
 * becomes a bare git repository. The branch is the one of this project, if another clone of it has made one; otherwise a
 * new one. Throws `usage` for a wrong address, `refused` where the conversations are in the project's own git, where a
 * place that can be read is to be sealed, or follows a sealed one unasked, and where a sealed one cannot be opened and no
 * branch is named, `ambiguous` when it is not certain which branch is this project's, `locked` and git's errors.
 */
export async function choosePlace(ws: Workspace, text: string, how: Choosing = {}): Promise<Chosen> {
  checkCanSync(ws)
  return whileNoSync(ws.local, () => choose(ws, text, how))
}

async function choose(
  ws: Workspace,
  text: string,
  { branch: wanted, makes = true, timeoutMs, decides = false, typed = '', ...sealing }: Choosing,
): Promise<Chosen> {
  const address = addressOf(text, ws.environment.cwd)
  const repository = repositoryOf(ws)
  // Makes the repository.
  inHistory(ws, { make: true }, () => undefined)
  const top = findGitTop(ws.root) ?? ws.root
  checkIsElsewhere(ws, address)
  if (address === resolve(ws.environment.home))
    throw new CortextError(
      'refused',
      `${address} is your home folder: each project would be a folder in it`,
      {
        fix: paste`cortext sync --to ${join(address, 'conversations')}` + typed,
      },
    )
  if (whatIsAt(address) === 'file')
    throw new CortextError('refused', `${address} is a file, and no place`, {
      fix: 'name a folder, or a git repository: cortext sync --to <place>',
    })
  if (isRemoteOf(ws, top, address))
    throw new CortextError(
      'refused',
      `${oneLine(address)} is a remote of this project, to which cortext sends nothing`,
      { fix: 'name another repository, which is only for conversations' },
    )
  const before = readPlace(ws.local)
  const noted = readPlaceOrStopped(ws.local)
  const last = noted?.address === address ? noted : undefined
  const kind = last ? last.kind : kindOf(address)
  const personal = personalPlace(ws.environment)
  const isPersonal = personal?.address === address
  if (!makes && isPersonal && personal.isUsed && whatIsAt(address) === 'folder')
    checkIsNotEmpty(kind, address)
  const look = () =>
    projectsAt(repository, address, { kind, makes, timeoutMs, keys: readKeys(ws.environment) })
  const seen = await look()
  const isSealed = isToBeSealed(seen, address, sealing.seals ?? isSealedBefore(ws, noted, address), typed)
  if (noted?.sealed !== undefined && !isSealed && sealing.seals !== false)
    throw new CortextError(
      'refused',
      `what has gone to ${oneLine(noted.address)} is sealed, and could be read at ${oneLine(address)}`,
      {
        fix: `${paste`cortext sync --to ${address} --seal`}${typed}\nor, if that is what you want: ${paste`cortext sync --to ${address} --no-seal`}${typed}`,
      },
    )
  // Who names a branch may begin a project of their own among those of others.
  if (isSealed && wanted === undefined) await needKey(ws, address, seen, { ...sealing, typed })
  const found = isSealed ? { ...(await look()), made: seen.made } : seen
  if (wanted !== undefined && !BRANCH.test(wanted))
    throw new CortextError('usage', 'that is no name for a branch: letters, digits and . _ - only')
  const branch = wanted ?? last?.branch ?? branchFor(ws, text, [...found.projects.keys()], typed)
  const keys = isSealed ? await needKeys(ws.environment) : undefined
  const sealed = keys && (found.projects.get(branch) ?? hiddenName(keys, branch))
  const isNew = !found.projects.has(branch)
  // After somebody has emptied the place, all is sent again.
  const isSame = !isNew && last?.branch === branch && last.sealed === sealed
  // The same place may have another address. If it is another place, what was joined says nothing about it; the first sync
  // there will see it.
  const mayBeMoved =
    !isNew && noted?.joined !== undefined && noted.branch === branch && noted.sealed === sealed
  if (!isSame) {
    inHistory(ws, {}, () => removeRefs(repository, ...(mayBeMoved ? [FETCHED, HEADS, NEXT, BASE] : [OURS])))
    forgetMirror(repository)
  }
  // For each key that this machine has, so that the machine from which one was brought can open it too.
  const own = Object.fromEntries(
    await Promise.all(
      (isNew ? (keys?.identities ?? []) : []).map(async (one) => [await recipientOf(one), 1]),
    ),
  ) as Gone['readers']
  const named = suggestedPlace(ws.config)
  const suggested = decides && named !== undefined && 'address' in named ? named.address : undefined
  updatePlace(ws.local, (now) => {
    const again = without(now ?? NOTHING, 'stopped')
    const moved = without(again, 'at', 'sent', 'there', 'left', 'kind', 'sealed')
    const fresh = { ...without(moved, 'joined', 'trusted', 'tidies'), readers: own }
    // What came from another place is here without a reference now.
    const hadOther = now !== undefined && { fetches: true as const }
    const where = { address, branch, ...(kind && { kind }), ...(sealed && { sealed }), ...hadOther }
    const chosen = isSame ? again : { ...(mayBeMoved ? moved : fresh), ...where }
    return suggested === undefined ? chosen : { ...chosen, suggested }
  })
  const other = before?.address === address ? undefined : before?.address
  return {
    address,
    branch,
    isNew,
    made: found.made,
    isSealed,
    ...(kind && { kind }),
    ...(other !== undefined && { before: other }),
    others: isSealed ? [] : [...found.projects.keys()].filter((name) => name !== branch),
  }
}

const NOTHING: PlaceNote = {
  address: '',
  branch: '',
  deleting: {},
  deleted: {},
  redacted: {},
  readers: {},
  seen: {},
}

function without<K extends keyof PlaceNote>(note: PlaceNote, ...names: K[]): Omit<PlaceNote, K>
function without(note: Partial<PlaceNote>, ...names: (keyof PlaceNote)[]): Partial<PlaceNote> {
  const rest = { ...note }
  for (const name of names) delete rest[name]
  return rest
}

/** Whether what this machine sends there is sealed; undefined if it sends nothing there. */
function isSealedBefore(ws: Workspace, before: PlaceNote | undefined, address: string): boolean | undefined {
  if (before?.address === address) return before.sealed !== undefined
  const personal = personalPlace(ws.environment)
  return personal?.address === address ? personal.isSealed === true : undefined
}

/** Sealed is a whole place or nothing of it. Throws `refused`. */
function isToBeSealed(
  { isSealed }: Found,
  address: string,
  seals: boolean | undefined,
  typed: string,
): boolean {
  if (isSealed === undefined || seals === undefined || isSealed === seals) return isSealed ?? seals ?? false
  if (isSealed)
    throw new CortextError('refused', `what is at ${oneLine(address)} is sealed`, {
      fix: paste`cortext sync --to ${address} --seal` + typed,
    })
  throw new CortextError('refused', `what is at ${oneLine(address)} is not sealed, so it can be read there`, {
    fix: 'name another place: cortext sync --to <place> --seal',
  })
}

/** Makes the person's key, or brings the one that is at the place. Throws `refused` if nothing opens it. */
async function needKey(
  ws: Workspace,
  address: string,
  { projects, closed, key }: Found,
  { askPassphrase, typed = '' }: Pick<Choosing, 'askPassphrase' | 'typed'>,
): Promise<void> {
  if (closed === 0) await needKeys(ws.environment)
  if (closed === 0 || projects.size > 0) return
  const passphrase = key && (await askPassphrase?.())
  if (passphrase === undefined) throw cannotOpen(ws, address)
  if (!(await takeKeys(ws.environment, key!, passphrase)))
    throw new CortextError('refused', 'that is not the passphrase of this place', {
      fix: `${paste`cortext sync --to ${address}`}${typed}, with the one that \`cortext sync --passphrase\` was given`,
    })
}

/** Without those of sealed projects. */
const BRANCH = /^(?![0-9a-f]{32}$)[\p{L}\p{N}](?:[\p{L}\p{N}_-]|\.(?!\.|lock$|$))*$/u

/** Throws `ambiguous` if it is not certain which branch is this project's. */
function branchFor(ws: Workspace, address: string, branches: readonly string[], typed: string): string {
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
  const command = (branch: string) => paste`cortext sync --to ${address} --branch ${branch}` + typed
  throw new CortextError(
    'ambiguous',
    `it is not certain whether ${candidates.join(', ')} is this project, or another with the same first commit or name`,
    { fix: [...candidates.map(command), `${command(fresh)} (a new one)`].join('\nor: ') },
  )
}

/**
 * Ends what goes to the place and comes from it. What is there stays. Returns its address; undefined if there was none.
 * Throws `locked`.
 */
export async function stopSyncing(ws: Workspace): Promise<string | undefined> {
  return whileNoSync(ws.local, () => {
    const place = readPlace(ws.local)
    stopPlace(ws.local)
    inHistory(ws, {}, forgetMirror)
    return place?.address
  })
}
