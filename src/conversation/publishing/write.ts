import type { Message, SessionFile } from '../../session/schema.ts'
import { lastAsked } from '../../session/summary.ts'
import { markPublished } from '../../store/machine/list-bindings.ts'
import { writeMetadataBackup } from '../../store/machine/metadata-backup.ts'
import { type RecordAndPendingTurn, removePendingTurn } from '../../store/machine/pending-turn.ts'
import { forgetUnpublished } from '../../store/machine/unpublished.ts'
import { appendMessages, appendSubagents, appendToRecord } from '../../store/record/append-messages.ts'
import { writeAttachments } from '../../store/record/attachments.ts'
import type { Problem } from '../../store/record/problem.ts'
import { setBrokenSessionAside, writeSession } from '../../store/record/session-file.ts'
import type { Workspace } from '../../workspace/open.ts'
import { nameAuthor, withAuthor } from '../author.ts'
import { bringPrompt, keepCopies } from '../keep-copies.ts'
import { markPublishedNew, markPublishedWhole } from '../mark.ts'
import type { Conversation } from '../read.ts'
import { type NewPart, sessionOf } from '../read-new.ts'
import type { BoundSegment, SegmentContent } from '../segments/segment-content.ts'
import { tokensOf } from '../tokens.ts'

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
   * The whole conversation. Its `record` comes from appendToRecord, so the stamp of the record may be out of date. A
   * read that gets this conversation as `earlier` then reads the record again.
   */
  conversation: Conversation
}

/** Facts that publishing has found, for a change of the metadata. */
export interface Found {
  /**
   * The lines that are appended. After a publishing in pieces: the first message of a person or agent, and the lines of
   * the last piece.
   */
  append: readonly Message[]
  /** The beginning of what the person asked last; '' if nothing was asked. */
  asked: string
  /**
   * All messages, if the whole conversation was read. After a publishing in pieces: the messages that `keep` chose, and
   * the lines of the last piece.
   */
  messages?: readonly Message[]
}

/** Git's answers. Git is asked before the lock is taken, because git may be slow. */
export interface State {
  repository: SessionFile['repository']
  author: string | undefined
}

type Change = (session: SessionFile, found: Found) => SessionFile

/** Writes a conversation that was read as a whole, and its mark. The caller holds the conversation's lock. */
export function writeWhole(
  ws: Workspace,
  read: Conversation,
  { repository, author }: State,
  change: Change = (session) => session,
): PublishedWhole {
  const conversation = withAuthor(read, author)
  const { path, messages, plan, problems, segments } = conversation
  const tokens = tokensOf(messages)
  const counted = withState({ ...read.session, token_count: tokens }, plan.append, repository)
  const session = change(counted, { append: plan.append, asked: lastAsked(messages), messages })
  const written = writeRecord(ws, conversation, session)
  markPublishedWhole(ws, conversation, tokens)
  const contents = segments.map(({ content }) => content)
  return { path, session, appended: plan.append.length, problems, contents, conversation: written }
}

/** Writes the new part of a conversation, and its mark. The caller holds the conversation's lock. */
export function writeNew(
  ws: Workspace,
  path: string,
  news: NewPart,
  { repository, author }: State,
  change: Change = (session) => session,
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
 * Notes the repository's state if something was said or no state is noted yet. Otherwise the noted state stays: a
 * second publishing must not change the session.json that a stop has committed.
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
