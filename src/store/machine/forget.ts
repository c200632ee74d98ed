import { lstatSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CortextError } from '../../errors.ts'
import { TEMP_SUFFIX, writeFileAtomic } from '../../io/atomic-write.ts'
import { errnoOf } from '../../io/file-error.ts'
import { listAllNames, listFilesBelow, listNames } from '../../io/list-names.ts'
import { readText } from '../../io/regular-file.ts'
import { removePath, rmdirIfEmpty } from '../../io/remove.ts'
import {
  fileNameOf,
  forgottenPath,
  journalPath,
  journalSideFolder,
  localFiles,
  turnMarkPath,
} from '../layout.ts'
import { forgetCopies } from './copies.ts'
import { forgetInIndex } from './indexes/file-index.ts'
import { forgetWords } from './indexes/word-index.ts'
import { listGenerations } from './journal/journal.ts'
import { removeMetadataBackup } from './metadata-backup.ts'
import { forgetEarlierPaths } from './moved-conversation.ts'
import { forgetNotSaved } from './not-saved.ts'
import { forgetPage } from './pages.ts'
import { removePendingTurn } from './pending-turn.ts'
import { forgetPublished } from './published.ts'
import { forgetUnpublished } from './unpublished.ts'

/** A native session, with the id of its launch if the client chose another id. */
interface Session {
  client: string
  native_id: string
  launch?: string | undefined
}

/**
 * Removes from this machine's own files what was said in a conversation, and its path, which contains words of its
 * title. The caller has removed its folder, bindings and journals before. `path` is workspace-relative; `sessions` are
 * the native sessions that recorded the conversation. Call this under the conversation's lock. Throws `unreadable`,
 * `unwritable` and the like.
 */
export function forgetConversation(local: string, path: string, sessions: readonly Session[]): void {
  const { index, bindingIndex, branches } = localFiles(local)
  removePath(branches)
  removePendingTurn(local, path)
  forgetCopies(local, path)
  forgetEarlierPaths(local, path)
  forgetPublished(local, path)
  forgetUnpublished(local, path)
  forgetWords(local, path)
  forgetPage(local, path)
  forgetNotSaved(local)
  for (const name of listNames(local, '').filter((file) => file.startsWith('cleared-')))
    removeIfNamed(join(local, name), path)
  for (const name of listNames(localFiles(local).bindings, '.broken'))
    removeIfNamed(join(localFiles(local).bindings, name), path)
  forgetSessions(local, sessions)
  forgetInLog(local, [path, fileNameOf(path)])
  for (const file of [index, bindingIndex]) forgetInIndex(local, file, basename(path))
  removeLeftTemps(local)
  removeTempsAbout(local, path)
  // This comes last. As long as the backup is there, lists have the conversation, so after a kill it can be deleted
  // again.
  removeMetadataBackup(local, path)
}

/** Removes what was given to native sessions, and their names in the log. Throws what files throw. */
export function forgetSessions(local: string, sessions: readonly Session[]): void {
  forgetContexts(local, sessions)
  forgetInLog(
    local,
    sessions.map(({ native_id }) => native_id),
  )
}

/** Removes the journal of a native session: its generations, side files and notes. Throws `unwritable`. */
export function removeJournal(local: string, client: string, nativeId: string): void {
  const generations = listGenerations(journalPath(local, client, nativeId)).map(({ path }) => path)
  const others = [turnMarkPath, journalSideFolder, forgottenPath].map((at) => at(local, client, nativeId))
  for (const path of [...generations, ...others]) removePath(path)
}

/**
 * Removes this machine's own files of a workspace, all of them or only those that can be made again. Journals, bindings
 * and pending turns cannot be made again, because they contain what is not published yet. Metadata backups and copies
 * of files cannot either. The names in `besides` stay in any case, and so do the local folders of workspaces below this
 * one. Throws node's own errors.
 */
export function removeLocal(
  local: string,
  what: 'all' | 'what can be made again',
  besides: readonly string[] = [],
): void {
  const { below, ...files } = localFiles(local)
  const { journal, bindings, bindingIndex, metadata, copies, worktreeCopies, pendingTurns, history } = files
  const needed = [journal, bindings, bindingIndex, metadata, copies, worktreeCopies, pendingTurns, history]
  const last = what === 'all' ? [] : needed
  const kept = [...last, ...besides.map((name) => join(local, name)), below]
  for (const name of listAllNames(local, '')) {
    const path = join(local, name)
    if (!kept.includes(path)) rmSync(path, { recursive: true, force: true })
  }
  rmdirIfEmpty(below)
  rmdirIfEmpty(local)
  // The same folders of the workspace above, if it is one no longer.
  const [folder, above] = [dirname(local), dirname(dirname(local))]
  if (folder === localFiles(above).below) for (const path of [folder, above]) rmdirIfEmpty(path)
}

/** Removes the context files of these sessions and their launches. */
function forgetContexts(local: string, sessions: readonly Session[]) {
  const { contexts } = localFiles(local)
  const prefixes = sessions.flatMap(({ client, native_id, launch }) =>
    [native_id, launch ?? []].flat().map((id) => `${fileNameOf(client)}-${fileNameOf(id)}.`),
  )
  for (const name of listNames(contexts, ''))
    if (prefixes.some((begin) => name.startsWith(begin)))
      rmSync(join(contexts, name), { recursive: true, force: true })
}

function removeIfNamed(file: string, path: string): void {
  if (readText(file)?.includes(JSON.stringify(path))) rmSync(file, { force: true })
}

function forgetInLog(local: string, words: readonly string[]): void {
  const { log } = localFiles(local)
  for (const file of [log, `${log}.1`]) {
    const lines = (readText(file) ?? '').split('\n')
    const left = lines.filter((line) => !words.some((word) => line.includes(word)))
    if (left.length < lines.length) writeFileAtomic(file, left.join('\n'), { mode: 0o600 })
  }
}

/**
 * Removes the temporary files of killed processes in a folder and below it. No write takes a minute, so a file that is
 * older belongs to one of them. Follows no links, and skips what it cannot read or remove.
 */
export function removeLeftTemps(folder: string): void {
  for (const path of skipping(() => listFilesBelow(folder)) ?? []) {
    const file = join(folder, path)
    if (!OURS.test(file)) continue
    skipping(() => {
      if (Date.now() - lstatSync(file).mtimeMs > LEFT_OVER_AFTER_MS) rmSync(file, { force: true })
    })
  }
}

/**
 * Removes the temporary files of killed processes that are about a conversation by their name or content, however new
 * they are. A process that is writing such a file at this moment fails. Call this under the conversation's lock.
 */
export function removeTempsAbout(local: string, path: string): void {
  const name = fileNameOf(path)
  for (const file of listFilesBelow(local).filter((one) => OURS.test(one))) {
    const isNamed = file.includes(name) || basename(file).startsWith(`.${name}`.slice(0, 40))
    if (isNamed || skipping(() => readText(join(local, file)))?.includes(basename(path)))
      removePath(join(local, file))
  }
}

/** Removes the temporary files in a conversation's folder. Whoever writes there holds the conversation's lock. */
export function removeTempsIn(folder: string): void {
  for (const file of listFilesBelow(folder)) if (OURS.test(file)) removePath(join(folder, file))
}

/** The names that atomic-write.ts and copies.ts make. */
const OURS = new RegExp(`\\.[0-9a-f]{16}\\${TEMP_SUFFIX}$`)

const LEFT_OVER_AFTER_MS = 60_000

function skipping<T>(step: () => T): T | undefined {
  try {
    return step()
  } catch (error) {
    if (errnoOf(error) === undefined && !(error instanceof CortextError)) throw error
    return undefined
  }
}
