import { estimate } from '../../context/tokens/index.ts'
import { CortextError } from '../../errors.ts'
import { livePath, textOf } from '../../session/live-path.ts'
import type { SavePlan } from '../../session/reconcile.ts'
import type { Message, SessionFile } from '../../session/schema.ts'
import { markPublished } from '../../store/machine/list-bindings.ts'
import { withLockSync } from '../../store/machine/locks/lock.ts'
import { writeMetadataBackup } from '../../store/machine/metadata-backup.ts'
import { type RecordAndPendingTurn, removePendingTurn } from '../../store/machine/pending-turn.ts'
import { appendToRecord } from '../../store/record/append-messages.ts'
import { writeAttachments } from '../../store/record/attachments.ts'
import type { Problem } from '../../store/record/problem.ts'
import { setBrokenSessionAside, writeSession } from '../../store/record/session-file.ts'
import { appendSubagents } from '../../store/record/subagents.ts'
import { repositoryState } from '../../workspace/git/index.ts'
import type { Workspace } from '../../workspace/open.ts'
import { catchUpConversation } from './catch-up.ts'
import { type Conversation, readConversation } from './read.ts'
import type { PlannedEnd, SegmentContent } from './read-segment.ts'

export interface Published {
  path: string
  session: SessionFile
  /** How many lines were appended to messages.jsonl. */
  appended: number
  messages: Message[]
  problems: Problem[]
  contents: SegmentContent[]
  /** What was read, with the record as it is now: `known` for whoever reads it next. */
  conversation: Conversation
}

/**
 * Transcript → journal → record: appends what messages.jsonl lacks, writes attachments and subagents, then
 * session.json. Everything is on disk and fsynced when it returns. Doing it twice changes nothing; after a kill at any
 * point, the next call does what is left. `change` is applied to the metadata last. What has changed since `known` was
 * read is read again under the lock; the rest is taken from `known`. Live segments are published up to their planned
 * `ends`. Throws `not-found`, `newer-version` when a newer
 * program wrote the conversation, `locked`, and what files throw: `disk-full`, `unwritable`, `unreadable`,
 * `unsafe-path`.
 */
export async function publish(
  ws: Workspace,
  path: string,
  change: (session: SessionFile, plan: SavePlan) => SessionFile = (session) => session,
  known?: Conversation,
  ends?: readonly PlannedEnd[],
): Promise<Published> {
  const repository = await repositoryState(ws.root, ws.environment.env)
  return withLockSync(ws.local, `conversation/${path}`, () => {
    const conversation = readToWrite(ws, path, known, ends)
    const { session: read, messages, plan, problems, segments } = conversation
    const counted = { ...read, token_count: tokensOf(messages) }
    // The repository's state is that of the last message: publishing again must not change what a stop has committed.
    const said = plan.append.length > 0 || read.repository === undefined
    const session = change(repository !== undefined && said ? { ...counted, repository } : counted, plan)
    const written = writeRecord(ws, conversation, session)
    const contents = segments.map(({ content }) => content)
    const appended = plan.append.length
    return { path, session, appended, messages, problems, contents, conversation: written }
  })
}

/**
 * Reads the conversation under its lock, which the caller holds. Journals are brought up to date first, so that the
 * record never holds what they lack. Throws `newer-version`, and what readConversation and catchUp throw.
 */
export function readToWrite(
  ws: Workspace,
  path: string,
  known?: Conversation,
  ends?: readonly PlannedEnd[],
): Conversation {
  catchUpConversation(ws, path)
  const conversation = readConversation(ws, path, known, ends)
  checkWritable(conversation)
  return conversation
}

function checkWritable(conversation: Conversation): void {
  if (conversation.writable) return
  throw new CortextError(
    'newer-version',
    `${conversation.folder} was written by a newer version of cortext (format ${conversation.session.version})`,
    { fix: 'npm install -g cortext@latest' },
  )
}

/** The tokens that the agent would have to read: an estimate (context/tokens/index.ts). */
export function tokensOf(messages: Message[]): number {
  return livePath(messages).reduce((sum, message) => sum + estimate.count(textOf(message)), 0)
}

/**
 * Writes what the record lacks, and returns the conversation with the record as it then is. The caller holds the
 * conversation's lock. Throws `disk-full`, `unwritable` or `unsafe-path`.
 */
export function writeRecord(ws: Workspace, conversation: Conversation, session: SessionFile): Conversation {
  const { path, folder, segments, problems } = conversation
  if (problems.some(({ kind }) => kind === 'broken-session')) setBrokenSessionAside(folder)
  const record = apply(conversation, session)
  writeMetadataBackup(ws.local, path, session)
  removePendingTurn(ws.local, path)
  for (const { binding, segment, content } of segments) markPublished(ws.local, binding, segment, content.end)
  return { ...conversation, record }
}

/** Messages come first, so that session.json never tells of lines that are not there. */
function apply({ folder, plan, segments, record }: Conversation, session: SessionFile): RecordAndPendingTurn {
  for (const { content } of segments) {
    writeAttachments(folder, content.blobs)
    appendSubagents(folder, content.subagents)
  }
  const written = appendToRecord(folder, plan.append, record)
  writeSession(folder, session)
  return written
}
