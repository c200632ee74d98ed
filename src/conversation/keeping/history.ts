import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { withDefault } from '../../errors.ts'
import { TEMP_SUFFIX, writeFileAtomic } from '../../io/atomic-write.ts'
import {
  listInside,
  MAX_LINES,
  pathInside,
  readBytesInside,
  readInside,
  statInside,
  writeInside,
} from '../../io/inside.ts'
import { listFilesBelow } from '../../io/list-names.ts'
import { findProgram } from '../../io/program.ts'
import { readRegular } from '../../io/regular-file.ts'
import { withSlashes } from '../../io/slashes.ts'
import type { SessionFile } from '../../session/schema.ts'
import { conversationTrailer } from '../../session/shell/commits.ts'
import { localFiles, RECORD } from '../../store/layout.ts'
import { documentCopies, keepDocuments, newestCopies, writeDocument } from '../../store/machine/copies.ts'
import { withLockSync } from '../../store/machine/locks/lock.ts'
import { writeLog } from '../../store/machine/log.ts'
import { forgetEarlierPaths, readEarlierPaths } from '../../store/machine/moved-conversation.ts'
import { type Entry, scanConversations } from '../../store/scan.ts'
import { CONFIG, rawConfig } from '../../workspace/config.ts'
import { documentPath } from '../../workspace/folder.ts'
import { commitMessage } from '../../workspace/git/commit.ts'
import {
  blobOf,
  changeOwn,
  commitOwn,
  contentsOf,
  eraseOwn,
  filesOf,
  hasBlob,
  lastChange,
  type OwnChange,
  type OwnCommit,
  type OwnFile,
  type OwnRepository,
  openOwn,
} from '../../workspace/git/own-repository.ts'
import { gitNow } from '../../workspace/git/run.ts'
import { formatLike } from '../../workspace/merge/json-file.ts'
import type { Workspace } from '../../workspace/open.ts'
import { linkedName, otherCopies } from '../../workspace/repository.ts'
import { filesForGit } from '../../workspace/visibility.ts'
import { gitSeesRecord } from '../held.ts'
import { otherRoots } from '../worktrees.ts'

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
      const earlier = readEarlierPaths(ws.local, path)
      const committed = filesOf(repository, [path, ...earlier, ...WORKSPACE])
      const hasOthers = otherCopies(ws.root).length > 0
      if (hasOthers) takeNewer(ws, repository, committed ?? [], present)
      // What is missing here may be in another worktree.
      const isGone = (file: string) => !hasOthers || earlier.some((folder) => file.startsWith(`${folder}/`))
      const changes = changesBetween(committed ?? [], present, isGone)
      if (changes.length === 0) return
      commitOwn(repository, [commitOf(changes)])
      forgetEarlierPaths(ws.local, path)
      takeOver(ws, repository)
    }),
  )
}

/**
 * Commits conversations that are older than the history, each at the time when it was active last: those that are no
 * longer used first. A stop must not wait for all of a large workspace, so each takes some of them.
 */
function takeOver(ws: Workspace, repository: OwnRepository): void {
  const done = join(repository.root, 'cortext-took-over')
  if (existsSync(done)) return
  const known = new Set((filesOf(repository, []) ?? []).map(({ path }) => path))
  const isNew = ({ path }: Entry) => !known.has(`${path}/${RECORD.session}`)
  const missing = [ws.root, ...otherRoots(ws)].flatMap((root) =>
    scanConversations(root, ws.local, { keepIndex: false })
      .filter((entry) => entry.backupOnly !== true && entry.session !== undefined && isNew(entry))
      .map((entry) => ({ ...entry, root, session: entry.session! })),
  )
  missing.sort((a, b) => (a.session.last_active < b.session.last_active ? -1 : 1))
  const commits: OwnCommit[] = []
  let bytes = 0
  for (const { root, path, session } of missing) {
    if (bytes > MAX_TAKEN_BYTES) break
    const changes = filesOfConversation(root, path).map(([file, content]) => ({ path: file, bytes: content }))
    bytes += changes.reduce((sum, change) => sum + change.bytes.length, 0)
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
}

const MAX_TAKEN_BYTES = 16 * 1024 * 1024

/** Writes files of a conversation that are missing in its folder, as they were committed last. */
export function bringBackFromHistory(ws: Workspace, path: string): void {
  if (!hasGit(ws)) return
  attempt(ws, `bringing back ${path}`, () =>
    inHistory(ws, {}, (repository) => {
      const missing = (filesOf(repository, [path]) ?? []).filter(
        (file) => statInside(ws.root, file.path) === undefined,
      )
      const contents = contentsOf(repository, missing)
      for (const [at, file] of missing.entries()) writeInside(ws.root, file.path, contents[at]!)
    }),
  )
}

/**
 * Writes the document of a private conversation if it is lost, as it was after the last turn. Not if the folder has a
 * Markdown file that is new: the person may have given the document another name.
 */
export function bringBackDocument(ws: Workspace, path: string, session: SessionFile): void {
  const document = documentPath(path, session.conversation_type)
  if (gitSeesRecord(ws) || statInside(ws.root, document) !== undefined) return
  const copy = newestCopies(ws.local, path).find(({ name }) => `${path}/${name}` === document)
  if (copy === undefined || !hasGit(ws)) return
  attempt(ws, `bringing back ${document}`, () =>
    inHistory(ws, {}, (repository) => {
      const committed = new Set((filesOf(repository, [path]) ?? []).map((file) => file.path))
      const isKnown = (name: string) => committed.has(`${path}/${name}`)
      if (committed.has(document) && listInside(ws.root, path, '.md').every(isKnown))
        writeDocument(ws.root, path, copy)
    }),
  )
}

/**
 * Takes a conversation out of the history, so that no byte of it is left there. Throws `locked` and git's errors; the
 * history is as it was then.
 */
export function eraseFromHistory(ws: Workspace, path: string): void {
  inHistory(ws, {}, (repository) => eraseOwn(repository, concerned(ws, path)))
}

/** Commits that a conversation is gone. Its earlier commits stay. Throws as `eraseFromHistory`. */
export function endInHistory(ws: Workspace, path: string): void {
  inHistory(ws, {}, (repository) => {
    const committed = filesOf(repository, concerned(ws, path).paths) ?? []
    if (committed.length === 0) return
    const changes = committed.map((file) => ({ path: file.path, bytes: undefined }))
    const message = `[conversation] deleted\n\n${conversationTrailer(path)}`
    commitOwn(repository, [{ changes, message, who: author(ws) }])
  })
}

/**
 * Changes all contents that the files of a conversation have had in the history, and the messages of its commits, so
 * that no byte of the earlier ones is left there. With `always`, also of those that a killed commit has left. Returns
 * how many have changed. Throws as `eraseFromHistory`.
 */
export function changeInHistory(
  ws: Workspace,
  path: string,
  change: (file: string, bytes: Buffer) => Buffer | undefined,
  newMessage: (message: string) => string,
  always: boolean,
): number {
  let changed = 0
  inHistory(ws, {}, (repository) => {
    changed = changeOwn(repository, concerned(ws, path), change, newMessage, always)
  })
  return changed
}

function concerned(ws: Workspace, path: string) {
  return { paths: [path, ...readEarlierPaths(ws.local, path)], trailerOf: conversationTrailer }
}

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

/** Whether the history can be read; why not, if it is damaged. Undefined if there is none. */
export function historyState(ws: Workspace): { problem?: string } | undefined {
  const root = localFiles(ws.local).history
  if (!hasGit(ws) || !existsSync(root)) return undefined
  try {
    filesOf({ root, environment: ws.environment, isBare: true }, WORKSPACE)
    return {}
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
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

/** The files of a conversation that git would track. */
function filesOfConversation(root: string, path: string): [string, Buffer][] {
  return listFilesBelow(pathInside(root, path))
    .map((name) => `${path}/${withSlashes(name)}`)
    .filter((file) => !file.startsWith(`${path}/${RECORD.attachments}/`) && !file.endsWith(TEMP_SUFFIX))
    .flatMap((file) => bytesOf(root, file))
}

/** The person's settings, and the prompts that conversations name, in a form in which git tracks conversations. */
function filesOfWorkspace({ root }: Workspace): [string, Buffer][] {
  const names = FOLDERS.flatMap((folder) =>
    ['.json', '.md'].flatMap((suffix) => listInside(root, folder, suffix).map((name) => `${folder}/${name}`)),
  )
  const own = names.filter((path) => path !== CONFIG).flatMap((path) => bytesOf(root, path))
  const settings = { ...rawConfig(root), visibility: 'shared' }
  const files = { ...filesForGit(), [CONFIG]: formatLike(settings, readInside(root, CONFIG)) }
  return [...own, ...Object.entries(files).map(([path, text]): [string, Buffer] => [path, Buffer.from(text)])]
}

const FOLDERS = ['', '/commands', '/templates', '/memory', '/prompts'].map((folder) => `.workspace${folder}`)
const WORKSPACE = ['.workspace', ...Object.keys(filesForGit())]

/** The bytes of a file; nothing for a link, for what cannot be read, and for what is too large for a record. */
function bytesOf(root: string, path: string): [string, Buffer][] {
  const bytes = withDefault(undefined, () => readBytesInside(root, path, MAX_LINES))
  return bytes === undefined ? [] : [[path, bytes]]
}

/** The person's name as git knows it, and a time, for a commit. */
function author({ root, environment }: Workspace, time = environment.now()): string {
  const name = NAMES.get(root) ?? nameIn(root, environment)
  NAMES.set(root, name)
  // A session.json that was edited by hand may have any time in it.
  const seconds = Math.floor(time.getTime() / 1000) || 0
  return `${name} ${Math.max(seconds, 0)} +0000`
}

/** An import makes many commits. */
const NAMES = new Map<string, string>()

function nameIn(root: string, environment: Workspace['environment']): string {
  // Git fails if nobody has told it a name.
  const told = withDefault('', () =>
    gitNow({ root, environment }, ['var', 'GIT_COMMITTER_IDENT']).toString('utf8'),
  )
  return /^.*>(?= \d)/.exec(told)?.[0] ?? 'cortext <cortext>'
}

function inHistory(ws: Workspace, how: { make?: boolean }, work: (repository: OwnRepository) => void): void {
  const { local, environment } = ws
  const root = localFiles(local).history
  withLockSync(local, 'history', () => {
    const repository = openOwn({ root, environment, isBare: true }, how)
    if (repository !== undefined) work(repository)
  })
}

function hasGit({ environment }: Workspace): boolean {
  return findProgram('git', environment.env) !== undefined
}

function attempt({ local }: Workspace, what: string, work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    writeLog(local, `${what}: ${error.message}`)
  }
}
