import { CortextError } from '../errors.ts'
import { isFileInside, pathInside, statInside } from '../io/inside.ts'
import type { Message, SessionFile } from '../session/schema.ts'
import { lastAsked } from '../session/summary.ts'
import { RECORD } from '../store/layout.ts'
import { bringBack } from '../store/machine/copies.ts'
import { markPublished } from '../store/machine/list-bindings.ts'
import { withLockSync } from '../store/machine/locks/lock.ts'
import { readMetadataBackup, writeMetadataBackup } from '../store/machine/metadata-backup.ts'
import { type RecordAndPendingTurn, removePendingTurn } from '../store/machine/pending-turn.ts'
import { forgetUnpublished } from '../store/machine/unpublished.ts'
import { appendMessages, appendToRecord } from '../store/record/append-messages.ts'
import { writeAttachments } from '../store/record/attachments.ts'
import type { Problem } from '../store/record/problem.ts'
import { setBrokenSessionAside, writeSession } from '../store/record/session-file.ts'
import { appendSubagents } from '../store/record/subagents.ts'
import { repositoryState } from '../workspace/git/index.ts'
import type { Workspace } from '../workspace/open.ts'
import { authorOf, nameAuthor, withAuthor } from './author.ts'
import { catchUpConversation } from './catch-up.ts'
import { bringPrompt, keepCopies } from './keep-copies.ts'
import { markPublishedNew, markPublishedWhole } from './mark.ts'
import { pathNow } from './moved.ts'
import { type Conversation, readConversation } from './read.ts'
import { type NewPart, readNew, sessionOf } from './read-new.ts'
import type { BoundSegment, PlannedEnd, SegmentContent } from './segments/segment-content.ts'
import { tokensOf } from './tokens.ts'

export interface Published {
  path: string
  session: SessionFile
  /** Number of lines that were appended to messages.jsonl. */
  appended: number
  problems: Problem[]
  /** The contents of the segments. If only the new part of a segment was read, its content is only that part. */
  contents: SegmentContent[]
}

export interface PublishedWhole extends Published {
  /**
   * The whole conversation. Its record is that of appendToRecord, so its stamp may be out of date. The next read may
   * get the conversation as `earlier`: with such a stamp, it reads the record again.
   */
  conversation: Conversation
}

/** Facts that publishing has found, for a change of the metadata. */
export interface Found {
  /** The lines that are appended. */
  append: readonly Message[]
  /** The beginning of what the person asked last; '' if nothing was asked. */
  asked: string
  /** All messages, if the whole conversation was read. */
  messages?: readonly Message[]
}

export interface PublishOptions {
  /** Applied to the metadata last. */
  change?: (session: SessionFile, found: Found) => SessionFile
  /** An earlier reading. Files that have changed since are read again under the lock. */
  earlier?: Conversation | undefined
  /** The ends up to which live segments are published. */
  ends?: readonly PlannedEnd[]
  /** Git's answers, if the caller has asked git already: once for many conversations. */
  state?: State | undefined
}

/**
 * Transcript → journal → record: writes attachments and subagents, appends what messages.jsonl lacks, then writes
 * session.json. Everything is on disk and fsynced when it returns. A second call changes nothing; after a kill at any
 * point, the next call does what is left. While nothing else has changed the record, only what is new is read. A
 * conversation whose folder was moved is published at its present path. Throws `not-found`, `newer-version` when a
 * newer program wrote the conversation, `unsettled` where git has put another conversation into its folder, `locked`,
 * and what files throw: `disk-full`, `unwritable`, `unreadable`, `unsafe-path`.
 */
export async function publish(
  ws: Workspace,
  folder: string,
  options: PublishOptions = {},
): Promise<Published> {
  return caughtUp(ws, folder, options.state, (path, state) => {
    const news = options.earlier === undefined ? readNew(ws, path, options.ends) : undefined
    return news === undefined
      ? writeWhole(ws, readWritable(ws, path, options), state, options.change)
      : writeNew(ws, path, news, state, options.change)
  })
}

/** Like `publish`, but always reads the whole conversation, and returns it. */
export async function publishWhole(
  ws: Workspace,
  folder: string,
  options: PublishOptions = {},
): Promise<PublishedWhole> {
  return caughtUp(ws, folder, options.state, (path, state) =>
    writeWhole(ws, readWritable(ws, path, options), state, options.change),
  )
}

/** Does `work` at the conversation's present path, under its lock, with journals that are up to date. */
async function caughtUp<T>(
  ws: Workspace,
  folder: string,
  given: State | undefined,
  work: (path: string, state: State) => T,
): Promise<T> {
  const path = pathNow(ws, folder)
  const state = given ?? (await stateOf(ws))
  return withLockSync(ws.local, `conversation/${path}`, () => {
    catchUpConversation(ws, path)
    return work(path, state)
  })
}

/** Git's answers. Git is asked before the lock is taken, because git may be slow. */
export interface State {
  repository: SessionFile['repository']
  author: string | undefined
}

/** Asks git for the repository's state and the author. */
export async function stateOf(ws: Workspace): Promise<State> {
  const [repository, author] = await Promise.all([repositoryState(ws.root, ws.environment.env), authorOf(ws)])
  return { repository, author }
}

function writeWhole(
  ws: Workspace,
  read: Conversation,
  { repository, author }: State,
  change: PublishOptions['change'] = (session) => session,
): PublishedWhole {
  const conversation = withAuthor(read, author)
  const { path, messages, plan, problems, segments } = conversation
  const counted = withState({ ...read.session, token_count: tokensOf(messages) }, plan.append, repository)
  const session = change(counted, { append: plan.append, asked: lastAsked(messages), messages })
  const written = writeRecord(ws, conversation, session)
  markPublishedWhole(ws, conversation)
  const contents = segments.map(({ content }) => content)
  return { path, session, appended: plan.append.length, problems, contents, conversation: written }
}

function writeNew(
  ws: Workspace,
  path: string,
  news: NewPart,
  { repository, author }: State,
  change: PublishOptions['change'] = (session) => session,
): Published {
  const { folder, mark, plan, asked, counts, segments } = news
  const append = nameAuthor(plan.append, segments, author)
  const session = change(withState(sessionOf(news), append, repository), { append, asked })
  writeBeside(folder, segments)
  appendMessages(folder, append)
  bringPrompt(ws, session)
  writeSession(folder, session)
  noteMetadata(ws, path, session)
  notePublished(ws, segments)
  markPublishedNew(ws, { path, folder }, mark, append, counts, segments)
  const contents = segments.map(({ content }) => content)
  return { path, session, appended: append.length, problems: [], contents }
}

/**
 * Notes the repository's state if something was said or no state is noted yet. Otherwise the state stays, because
 * publishing again must not change what a stop has committed.
 */
export function withState(
  session: SessionFile,
  append: readonly Message[],
  repository: State['repository'],
): SessionFile {
  const said = append.length > 0 || session.repository === undefined
  return repository !== undefined && said ? { ...session, repository } : session
}

/**
 * Reads the conversation under its lock, which the caller holds. Brings journals up to date first, so that the record
 * never gets a client's message before its journal does. If session.json is missing, writes the missing files of the
 * folder back from the copies in the local folder; not while a state is held back and the folder is there. Throws
 * `newer-version`, `unsettled` where git has put another conversation into its folder, and what readConversation and
 * catchUp throw.
 */
export function readToWrite(ws: Workspace, path: string): Conversation {
  catchUpConversation(ws, path)
  return readWritable(ws, path)
}

function readWritable(
  ws: Workspace,
  path: string,
  { earlier, ends }: Pick<PublishOptions, 'earlier' | 'ends'> = {},
): Conversation {
  const folder = pathInside(ws.root, path)
  // While a state is held back (see MetadataBackup), the folder may have no record on purpose, and the person may have
  // renamed the document. So no copies are written back.
  const held =
    statInside(ws.root, path) !== undefined && readMetadataBackup(ws.local, path)?.held !== undefined
  if (!held && !isFileInside(folder, RECORD.session)) bringBack(ws.local, ws.root, path)
  return checkWritable(readConversation(ws, path, earlier, ends))
}

/** Throws `unsettled` where git has put another conversation into the folder, and `newer-version`. */
export function checkWritable(conversation: Conversation): Conversation {
  if (conversation.another)
    throw new CortextError(
      'unsettled',
      `git has put another conversation of the same name into ${conversation.path}`,
      { fix: 'cortext list' },
    )
  if (conversation.writable) return conversation
  throw new CortextError(
    'newer-version',
    `${conversation.folder} was written by a newer version of cortext (format ${conversation.session.version})`,
    { fix: 'npm install -g cortext@latest' },
  )
}

/**
 * Writes what the record lacks, and returns the conversation with the record that appendToRecord returns. The caller
 * holds the conversation's lock. Throws `disk-full`, `unwritable` or `unsafe-path`.
 */
export function writeRecord(ws: Workspace, conversation: Conversation, session: SessionFile): Conversation {
  const { path, folder, segments, problems } = conversation
  if (problems.some(({ kind }) => kind === 'broken-session')) setBrokenSessionAside(folder)
  bringPrompt(ws, session)
  const record = apply(conversation, session)
  noteMetadata(ws, path, session)
  removePendingTurn(ws.local, path)
  notePublished(ws, segments)
  return { ...conversation, record }
}

function noteMetadata(ws: Workspace, path: string, session: SessionFile): void {
  writeMetadataBackup(ws.local, path, session)
  forgetUnpublished(ws.local, path)
  keepCopies(ws, path, session)
}

function notePublished(ws: Workspace, segments: readonly BoundSegment[]): void {
  for (const { binding, segment, content } of segments) markPublished(ws.local, binding, segment, content.end)
}

/** Writes messages first, so that session.json never counts lines that are not there. */
function apply({ folder, plan, segments, record }: Conversation, session: SessionFile): RecordAndPendingTurn {
  writeBeside(folder, segments)
  const written = appendToRecord(folder, plan.append, record)
  writeSession(folder, session)
  return written
}

function writeBeside(folder: string, segments: readonly BoundSegment[]): void {
  for (const { content } of segments) {
    writeAttachments(folder, content.blobs)
    appendSubagents(folder, content.subagents)
  }
}
