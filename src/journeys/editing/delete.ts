import { gitSeesRecord } from '../../conversation/held-back.ts'
import { endInHistory, eraseFolder, eraseFromHistory } from '../../conversation/keeping/erase-history.ts'
import { inHistory } from '../../conversation/keeping/open-history.ts'
import { folderOfSession, foldersOfOrigin, originText } from '../../conversation/keeping/whose.ts'
import { readConversation } from '../../conversation/read.ts'
import { forgetBeyond } from '../../conversation/segments/forget-beyond.ts'
import { originIn, originOf, whileItself } from '../../conversation/still-same.ts'
import { removeHalfMade } from '../../conversation/unfinished.ts'
import { foldersElsewhere } from '../../conversation/worktrees.ts'
import { withDefault } from '../../errors.ts'
import { isTalk, livePath, textOf } from '../../session/live-path.ts'
import { checkRelativePath, RECORD } from '../../store/layout.ts'
import { type Binding, readBinding, updateBinding } from '../../store/machine/binding.ts'
import { forgetConversation, forgetSessions } from '../../store/machine/forget.ts'
import { segmentsOf } from '../../store/machine/list-bindings.ts'
import { conversationLock, withLockSync } from '../../store/machine/locks/lock.ts'
import { readEarlierPaths } from '../../store/machine/moved-conversation.ts'
import { noteForPlace, noteSeen } from '../../store/machine/place.ts'
import { scanConversations } from '../../store/scan.ts'
import { shortLine } from '../../text/line.ts'
import { removeConversationFolder } from '../../workspace/folder.ts'
import { countCommits, filesThatHad, type InHead, inHead } from '../../workspace/git/index.ts'
import { BRANCH, commitAt, type OwnRepository, versionsBelow } from '../../workspace/git/own-repository.ts'
import { APART, JOINED } from '../../workspace/git/place.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { Listed } from '../finding/list.ts'

/** Facts about a conversation for the person who is about to delete it. */
export interface DeletePreview {
  /** Identifies it, whatever folder a sync gives it meanwhile. */
  origin: string | undefined
  messages: number
  /** The beginning of the last message; undefined when nothing was said, or the record cannot be read. */
  last: { role: string; text: string } | undefined
  /** Undefined outside git, and when git cannot be asked. */
  git: InHead | undefined
  /**
   * In a shared workspace: its folder, with the names that it had in earlier commits, and whether the last commit has it
   * there.
   */
  folders: { path: string; held: boolean }[]
  /** Present if git could not say which names its folder had before. */
  unknown?: true
  /** In a shared workspace: how many commits, on any branch, have files of it. Undefined as for `git`. */
  commits: number | undefined
}

/** Reads what a conversation contains, including unpublished talk, and what git has of it. Writes nothing. */
export async function lookBeforeDelete(
  ws: Workspace,
  { path, messages: listedCount }: Listed,
): Promise<DeletePreview> {
  const origin = originOf(ws, path)
  const isShared = gitSeesRecord(ws)
  const earlier = isShared ? await earlierFolders(ws, path, origin) : []
  const paths = [path, ...(earlier ?? [])]
  const states = await Promise.all(paths.map((one) => inHead(ws, one)))
  const [git] = states
  const folders = isShared ? paths.map((one, at) => ({ path: one, held: states[at]?.held === true })) : []
  const commits = isShared ? await countCommits(ws, paths) : undefined
  const found = { origin, git, folders, commits, ...(earlier === undefined && { unknown: true as const }) }
  const unread: DeletePreview = { ...found, messages: listedCount, last: undefined }
  return withDefault(unread, () => {
    const { session, messages } = readConversation(ws, path)
    const last = livePath(messages).findLast((one) => isTalk(one) && textOf(one).trim() !== '')
    const said = last && { role: last.role, text: shortLine(textOf(last), SHOWN_LENGTH) }
    return { ...found, messages: session.message_count, last: said }
  })
}

/**
 * The other folders in which commits have a conversation, unless they are of another one now. Undefined if git cannot say
 * it.
 */
async function earlierFolders(
  ws: Workspace,
  path: string,
  origin: string | undefined,
): Promise<string[] | undefined> {
  if (origin === undefined) return []
  const types = new Set([...ws.types.values()].map((type) => type.folder))
  const files = await filesThatHad(ws, [...types], RECORD.session, originText(origin))
  const isFree = (folder: string) => folder !== path && !isOfAnother({ root: ws.root, path: folder }, origin)
  return files?.map(folderOfSession).filter(isFree)
}

/** Characters of the last message that are shown. */
const SHOWN_LENGTH = 100

/**
 * Removes a conversation as `removeConversation` does, and notes it for the place of `cortext sync`. Waits for a sync of
 * this workspace that is at work. `origin` is that of the conversation which the person has confirmed. Throws what that
 * throws, and `ambiguous` as `whileItself`.
 */
export function deleteConversation(
  ws: Workspace,
  path: string,
  origin: string | undefined,
  { keepsHistory = false } = {},
): Promise<void> {
  return whileItself(ws, path, origin, () => removeConversation(ws, path, { keepsHistory }))
}

/**
 * Removes a conversation:
 * - its folder, in each worktree of a private workspace and in every commit of its history
 * - its segments
 * - the bytes of its journals that are in no segment of another conversation
 * - all other files about it in the local folder
 *
 * With `keepsHistory`, earlier commits of a private workspace stay. `isNews`: the place of `cortext sync` does not know
 * it. No sync is at work but the one that calls this. Throws `unsafe-path`, `locked` and `unwritable`.
 */
export function removeConversation(
  ws: Workspace,
  path: string,
  { keepsHistory = false, isNews = true } = {},
): void {
  withLockSync(ws.local, conversationLock(path), () => {
    // Before its origin is forgotten, and what this machine had at the place.
    const origin = originOf(ws, path)
    const isCopy = isNews && origin !== undefined && hasCopy(ws, path, origin)
    if (origin !== undefined && !isCopy) {
      noteSeen(ws.local, origin, () => versionsHere(ws, path, origin))
      if (isNews) noteForPlace(ws.local, origin, 'deleted')
    }
    // This comes first: after a kill, the conversation is still there, and can be deleted again.
    if (keepsHistory) endInHistory(ws, path)
    else if (isCopy) eraseFolder(ws, path)
    else eraseFromHistory(ws, path, { sparesFetched: !isNews })
    const sessions = [...new Set(segmentsOf(ws.local, path).map(({ binding }) => binding))]
    for (const binding of sessions) forgetSession(ws.local, binding, path)
    removeHalfMade(ws)
    for (const folder of [...foldersElsewhere(ws, path), { root: ws.root, path }])
      if (!isOfAnother(folder, origin)) removeConversationFolder(folder.root, checkRelativePath(folder.path))
    // A process that read the folder before its removal may have put the conversation into an index. So this comes
    // last.
    forgetConversation(ws.local, path, sessions)
  })
}

/** Whether another folder here has the same conversation, because somebody has copied the folder. That one stays. */
function hasCopy({ root, local }: Workspace, path: string, origin: string): boolean {
  return scanConversations(root, local, { mayWrite: false }).some(
    (entry) => entry.path !== path && entry.backupOnly !== true && entry.session?.origin === origin,
  )
}

/**
 * The ids of the last contents that the files of a conversation have had in the history of this machine, under whatever
 * name, and in what was joined. What it has fetched and not joined is not among them.
 */
function versionsHere(ws: Workspace, path: string, origin: string): string[] {
  const versions: { path: string; blob: string }[] = []
  const add = (repository: OwnRepository, ref: string, more: readonly string[]) => {
    const folders = [...new Set([...more, ...foldersOfOrigin(repository, ref, origin)])]
    versions.push(...versionsBelow(repository, ref, folders).filter(isWords).slice(0, MOST_VERSIONS))
  }
  inHistory(ws, {}, (repository) => {
    add(repository, BRANCH, [path, ...readEarlierPaths(ws.local, path)])
    // What stays apart was fetched with the rest.
    if (commitAt(repository, APART) === undefined) add(repository, JOINED, [])
  })
  return versions.map(({ blob }) => blob)
}

const isWords = ({ path }: { path: string }) => !path.endsWith(`/${RECORD.session}`)
const MOST_VERSIONS = 200

/** Whether a person has given the folder to another conversation. */
function isOfAnother({ root, path }: { root: string; path: string }, origin: string | undefined): boolean {
  const there = originIn(root, path)
  return origin !== undefined && there !== undefined && there !== origin
}

/** Removes the segments of a conversation from a native session, and their bytes from its journal. */
function forgetSession(local: string, binding: Binding, path: string): void {
  const without = (stored: Binding | undefined) => {
    const segments = stored?.segments.filter((segment) => segment.conversation !== path) ?? []
    return stored === undefined || segments.length === 0 ? undefined : { ...stored, segments }
  }
  const forgetBytes = (left: Binding | undefined) => forgetBeyond(local, left ?? { ...binding, segments: [] })
  // Only the binding says whose bytes these are, so it goes after them. Until it has gone, a hook may copy them again.
  forgetSessions(local, [binding])
  forgetBytes(without(readBinding(local, binding.client, binding.native_id)))
  forgetBytes(updateBinding(local, binding.client, binding.native_id, without))
}
