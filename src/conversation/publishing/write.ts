import type { Message, SessionFile } from '../../session/schema.ts'
import { rootOf } from '../../store/machine/binding.ts'
import { markPublishedTo } from '../../store/machine/list-bindings.ts'
import { writeMetadataBackup } from '../../store/machine/metadata-backup.ts'
import { type RecordAndPendingTurn, removePendingTurn } from '../../store/machine/pending-turn.ts'
import type { ReadMark } from '../../store/machine/published.ts'
import { forgetUnpublished } from '../../store/machine/unpublished.ts'
import { appendSubagents, appendToRecord } from '../../store/record/append-messages.ts'
import { writeAttachments } from '../../store/record/attachments.ts'
import type { Problem } from '../../store/record/problem.ts'
import { setBrokenSessionAside, writeSession } from '../../store/record/session-file.ts'
import type { Workspace } from '../../workspace/open.ts'
import { withAuthor } from '../author.ts'
import { bringPrompt, keepCopies } from '../keeping/keep-copies.ts'
import { type Conversation, totalsOf } from '../read.ts'
import type { SegmentContent } from '../segments/segment-content.ts'
import { lastSegment } from '../worktrees.ts'
import { writeMark } from './write-mark.ts'

export interface Published {
  path: string
  session: SessionFile
  /** Number of lines that were appended to messages.jsonl. */
  appended: number
  problems: Problem[]
  /** The contents of the segments. If only the new part of a segment was read, its content is only that part. */
  contents: SegmentContent[]
}

export interface Written extends Published {
  /**
   * What was read. Its `record` comes from appendToRecord, so the stamp of the record may be out of date. A read that
   * gets this conversation as `earlier` then reads the record again.
   */
  conversation: Conversation
  /** The mark that was written. */
  mark: ReadMark | undefined
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
  messages?: readonly Message[] | undefined
}

/** Git's answers. Git is asked before the lock is taken, because git may be slow. */
export interface State {
  repository: SessionFile['repository']
  author: string | undefined
}

export type Change = (session: SessionFile, found: Found) => SessionFile

/** Writes what the record of a conversation lacks, and its mark. The caller holds the conversation's lock. */
export function write(
  ws: Workspace,
  read: Conversation,
  { repository, author }: State,
  change: Change = (session) => session,
): Written {
  const conversation = withAuthor(read, author)
  const { path, messages, plan, problems, segments, since } = conversation
  const totals = totalsOf(conversation)
  const counted = withState(
    ws,
    { ...conversation, session: { ...read.session, token_count: totals.tokens } },
    repository,
  )
  const found = { append: plan.append, asked: totals.asked, ...(since === undefined && { messages }) }
  const session = change(counted, found)
  const record = writeRecord(ws, conversation, session)
  const mark = writeMark(ws, conversation, totals)
  const contents = segments.map(({ content }) => content)
  return {
    path,
    session,
    appended: plan.append.length,
    problems,
    contents,
    conversation: { ...conversation, record },
    mark,
  }
}

/**
 * Notes the repository's state if something was said or no state is noted yet. Otherwise the noted state stays: a
 * second publishing must not change the session.json that a stop has committed. It also stays if the conversation was
 * held in another worktree, whose state is another.
 */
export function withState(
  { root }: Workspace,
  { session, plan, segments }: Pick<Conversation, 'session' | 'plan' | 'segments'>,
  repository: State['repository'],
): SessionFile {
  const said = plan.append.length > 0 || session.repository === undefined
  const last = lastSegment(segments)
  if (last !== undefined && rootOf(last) !== root) return session
  return repository !== undefined && said ? { ...session, repository } : session
}

/**
 * Writes what the record lacks: messages first, so that session.json never counts lines that are not there. Returns the
 * record as appendToRecord returns it. The caller holds the conversation's lock. Throws `disk-full`, `unwritable` or
 * `unsafe-path`.
 */
export function writeRecord(
  ws: Workspace,
  conversation: Conversation,
  session: SessionFile,
): RecordAndPendingTurn {
  const { path, folder, plan, segments, problems } = conversation
  if (problems.some(({ kind }) => kind === 'broken-session')) setBrokenSessionAside(folder)
  bringPrompt(ws, session)
  for (const { content } of segments) {
    writeAttachments(folder, content.blobs)
    appendSubagents(folder, content.subagents)
  }
  const record = appendToRecord(folder, plan.append, conversation.record)
  writeSession(folder, session)
  writeMetadataBackup(ws.local, path, session, folder)
  forgetUnpublished(ws.local, path)
  keepCopies(ws, path, session)
  removePendingTurn(ws.local, path)
  for (const { binding, segment, content } of segments)
    markPublishedTo(ws.local, binding, segment, content.end)
  return record
}
