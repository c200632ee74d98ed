import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { withDefault } from '../../errors.ts'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import { entriesInside, listInside, statInside, writeInside } from '../../io/inside.ts'
import { readRegular } from '../../io/regular-file.ts'
import type { SessionFile } from '../../session/schema.ts'
import { isOrigin } from '../../session/sharing/origin.ts'
import { conversationTrailer } from '../../session/shell/commits.ts'
import { RECORD } from '../../store/layout.ts'
import { documentCopies, keepDocuments, newestCopies, writeDocument } from '../../store/machine/copies.ts'
import {
  allEarlierPaths,
  forgetEarlierPaths,
  readEarlierPaths,
} from '../../store/machine/moved-conversation.ts'
import { readSession } from '../../store/record/session-file.ts'
import { type Entry, scanConversations } from '../../store/scan.ts'
import { commitMessage } from '../../workspace/git/commit.ts'
import {
  blobOf,
  commitOwn,
  contentsOf,
  filesOf,
  hasBlob,
  lastChange,
  type OwnChange,
  type OwnCommit,
  type OwnFile,
  type OwnRepository,
} from '../../workspace/git/own-repository.ts'
import type { Workspace } from '../../workspace/open.ts'
import { linkedName, otherCopies } from '../../workspace/repository.ts'
import { gitSeesRecord } from '../held-back.ts'
import { otherRoots } from '../worktrees.ts'
import { bringBackDocument } from './from-history.ts'
import { bytesOf, documentsOf, filesOfConversation, filesOfWorkspace, WORKSPACE } from './history-files.ts'
import { keepMove } from './moves.ts'
import { attempt, author, hasGit, inHistory } from './open-history.ts'
import { ownAmong } from './whose.ts'

/**
 * The history of conversations that the project's git does not track: a bare repository in the local folder, with what a
 * shared workspace would have in the project's. Whoever clones it has such a workspace.
 *
 * A record is whole without its history. So what goes wrong here is only logged, except when something is to be erased.
 */

/** Commits what has changed in a conversation, and in the person's settings. The caller holds the conversation's lock. */
export function keepInHistory(ws: Workspace, path: string, session: SessionFile): void {
  if (gitSeesRecord(ws) || !hasGit(ws)) return
  bringBackDocument(ws, path, session)
  attempt(ws, `keeping the move to ${path}`, () => keepMove(ws, { path, origin: session.origin }))
  attempt(ws, `keeping the history of ${path}`, () =>
    inHistory(ws, { make: true }, (repository) => {
      const present = new Map([...filesOfConversation(ws.root, path), ...filesOfWorkspace(ws)])
      const commitOf = (changes: readonly OwnChange[]): OwnCommit => {
        const paths = changes.map((change) => change.path)
        const about = { type: session.conversation_type, title: session.title, paths }
        const message = commitMessage({ ...about, trailer: conversationTrailer(path) })
        return { changes, message, who: author(ws) }
      }
      const unsaved = unsavedCopies(ws, repository, path, present)
      if (unsaved.length > 0)
        commitOwn(
          repository,
          unsaved.map((change) => commitOf([change])),
        )
      takeNewestCopies(ws, repository, path, present)
      const earlier = ownAmong(repository, readEarlierPaths(ws.local, path), session.origin)
      const committed = filesOf(repository, [path, ...earlier, ...WORKSPACE])
      const hasOthers = otherCopies(ws.root).length > 0
      if (hasOthers) takeNewer(ws, repository, committed ?? [], present)
      // What is missing here may be in another worktree. What is here and cannot be read is not missing.
      const isGone = (file: string) =>
        earlier.some((folder) => file.startsWith(`${folder}/`)) || (!hasOthers && !isThere(ws.root, file))
      const changes = changesBetween(committed ?? [], present, isGone)
      if (changes.length === 0) return
      commitOwn(repository, [commitOf(changes)])
      forgetEarlierPaths(ws.local, path)
      takeOver(ws, repository)
    }),
  )
}

/** Commits settings, and all conversations that are older than the history. Throws `locked` and git's errors. */
export function keepWorkspace(ws: Workspace): void {
  inHistory(ws, { make: true }, (repository) => {
    // What is missing here may be in another worktree.
    const isGone = (file: string) => otherCopies(ws.root).length === 0 && !isThere(ws.root, file)
    const present = new Map(filesOfWorkspace(ws))
    const changes = changesBetween(filesOf(repository, WORKSPACE) ?? [], present, isGone)
    if (changes.length > 0) commitOwn(repository, [{ changes, message: 'Settings', who: author(ws) }])
    while (takeOver(ws, repository) > 0);
  })
}

/**
 * Returns the conversations in this work tree with a session.json or a document that the history has never had, or without
 * a document that it has: turns of agent loops, and what a person has edited or removed since the last save. Those without
 * an origin, which another program wrote, are among them. An earlier version is no change, because another worktree has
 * saved a later one; unless it is of a document and was written after all that any worktree has saved. Throws `locked`
 * and git's errors.
 */
export function changedSinceHistory(
  ws: Workspace,
  entries: readonly Entry[] = scanConversations(ws.root, ws.local, ws),
): string[] {
  const changed: string[] = []
  inHistory(ws, {}, (repository) => {
    const committed = new Map((filesOf(repository, 'all') ?? []).map(({ path, blob }) => [path, blob]))
    // What is missing here may be in another worktree.
    const saved = otherCopies(ws.root).length > 0 ? new Map<string, string[]>() : documentsIn(committed)
    for (const { path, session, backupOnly, problem, older } of entries) {
      if (backupOnly === true || problem !== undefined) continue
      const documents = listInside(ws.root, path, '.md')
      // Whatever changes a record changes its counts or times.
      const isNew = [...(older ? [] : [RECORD.session]), ...documents]
        .flatMap((name) => bytesOf(ws.root, `${path}/${name}`))
        .map(([file, bytes]) => ({ file, blob: blobOf(bytes) }))
        .some(
          ({ file, blob }) =>
            committed.get(file) !== blob && (!hasBlob(repository, blob) || isNewest(ws, path, file)),
        )
      const isRemoved = saved.get(path)?.some((file) => !documents.includes(basename(file)))
      if (isNew || isRemoved || !isOrigin(session?.origin)) changed.push(path)
    }
  })
  return changed
}

/** The documents by the folders that they are in, without hidden files. */
function documentsIn(files: ReadonlyMap<string, string>): Map<string, string[]> {
  const documents = new Map<string, string[]>()
  for (const file of files.keys())
    if (/(?:^|\/)[^./][^/]*\.md$/.test(file))
      documents.set(dirname(file), [...(documents.get(dirname(file)) ?? []), file])
  return documents
}

/** Whether a document was written here after every save of it, in any worktree. Nobody knows if none has copied it. */
function isNewest({ local, root }: Workspace, path: string, file: string): boolean {
  const copy = newestCopies(local, path).find(({ name }) => `${path}/${name}` === file)
  const stats = statInside(root, file)
  return copy !== undefined && stats !== undefined && Number(stats.mtimeMs) > copy.mtime.getTime()
}

/**
 * Commits conversations as they are after a sync, in one commit: as another machine has left them, or in folders to which
 * they were moved. `root` is the work tree that has them. Throws what files throw, and git's errors.
 */
export function keepReceived(
  ws: Workspace,
  repository: OwnRepository,
  conversations: readonly { root: string; path: string }[],
): void {
  const paths = conversations.flatMap(({ root, path }) => {
    const earlier = readEarlierPaths(ws.local, path)
    // Mostly nobody has moved it.
    const origin = earlier.length > 0 ? readSession(`${root}/${path}`)?.session.origin : undefined
    return [path, ...ownAmong(repository, earlier, origin)]
  })
  const present = new Map(conversations.flatMap(({ root, path }) => filesOfConversation(root, path)))
  const isHere = (file: string) =>
    conversations.some(({ root, path }) => file.startsWith(`${path}/`) && isThere(root, file))
  const changes = changesBetween(filesOf(repository, paths) ?? [], present, (file) => !isHere(file))
  if (changes.length > 0)
    commitOwn(repository, [{ changes, message: '[sync] from another machine', who: author(ws) }])
  for (const { path } of conversations) forgetEarlierPaths(ws.local, path)
}

/**
 * Commits conversations that are older than the history, each at the time when it was active last: those that are no
 * longer used first. A stop must not wait for all of a large workspace, so each takes some of them. Returns how many
 * are left.
 */
function takeOver(ws: Workspace, repository: OwnRepository): number {
  const done = join(repository.root, 'cortext-took-over')
  if (existsSync(done)) return 0
  const known = new Set((filesOf(repository, 'all') ?? []).map(({ path }) => path))
  // The next change of a conversation whose folder was moved commits the move.
  const isNew = (entry: Entry) =>
    ![entry.path, ...allEarlierPaths(ws.local, entry)].some((folder) =>
      known.has(`${folder}/${RECORD.session}`),
    )
  const missing = [ws.root, ...otherRoots(ws)].flatMap((root) =>
    scanConversations(root, ws.local, { mayWrite: false })
      .filter((entry) => entry.backupOnly !== true && entry.session !== undefined && isNew(entry))
      .map((entry) => ({ ...entry, root, session: entry.session! })),
  )
  missing.sort((a, b) => (a.session.last_active < b.session.last_active ? -1 : 1))
  const commits: OwnCommit[] = []
  let bytes = 0
  for (const { root, path, session } of missing) {
    if (bytes > MAX_TAKEN_BYTES) break
    const changes = filesOfConversation(root, path).map(([file, content]) => ({ path: file, bytes: content }))
    bytes += changes.reduce((sum, change) => sum + change.bytes.length, BYTES_OF_A_COMMIT)
    const about = {
      type: session.conversation_type,
      title: session.title,
      paths: changes.map((one) => one.path),
    }
    const message = commitMessage({ ...about, trailer: conversationTrailer(path) })
    commits.push({ changes, message, who: author(ws, new Date(session.last_active)) })
  }
  if (commits.length > 0) commitOwn(repository, commits)
  if (commits.length === missing.length) writeFileAtomic(done, '', { mode: 0o600 })
  return missing.length - commits.length
}

const MAX_TAKEN_BYTES = 16 * 1024 * 1024
/** A commit of a small conversation takes as long as so many bytes. */
const BYTES_OF_A_COMMIT = 64 * 1024

/**
 * The documents as turns have left them where nobody has saved since: in other worktrees, some of which are gone, and of
 * documents that are gone here. The oldest comes first.
 */
function unsavedCopies(
  { local }: Workspace,
  repository: OwnRepository,
  path: string,
  present: ReadonlyMap<string, Buffer>,
): OwnChange[] {
  return documentCopies(local, path).flatMap(({ name, file }): OwnChange[] => {
    const [at, bytes] = [`${path}/${name}`, readRegular(file)]
    if (bytes === undefined || present.get(at)?.equals(bytes) || hasBlob(repository, blobOf(bytes))) return []
    return [{ path: at, bytes }]
  })
}

/**
 * Writes documents as a turn or a save has left them in another worktree since they were changed here. What is replaced
 * is an earlier version, which the history has.
 */
function takeNewestCopies(
  { local, root }: Workspace,
  repository: OwnRepository,
  path: string,
  present: Map<string, Buffer>,
): void {
  for (const copy of newestCopies(local, path)) {
    const at = `${path}/${copy.name}`
    const [here, stats] = [present.get(at), statInside(root, at)]
    const isOlder = stats !== undefined && Number(stats.mtimeMs) < copy.mtime.getTime()
    if (here === undefined || !isOlder || readRegular(copy.file)?.equals(here)) continue
    if (!hasBlob(repository, blobOf(here))) continue
    writeDocument(root, path, copy)
    for (const [file, bytes] of bytesOf(root, at)) present.set(file, bytes)
  }
  keepDocuments(local, root, path, linkedName(root))
}

/**
 * Writes other files of a conversation as another worktree has committed them since they were changed here. What is
 * replaced is an earlier version, which the history has.
 */
function takeNewer(
  ws: Workspace,
  repository: OwnRepository,
  committed: readonly OwnFile[],
  present: Map<string, Buffer>,
): void {
  for (const file of committed) {
    const [here, stats] = [present.get(file.path), statInside(ws.root, file.path)]
    const isOther = !/^\.workspace\/|^\.git|\/\.session\/|\.md$/.test(file.path)
    if (!isOther || here === undefined || stats === undefined || blobOf(here) === file.blob) continue
    const isOlder = Number(stats.mtimeMs) < lastChange(repository, file.path) * 1000
    if (!isOlder || !hasBlob(repository, blobOf(here))) continue
    const [bytes] = contentsOf(repository, [file])
    writeInside(ws.root, file.path, bytes!)
    present.set(file.path, bytes!)
  }
}

/**
 * Writes the documents in another folder of a conversation as the history has them last, where they are an earlier version
 * that it has: when earlier versions change there, they would count as new. Throws `locked`, what files throw, and git's
 * errors.
 */
export function takeSaved(ws: Workspace, path: string, there: { root: string; path: string }): void {
  inHistory(ws, {}, (repository) => {
    const saved = new Map((filesOf(repository, [path]) ?? []).map((file) => [file.path, file]))
    for (const [name, bytes] of documentsOf(there.root, there.path)) {
      const [file, blob] = [saved.get(`${path}/${name}`), blobOf(bytes)]
      if (file === undefined || file.blob === blob || !hasBlob(repository, blob)) continue
      writeInside(there.root, `${there.path}/${name}`, contentsOf(repository, [file])[0]!)
    }
  })
}

/**
 * Whether anything has this name, such as a file that nobody may read, one that is too large, or a link. Some disks take
 * `notes.md` and `Notes.md` for one, so the names in the folder count.
 */
function isThere(root: string, path: string): boolean {
  return withDefault(
    true,
    () => entriesInside(root, dirname(path))?.some(({ name }) => name === basename(path)) === true,
  )
}

/** What a commit has to do so that its files are the present ones. */
function changesBetween(
  committed: readonly OwnFile[],
  present: ReadonlyMap<string, Buffer>,
  isGone: (path: string) => boolean,
): OwnChange[] {
  const before = new Map(committed.map(({ path, blob }) => [path, blob]))
  const gone = committed
    .filter(({ path }) => !present.has(path) && isGone(path))
    .map(({ path }) => ({ path, bytes: undefined }))
  const changed = [...present].filter(([path, bytes]) => before.get(path) !== blobOf(bytes))
  return [...gone, ...changed.map(([path, bytes]) => ({ path, bytes }))]
}
