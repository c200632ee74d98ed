import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Conversation } from '../../conversation/read.ts'
import { lastSegment } from '../../conversation/worktrees.ts'
import { safeLine } from '../../session/resume-block.ts'
import { rootOf } from '../../store/machine/binding.ts'
import { paste } from '../../text/paste.ts'
import { branchHere, hasBranch } from '../../workspace/git/index.ts'
import type { Workspace } from '../../workspace/open.ts'
import { findRoot } from '../../workspace/root.ts'
import { idAndName } from '../finding/list.ts'
import { touchedFiles } from './touched-files.ts'

/** Where a conversation was held last, if that was in another folder, usually another worktree of the repository. */
export interface Elsewhere {
  /** The absolute path of the folder, and whether it has no workspace any more. */
  root: string
  isGone: boolean
  /** The branch there when the conversation was begun or resumed, and the branch here. Undefined for a detached HEAD. */
  branch: string | undefined
  here: string | undefined
  /** The files that the conversation has edited and that are not here, relative to the root. */
  missing: string[]
  /** The command with which the person goes on there. Undefined if the folder is gone and its branch too. */
  goThere: string | undefined
}

/**
 * Finds in this machine's bindings where a conversation was held last. Undefined if that was here, or on another
 * machine, or in a folder that is gone and from which nothing differs here, as in a project that was moved.
 */
export async function heldElsewhere(
  ws: Workspace,
  { segments, session, messages, path }: Pick<Conversation, 'segments' | 'session' | 'messages' | 'path'>,
): Promise<Elsewhere | undefined> {
  const last = lastSegment(segments)
  const root = last && rootOf(last)
  if (root === undefined || root === ws.root) return undefined
  const edited = [...touchedFiles([ws.root, root], messages)].filter(([, how]) => how === 'edited')
  const missing = edited.flatMap(([file]) => (existsSync(join(ws.root, file)) ? [] : [file]))
  const [branch, here] = [last?.segment.branch ?? session.repository?.branch, await branchHere(ws)]
  const isGone = findRoot(root) !== root
  if (isGone && branch === here && missing.length === 0) return undefined
  const canComeBack = isGone && branch !== undefined && branch !== here && (await hasBranch(ws, branch))
  const resume = () => paste`cd ${root} && cortext resume ${idAndName(ws, path).name}`
  const goThere = canComeBack
    ? paste`git worktree add ${root} ${branch} && ` + resume()
    : isGone
      ? undefined
      : resume()
  return { root, isGone, branch, here, missing, goThere }
}

/** For an agent, which reads paths of the other folder in the history. */
export function elsewhereNote(ws: Workspace, { root, branch, here, missing }: Elsewhere): string {
  const was = [root, ...on(branch)].join(', ')
  const now = [ws.root, ...on(here)].join(', ')
  const lost = missing.length === 0 ? '' : ` Not here: ${someOf(missing)}.`
  return `Folder: was ${was}; now ${now}. Work in this one: a path of the other means the same file here.${lost}`
}

/** For the person: what differs here, and how to go on there. */
export function elsewhereNotice({ root, isGone, branch, here, missing, goThere }: Elsewhere): string {
  return [
    `It was last in ${safeLine(root)}${branch === undefined ? '' : ` on ${safeLine(branch)}`}${isGone ? ', which is gone' : ''}`,
    ...(branch === here ? [] : [`; here is ${here === undefined ? 'no branch' : safeLine(here)}`]),
    '.',
    ...(missing.length === 0 ? [] : [` Not here: ${someOf(missing)}.`]),
    ...(goThere === undefined ? [] : [` To go on there: ${goThere}`]),
  ].join('')
}

function on(branch: string | undefined): string[] {
  return branch === undefined ? [] : [`branch ${branch}`]
}

const MAX_FILES = 6

function someOf(files: readonly string[]): string {
  const more = files.length > MAX_FILES ? [`${files.length - MAX_FILES} more`] : []
  return [...files.slice(0, MAX_FILES).map(safeLine), ...more].join(', ')
}
