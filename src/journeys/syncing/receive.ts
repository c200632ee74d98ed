import { basename } from 'node:path'
import { keepReceived } from '../../conversation/keeping/history.ts'
import { moveInHistory } from '../../conversation/keeping/moves.ts'
import { inHistory } from '../../conversation/keeping/open-history.ts'
import { otherRoots } from '../../conversation/worktrees.ts'
import { CortextError } from '../../errors.ts'
import { sha256 } from '../../hash.ts'
import {
  MAX_LINES,
  MAX_TEXT,
  pathInside,
  readBytesInside,
  removeInside,
  statInside,
  writeInside,
} from '../../io/inside.ts'
import { joinLines, withNewLines } from '../../session/sharing/join-lines.ts'
import { joinSides } from '../../session/sharing/join-sides.ts'
import { RECORD } from '../../store/layout.ts'
import { keepDocuments, keepRecord } from '../../store/machine/copies.ts'
import { conversationLock, withLockSync } from '../../store/machine/locks/lock.ts'
import { publishedSince, writeMetadataBackup } from '../../store/machine/metadata-backup.ts'
import { moveUnderLock } from '../../store/machine/moved-conversation.ts'
import { readRecord } from '../../store/record/index.ts'
import { prunedFilesIn } from '../../store/record/pruned-files.ts'
import { tidy } from '../../store/record/pruned-lines.ts'
import { readSession, sessionText, tryParse, writeSession } from '../../store/record/session-file.ts'
import { isTooDeep } from '../../text/nesting.ts'
import { moveConversationFolder } from '../../workspace/folder.ts'
import {
  blobOf,
  contentsOf,
  filesOf,
  hasBlob,
  type OwnRepository,
  someAtATime,
} from '../../workspace/git/own-repository.ts'
import { mergeTexts } from '../../workspace/git/place.ts'
import type { Workspace } from '../../workspace/open.ts'
import { linkedName } from '../../workspace/repository.ts'
import { countRecord } from '../merging/unsettled.ts'
import type { Coming } from './plan.ts'
import type { Sent } from './sides.ts'
import type { Synced } from './synced.ts'

/** The contents of a conversation's files, by their paths below its folder. */
type Files = ReadonlyMap<string, Buffer>

/**
 * Writes conversations as the place and this machine have them together, and commits them to the history. After a kill,
 * the next call does the rest. Returns the documents that now have another version beside them, the titles of which one
 * was chosen, or that another machine has changed, and the conversations that are not joined, because their session.json
 * cannot be read, or something else has the name of a file here. Throws `locked`, what files throw, and git's errors.
 */
export function receive(
  ws: Workspace,
  repository: OwnRepository,
  coming: readonly Coming[],
): Pick<Synced, 'conflicts' | 'titles' | 'renamed'> & { notJoined: NotJoined[] } {
  const conflicts: Synced['conflicts'] = []
  const titles: Synced['titles'] = []
  const renamed: Synced['renamed'] = []
  const notJoined: NotJoined[] = []
  const bytesOf = ({ base, theirs }: Coming) => BYTES_OF_ONE + (base?.bytes ?? 0) + theirs.bytes
  for (const some of someAtATime(coming, bytesOf)) {
    const contents = readContents(
      repository,
      some.flatMap(({ base, theirs }) => [base, theirs]),
    )
    const written = some.flatMap((step) => {
      try {
        if (isReadable(step, contents)) return receiveOne(ws, repository, step, contents)
        notJoined.push({ step, problem: 'its session.json cannot be read' })
      } catch (error) {
        if (!(error instanceof CortextError) || error.code !== 'unsafe-path') throw error
        notJoined.push({ step, problem: error.message })
      }
      return []
    })
    // Not under the locks of the conversations, because a publishing takes these first.
    inHistory(ws, {}, () => keepReceived(ws, repository, written))
    conflicts.push(...written.flatMap((one) => one.conflicts))
    titles.push(...written.flatMap((one) => one.titles))
    renamed.push(...written.flatMap((one) => one.renamed))
  }
  return { conflicts, titles, renamed, notJoined }
}

interface NotJoined {
  step: Coming
  problem: string
}

/** Of a conversation that is here already, ours counts. */
function isReadable({ ours, theirs }: Coming, contents: ReturnType<typeof readContents>): boolean {
  return ours !== undefined || isSession(contents(theirs).get(SESSION))
}

/** Whether bytes can be a session.json here. Written with its indent, a deep one may be a thousand times as long. */
function isSession(bytes: Buffer | undefined): boolean {
  const text = bytes?.toString('utf8') ?? ''
  const written = isTooDeep(text, DEEPEST) ? undefined : sessionText(tryParse(text))
  return written !== undefined && written.length <= MAX_TEXT
}

const DEEPEST = 50

/** A small conversation takes as long as so many bytes. */
const BYTES_OF_ONE = 512 * 1024

/** Reads the files of these versions, and returns those of each. */
function readContents(
  repository: OwnRepository,
  versions: readonly (Sent | undefined)[],
): (version: Sent | undefined) => Files {
  const blobs = new Set(versions.flatMap((version) => [...(version?.files.values() ?? [])]))
  const files = [...blobs].map((blob) => ({ path: '', blob }))
  const bytes = contentsOf(repository, files)
  const byBlob = new Map(files.map(({ blob }, index) => [blob, bytes[index]!]))
  return (version) => new Map([...(version?.files ?? [])].map(([name, blob]) => [name, byBlob.get(blob)!]))
}

function receiveOne(
  ws: Workspace,
  repository: OwnRepository,
  { path, base, ours, theirs }: Coming,
  contents: ReturnType<typeof readContents>,
) {
  if (ours !== undefined && ours.path !== path) moveApart(ws, ours.path, path)
  return withLockSync(ws.local, conversationLock(path), () => {
    // Another process may have saved since the plan was made.
    const saved = ours === undefined ? new Map<string, Buffer>() : savedFiles(ws, repository, path)
    const [old, their] = [contents(base), new Map(contents(theirs))]
    const own = saved.get(SESSION)
    if (own !== undefined && !isSession(their.get(SESSION))) their.set(SESSION, own)
    their.set(SESSION, withoutKeeping(their.get(SESSION)!))
    const names = [...new Set([...old.keys(), ...saved.keys(), ...their.keys()])]
    // The lines come before the counts of them.
    names.sort((a, b) => Number(a === SESSION) - Number(b === SESSION))
    const joined = names.map((name) => ({
      name,
      before: [old.get(name), saved.get(name)],
      after: joinFile(repository, name, old.get(name), saved.get(name), their.get(name)),
    }))
    const roots = [ws.root, ...otherRoots(ws)].filter((root) => statInside(root, path) !== undefined)
    const written = roots.length === 0 ? [ws.root] : roots
    // Nothing is written if something else has the name of one of them.
    for (const root of written) for (const name of names) checkIsFile(root, `${path}/${name}`)
    // Before the first one is written: each write makes the state in the others an earlier one.
    const folders = written.map((root) => ({ root, path, isOlder: isOlder(ws, root, path) }))
    const others = folders.flatMap((folder) => writeJoined(ws, repository, folder, joined))
    const setAside = [...new Set([...others, ...asideThere(joined)])]
    const conflicts = setAside.map((other) => ({
      file: `${path}/${besideWhat(other)}`,
      other: `${path}/${other}`,
    }))
    const now = joined.find(({ name }) => name === SESSION)?.after?.bytes
    return { root: written[0]!, path, conflicts, ...titlesOf(path, [old, saved, their], now) }
  })
}

/** Throws `unsafe-path` if something else than a file has this name. */
function checkIsFile(root: string, path: string): void {
  if (statInside(root, path)?.isDirectory()) throw new CortextError('unsafe-path', `${path} is a folder`)
}

/** Whether another work tree has changed the state of a conversation since this one did. */
function isOlder({ local }: Workspace, root: string, path: string): boolean {
  const stats = statInside(root, `${path}/${SESSION}`)
  return stats !== undefined && publishedSince(local, path, Number(stats.mtimeMs))
}

/** The title that both sides have changed, or only the other one, if they have. */
function titlesOf(
  path: string,
  files: readonly [base: Files, ours: Files, theirs: Files],
  joined: Buffer | undefined,
): Pick<Synced, 'titles' | 'renamed'> {
  const [before, ours, theirs] = files.map((one) => titleIn(one.get(SESSION)))
  const title = titleIn(joined)
  if (!ours || !theirs || ours === theirs || theirs === before) return { titles: [], renamed: [] }
  return ours === before
    ? { titles: [], renamed: [{ path, title: theirs, before }] }
    : { titles: [{ path, title: title ?? ours, other: title === theirs ? ours : theirs }], renamed: [] }
}

function titleIn(session: Buffer | undefined): string | undefined {
  const { title } = Object(tryParse(session?.toString('utf8') ?? ''))
  return typeof title === 'string' ? title : undefined
}

/** The files of a conversation in the last commit of the history. */
function savedFiles(ws: Workspace, repository: OwnRepository, path: string): Map<string, Buffer> {
  const saved = new Map<string, Buffer>()
  inHistory(ws, {}, () => {
    const files = filesOf(repository, [path]) ?? []
    const bytes = contentsOf(repository, files)
    for (const [index, file] of files.entries()) saved.set(file.path.slice(path.length + 1), bytes[index]!)
  })
  return saved
}

interface JoinedFile {
  name: string
  /** What both had, and what this machine has saved. */
  before: readonly (Buffer | undefined)[]
  after: Joined | undefined
}

/** `other`: the version of the place, where both have changed the same lines. */
type Joined = { bytes: Buffer; other?: Buffer }

/**
 * Writes the joined files into one work tree. A file there that is in no commit has news, which are joined too. Any other
 * one is an earlier version, and so is a state that another work tree has changed since (`isOlder`). Returns the names
 * of the files with the other versions.
 */
function writeJoined(
  ws: Workspace,
  repository: OwnRepository,
  { root, path, isOlder }: { root: string; path: string; isOlder: boolean },
  joined: readonly JoinedFile[],
): string[] {
  const aside: string[] = []
  for (const { name, before, after } of joined) {
    const here = readBytesInside(root, `${path}/${name}`, MAX_LINES)
    const isEarlier =
      here === undefined ||
      (name === SESSION && isOlder) ||
      before.some((one) => isEqual(one, here)) ||
      hasBlob(repository, blobOf(here))
    const now = isEarlier ? after : joinNews(repository, name, before, here, after)
    if (now === undefined) removeInside(root, `${path}/${name}`)
    else if (!isEqual(now.bytes, here)) writeInside(root, `${path}/${name}`, now.bytes)
    for (const other of new Set([after?.other, now?.other]))
      if (other !== undefined) {
        aside.push(besides(name, other))
        writeInside(root, `${path}/${besides(name, other)}`, other)
      }
  }
  const folder = pathInside(root, path)
  // Two machines may have pruned the same lines, and a killed one may have left its archive unsaved.
  if (prunedFilesIn(folder).length > 0) tidy(folder)
  const session = readSession(folder)?.session
  if (session === undefined) return aside
  const counted = { ...session, conversation_id: basename(path), ...countRecord(session, readRecord(folder)) }
  writeSession(folder, counted)
  writeMetadataBackup(ws.local, path, counted, folder)
  keepRecord(ws.local, root, path)
  keepDocuments(ws.local, root, path, linkedName(root))
  return aside
}

/** What another machine has set aside: the version of this machine, or that of a third one. */
function asideThere(joined: readonly JoinedFile[]): string[] {
  const names = new Set(joined.map(({ name }) => name))
  return joined.flatMap(({ name, before, after }) => {
    const document = besideWhat(name)
    const isNews = after !== undefined && before.every((one) => one === undefined)
    // A person may give a document such a name too.
    return isNews && names.has(document) && besides(document, after.bytes) === name ? [name] : []
  })
}

const SESSION = RECORD.session

/** Joins what a file has that nobody has saved yet. No line goes, because the file may be older than what was saved. */
function joinNews(
  repository: OwnRepository,
  name: string,
  before: JoinedFile['before'],
  here: Buffer,
  after: Joined | undefined,
): Joined | undefined {
  if (!name.endsWith('.jsonl')) return joinFile(repository, name, before[1], here, after?.bytes)
  const [text, more, ...known] = [after?.bytes, here, ...before].map(
    (bytes) => bytes?.toString('latin1') ?? '',
  )
  return { bytes: Buffer.from(withNewLines(text!, more!, known), 'latin1') }
}

/** Joins two versions of a file. Undefined: it was removed on one side, and is as it was on the other. */
function joinFile(
  repository: OwnRepository,
  name: string,
  base: Buffer | undefined,
  ours: Buffer | undefined,
  theirs: Buffer | undefined,
): Joined | undefined {
  if (isEqual(ours, theirs) || isEqual(theirs, base)) return ours && { bytes: ours }
  if (isEqual(ours, base) || ours === undefined) return theirs && { bytes: theirs }
  if (theirs === undefined) return { bytes: ours }
  if (name === SESSION) return { bytes: joinSessions(base, ours, theirs) }
  if (name.endsWith('.jsonl')) {
    // In latin1 each byte is one character, so what is no UTF-8 stays as it is.
    const [o, a, b] = [base ?? Buffer.of(), ours, theirs].map((bytes) => bytes.toString('latin1'))
    return { bytes: Buffer.from(joinLines(o!, a!, b!), 'latin1') }
  }
  const merged = base && mergeTexts(repository, base, ours, theirs)
  return merged === undefined ? { bytes: ours, other: theirs } : { bytes: merged }
}

/** No place says that a conversation is kept here: what is kept is sent nowhere. */
function withoutKeeping(bytes: Buffer): Buffer {
  const { keep_here: keeps, ...session } = Object(tryParse(bytes.toString('utf8'))) as Record<string, unknown>
  const text = keeps === undefined ? undefined : sessionText(session)
  return text === undefined ? bytes : Buffer.from(text)
}

function joinSessions(base: Buffer | undefined, ours: Buffer, theirs: Buffer): Buffer {
  const [o, a, b] = [base, ours, theirs].map((bytes) => bytes && tryParse(bytes.toString('utf8')))
  const text = sessionText(joinSides(a, b, o))
  return text === undefined || text.length > MAX_TEXT ? ours : Buffer.from(text)
}

function isEqual(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.equals(b)
}

/** The name for the other version of a file: `notes.md` becomes `notes-1a2b3c4d.md`. */
function besides(name: string, bytes: Buffer): string {
  const mark = sha256(bytes).slice(0, 8)
  return /[^/.]\.[^/.]+$/.test(name) ? name.replace(/(\.[^/.]+)$/, `-${mark}$1`) : `${name}-${mark}`
}

/** The document whose other version a file has: `notes.md` for `notes-1a2b3c4d.md`. */
function besideWhat(name: string): string {
  return name.replace(BESIDE, '')
}

const BESIDE = /-[0-9a-f]{8}(?=\.[^/.]+$|$)/

/**
 * Gives a conversation another path, in all worktrees and in the history. Its session.json get the new id last: after a
 * kill, they tell where this machine's files about it have to go. Throws `locked`, and what files throw.
 */
export function moveApart(ws: Workspace, from: string, to: string): void {
  withLockSync(ws.local, conversationLock(from), () => {
    const roots = [ws.root, ...otherRoots(ws)].filter((root) => statInside(root, from) !== undefined)
    // An earlier state that is written again would look like the newest one.
    const newest = roots.filter((root) => !isOlder(ws, root, from))
    for (const root of roots) moveConversationFolder(root, from, to)
    moveUnderLock(ws.local, from, to, () => true, basename(to))
    for (const root of newest) {
      const folder = pathInside(root, to)
      const session = readSession(folder)?.session
      if (session !== undefined) writeSession(folder, { ...session, conversation_id: basename(to) })
    }
    moveInHistory(ws, from, to)
  })
}
