import { basename, join } from 'node:path'
import { changeFetched, changeInHistory } from '../../conversation/keeping/erase-history.ts'
import { changedSinceHistory, takeSaved } from '../../conversation/keeping/history.ts'
import { documentsOf } from '../../conversation/keeping/history-files.ts'
import { publish } from '../../conversation/publish.ts'
import { originOf, whileItself } from '../../conversation/still-same.ts'
import { removeHalfMade } from '../../conversation/unfinished.ts'
import { foldersElsewhere, otherTrees } from '../../conversation/worktrees.ts'
import { CortextError } from '../../errors.ts'
import { isFileInside, pathInside, writeInside } from '../../io/inside.ts'
import { redactText, redactValue } from '../../redact/index.ts'
import { type KnownSecrets, textIn } from '../../redact/known-secrets.ts'
import { messageRedactor } from '../../redact/messages.ts'
import { SessionFile } from '../../session/schema.ts'
import { localFiles, RECORD } from '../../store/layout.ts'
import { forgetDocuments } from '../../store/machine/copies.ts'
import { removeTempsAbout, removeTempsIn } from '../../store/machine/forget.ts'
import { forgetInIndex } from '../../store/machine/indexes/file-index.ts'
import { forgetWords } from '../../store/machine/indexes/word-index.ts'
import { conversationLock, withLockSync } from '../../store/machine/locks/lock.ts'
import { readMetadataBackup, writeMetadataBackup } from '../../store/machine/metadata-backup.ts'
import { forgetPage } from '../../store/machine/pages.ts'
import { noteRedacted } from '../../store/machine/place.ts'
import { forgetUnpublished } from '../../store/machine/unpublished.ts'
import { type Change, changedContent, rewritten, writeRewritten } from '../../store/record/rewrite.ts'
import { readSession, sessionText, tryParse, writeSession } from '../../store/record/session-file.ts'
import { blobOf, contentsOf, type OwnRepository } from '../../workspace/git/own-repository.ts'
import type { Workspace } from '../../workspace/open.ts'

/** The number of secrets in each file of a record, by kind. A report never contains a secret. */
export interface RedactReport {
  files: { file: string; found: Record<string, number> }[]
  /** The number of earlier versions of files in which secrets were replaced, in the history of a private workspace. */
  versions?: number
  /** The secrets in the documents. They are the person's, and stay as they are. */
  documents: { file: string; found: Record<string, number> }[]
  /** Counts over all files, by kind. */
  found: Record<string, number>
}

/** Counts what the current rules would replace in a conversation. Writes nothing. Throws what reading throws. */
export function planRedaction(ws: Workspace, path: string): RedactReport {
  return { ...overRecord(ws, path, () => {}), documents: secretsInDocuments(ws, path) }
}

/**
 * Replaces every secret that the current rules find in the record of a conversation, pruned lines included. Ids, times
 * and the order of lines stay. Replaces each file as a whole, and messages.jsonl and session.json last. After a kill
 * between two files, the next call does the rest. Publishes before and after. The history of a private workspace is
 * changed too, with the earlier versions of the documents, unless `keepsHistory`. Waits for a sync of this workspace that
 * is at work. Throws `refused` if redaction is off (the next save would bring the secrets back), `ambiguous` as
 * `whileItself`, and what publish throws.
 */
export function redactRecord(
  ws: Workspace,
  path: string,
  { keepsHistory = false } = {},
): Promise<RedactReport> {
  return whileItself(ws, path, originOf(ws, path), () => replaceSecrets(ws, path, { keepsHistory }))
}

/**
 * Redacts during a sync what another machine has redacted. `known`: the secrets of the documents that both had, and of all
 * versions that the place has had of them, in which a placeholder stands for each. They are replaced in the documents here
 * too: what nobody has changed must be what the history has, or the next sync would take it for a change. Throws as
 * `redactRecord`.
 */
export async function redactAsElsewhere(ws: Workspace, path: string, known: KnownSecrets): Promise<void> {
  await replaceSecrets(ws, path, { known })
}

async function replaceSecrets(
  ws: Workspace,
  path: string,
  { keepsHistory = false, known }: { keepsHistory?: boolean; known?: KnownSecrets },
): Promise<RedactReport> {
  if (!ws.config.redact)
    throw new CortextError(
      'refused',
      'redact is off here: the next save would bring back what is replaced now',
      {
        fix: 'set "redact": true in .workspace/config.json',
      },
    )
  // A person may have taken a secret out of a document in another work tree only. It is saved from there first, and so
  // it is what counts, also if the document is as it was before the secret.
  for (const tree of known === undefined ? otherTrees(ws) : [])
    if (changedSinceHistory(tree).includes(path)) await publish(tree, path)
  const { session } = await publish(ws, path)
  const always = overRecord(ws, path, () => {}).files.length > 0
  // It is noted for the place before anything is replaced here. After a kill, the next call may find nothing to replace
  // any more, and would note nothing.
  const onChange = known === undefined ? () => noteRedacted(ws.local, session.origin) : undefined
  const report = withLockSync(ws.local, conversationLock(path), () => {
    if (!keepsHistory) for (const one of foldersElsewhere(ws, path)) takeSaved(ws, path, one)
    const how = { sparesFetched: known !== undefined }
    const versions = keepsHistory ? 0 : changeInHistory(ws, path, { ...CLEAN, always, onChange }, how)
    // The history has what turns have left of documents in other worktrees, now without secrets. The next publishing
    // would put them into it again.
    if (versions > 0) forgetDocuments(ws.local, path)
    if (known !== undefined) cleanDocuments(ws, path, known)
    const cleaned = overRecord(ws, path, (write) => write())
    forgetLeft(ws, path)
    const documents = secretsInDocuments(ws, path)
    return { ...cleaned, ...(versions > 0 && { versions }), documents }
  })
  // Publishing derives the counts in session.json from the lines.
  await publish(ws, path)
  return report
}

/** Replaces known secrets in the documents of all work trees. One that only this machine has stays. */
function cleanDocuments(ws: Workspace, path: string, known: KnownSecrets): void {
  for (const one of [...foldersElsewhere(ws, path), { root: ws.root, path }])
    for (const [name, bytes] of documentsOf(one.root, one.path)) {
      const text = textIn(bytes)
      const clean = text && known.takeOut(text)
      if (clean !== undefined && clean !== text) writeInside(one.root, `${one.path}/${name}`, clean)
    }
}

/** Removes what caches and killed processes have of a conversation. The caches are made again when they are needed. */
function forgetLeft(ws: Workspace, path: string): void {
  const { local, root } = ws
  removeHalfMade(ws)
  for (const one of [...foldersElsewhere(ws, path), { root, path }])
    removeTempsIn(pathInside(one.root, one.path))
  removeTempsAbout(local, path)
  forgetPage(local, path)
  forgetUnpublished(local, path)
  forgetWords(local, path)
  forgetInIndex(local, localFiles(local).index, basename(path))
}

/** Replaces secrets in what was fetched from the place of `cortext sync`. */
export function redactFetched(ws: Workspace, path: string, origin: string): void {
  changeFetched(ws, path, origin, CLEAN)
}

/** The ids of the contents of these files without secrets, by their paths below the folder of a conversation. */
export function redactedVersions(
  repository: OwnRepository,
  path: string,
  files: ReadonlyMap<string, string>,
): Map<string, string> {
  const listed = [...files].map(([name, blob]) => ({ path: `${path}/${name}`, blob, name }))
  const contents = contentsOf(repository, listed)
  return new Map(
    listed.map(({ name, path: file }, at) => {
      const bytes = contents[at]!
      return [name, blobOf(cleanVersion(file, bytes) ?? bytes)]
    }),
  )
}

const CLEAN = { content: cleanVersion, message: (text: string) => redactText(text).text }

/** A version of a file without secrets; undefined if it has none. */
function cleanVersion(path: string, bytes: Buffer): Buffer | undefined {
  const text = textIn(bytes)
  if (text === undefined) return undefined
  const session = path.endsWith(`/${RECORD.session}`) ? SessionFile.safeParse(tryParse(text)).data : undefined
  if (session !== undefined) {
    const clean = sessionWithout(session, {})
    return clean === session ? undefined : Buffer.from(sessionText(clean) ?? '')
  }
  if (/\/\.session\/.*\.jsonl$/.test(path))
    return changedContent(
      path,
      bytes,
      redaction(() => ({})),
    )
  const clean = redactText(text)
  return clean.found.length === 0 ? undefined : Buffer.from(clean.text)
}

/**
 * Redacts each file of the record in memory, and gives `apply` a function that writes the result. Another worktree of a
 * private workspace may have a record of the conversation too.
 */
function overRecord(
  ws: Workspace,
  path: string,
  apply: (write: () => void) => void,
): Pick<RedactReport, 'files' | 'found'> {
  const others = foldersElsewhere(ws, path).filter((one) =>
    isFileInside(one.root, `${one.path}/${RECORD.session}`),
  )
  const all = [...others, { root: ws.root, path }]
  const files = all.flatMap((one) => overFiles({ ...ws, root: one.root }, one.path, apply))
  return { files, found: sum(files) }
}

/** The secrets in the documents of a conversation; of a document in several work trees, where it has the most of them. */
export function secretsInDocuments(ws: Workspace, path: string): RedactReport['files'] {
  const all = [{ root: ws.root, path }, ...foldersElsewhere(ws, path)]
  const found = all.flatMap((one) => secretsIn(documentsOf(one.root, one.path)))
  const count = (one: RedactReport['files'][number]) =>
    Object.values(one.found).reduce((all, n) => all + n, 0)
  return [...new Map(found.sort((a, b) => count(a) - count(b)).map((one) => [one.file, one])).values()]
}

/** The secrets in the bytes of files that are read as texts, by kind. As for git, a file with a zero byte is no text. */
export function secretsIn(files: readonly (readonly [name: string, Buffer])[]): RedactReport['files'] {
  return files.flatMap(([file, bytes]) => {
    const found: Record<string, number> = {}
    if (!bytes.includes(0)) addCounts(redactText(bytes.toString('utf8')), found)
    return Object.keys(found).length === 0 ? [] : [{ file, found }]
  })
}

function overFiles(ws: Workspace, path: string, apply: (write: () => void) => void): RedactReport['files'] {
  const folder = join(ws.root, path)
  const files: RedactReport['files'] = []
  let found: Record<string, number> = {}
  const noteFile = (file: string) => {
    files.push({ file, found })
    found = {}
  }
  for (const file of rewritten(
    folder,
    redaction(() => found),
  )) {
    noteFile(file.path.slice(RECORD.folder.length + 1))
    apply(() => writeRewritten(folder, file))
  }
  const session = readSession(folder)?.session
  if (session !== undefined) {
    const clean = sessionWithout(session, found)
    if (clean !== session) {
      noteFile('session.json')
      apply(() => {
        writeSession(folder, clean)
        // The folder may have another name in another worktree, under which this machine has no backup.
        if (readMetadataBackup(ws.local, path) !== undefined)
          writeMetadataBackup(ws.local, path, clean, folder)
      })
    }
  }
  return files
}

/** Replaces secrets, and adds them to the counts that `found` returns. */
function redaction(found: () => Record<string, number>): Change {
  const redact = messageRedactor()
  return {
    message: (message) => redact(message, found()),
    text: (text) => addCounts(redactText(text), found()).text,
  }
}

/** Redacts the texts that people and agents wrote in session.json. Its other fields are ids, names, times and counts. */
function sessionWithout(session: SessionFile, found: Record<string, number>): SessionFile {
  const { title, context_summary, tags, agent_config } = session
  const result = redactValue({ title, context_summary, tags, agent_config })
  if (result.found.length === 0) return session
  addCounts(result, found)
  return { ...session, ...result.value }
}

function addCounts<T extends { found: readonly { kind: string }[] }>(
  result: T,
  found: Record<string, number>,
): T {
  for (const { kind } of result.found) found[kind] = (found[kind] ?? 0) + 1
  return result
}

function sum(files: RedactReport['files']): Record<string, number> {
  const all: Record<string, number> = {}
  for (const { found } of files) {
    for (const [kind, count] of Object.entries(found)) all[kind] = (all[kind] ?? 0) + count
  }
  return all
}
