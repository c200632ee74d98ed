import { join } from 'node:path'
import { authorOf, withAuthor } from '../../conversation/author.ts'
import { localDate } from '../../conversation/create.ts'
import { keepCopies } from '../../conversation/keeping/keep-copies.ts'
import { publish } from '../../conversation/publish.ts'
import { checkWritable } from '../../conversation/publishing/read-to-write.ts'
import type { Published } from '../../conversation/publishing/write.ts'
import { type Conversation, readConversation } from '../../conversation/read.ts'
import { CREATION_LOCK, emptyCreationFolder } from '../../conversation/unfinished.ts'
import { cleanText } from '../../redact/index.ts'
import { callKey } from '../../session/live-path.ts'
import { placeOf } from '../../session/pruning/cut.ts'
import type { Message, SessionFile } from '../../session/schema.ts'
import { newOrigin } from '../../session/sharing/origin.ts'
import { mechanicalSummary } from '../../session/summary.ts'
import { conversationLock, withLockSync } from '../../store/machine/locks/lock.ts'
import { backedUpNumbers, writeMetadataBackup } from '../../store/machine/metadata-backup.ts'
import { appendMessages, appendSubagents } from '../../store/record/append-messages.ts'
import { writeAttachments } from '../../store/record/attachments.ts'
import { attachmentFile, copyRecord, filesOf, subagentFile } from '../../store/record/copy-record.ts'
import { writeSession } from '../../store/record/session-file.ts'
import { cutAtWord } from '../../text/line.ts'
import { copyDocument, createConversationFolder, removeConversationFolder } from '../../workspace/folder.ts'
import type { Workspace } from '../../workspace/open.ts'

export interface ForkRequest {
  /** Workspace-relative path of the conversation. */
  path: string
  /** The last message of the fork, by id or number. Absent: the fork has all messages. */
  at?: string | undefined
  title?: string | undefined
}

/**
 * Makes a new conversation with the talk up to a message. Copies the lines byte for byte, their attachments and
 * subagents, and the document as it is now. Copies unpublished messages too; in the original conversation they stay
 * unpublished. The fork is bound to no native session, and a handoff resumes it. So neither conversation gets later
 * messages of the other. The folder of the fork appears whole or not at all. `of`: how many messages the original has.
 * Throws `not-found` for an unknown message, and what publish throws.
 */
export async function fork(ws: Workspace, request: ForkRequest): Promise<Published & { of: number }> {
  const earlier = readConversation(ws, request.path, { keepRaw: true })
  const author = await authorOf(ws)
  const path = withLockSync(ws.local, conversationLock(request.path), () =>
    make(ws, request, earlier, author),
  )
  // Publishing derives the counts in session.json from the lines.
  return { ...(await publish(ws, path)), of: earlier.session.message_count }
}

/** Makes the fork under `CREATION_LOCK`, so that no other worktree takes the same number on that day. */
function make(
  ws: Workspace,
  { path, at, title }: ForkRequest,
  earlier: Conversation,
  author: string | undefined,
): string {
  const conversation = checkWritable(withAuthor(readConversation(ws, path, { earlier }), author))
  const copied = messagesUpTo(conversation, at)
  const session = sessionOf(ws, conversation, copied, title)
  return withLockSync(ws.local, CREATION_LOCK, () => {
    let written = session
    const { path: made } = newFolder(ws, session, (folder, id) => {
      written = { ...session, conversation_id: id }
      copyDocument(conversation.folder, folder, session.conversation_type)
      copyRecord(conversation.folder, conversation.record, folder, copied)
      appendUnpublished(conversation, copied, folder)
      writeSession(folder, written)
    })
    // With the backup, other worktrees list the conversation, and read its words from these copies.
    keepCopies(ws, made, written)
    try {
      writeMetadataBackup(ws.local, made, written, join(ws.root, made))
    } catch (error) {
      removeConversationFolder(ws.root, made)
      throw error
    }
    return made
  })
}

/** Writes the copied messages that only the journal has, with their attachments and subagents. */
function appendUnpublished(
  { plan, segments }: Conversation,
  copied: readonly Message[],
  folder: string,
): void {
  const files = filesOf(copied)
  for (const { content } of segments) {
    const blobs = [...content.blobs].filter(([sha256]) => files.has(attachmentFile(sha256)))
    const said = Object.entries(content.subagents).filter(([call]) => files.has(subagentFile(call)))
    writeAttachments(folder, new Map(blobs))
    appendSubagents(folder, Object.fromEntries(said))
  }
  const ids = new Set(copied.map(({ id }) => id))
  const append = plan.append.filter(({ id }) => ids.has(id))
  appendMessages(folder, append)
}

/** Returns the messages up to `at` in reading order, and the results of all their tool calls. */
function messagesUpTo({ messages }: Conversation, at: string | undefined): Message[] {
  if (at === undefined) return messages
  const end = placeOf(messages, at) + 1
  const calls = new Set(
    messages
      .slice(0, end)
      .flatMap((message) => (message.tool_calls ?? []).map(({ id }) => callKey(message, id))),
  )
  return messages.filter(
    (one, index) => index < end || (one.role === 'tool' && calls.has(callKey(one, one.tool_call_id))),
  )
}

/** A clone may contain a title of megabytes. */
const MAX_TITLE = 500

function sessionOf(
  ws: Workspace,
  from: Conversation,
  copied: readonly Message[],
  title?: string,
): SessionFile {
  const { archived_at: _, key: __, ...kept } = from.session
  const given = cleanText(ws.config, title?.trim() ?? '')
  const whole = copied.length === from.messages.length
  return {
    ...kept,
    title: given === '' ? `${cutAtWord(kept.title, MAX_TITLE)} (fork)` : given,
    status: 'paused',
    created_at: ws.environment.now().toISOString(),
    last_active: copied.at(-1)?.timestamp ?? kept.created_at,
    context_summary: whole ? kept.context_summary : mechanicalSummary(copied),
    agent_sessions: [],
    origin: newOrigin(),
    forked_from: {
      path: from.path,
      message_id: copied.findLast(({ event }) => event === undefined)?.id ?? '',
      ...originsOf(from.session),
    },
  }
}

/** Returns the origins of the copied lines (session/sharing/origin.ts). */
function originsOf({ origin, forked_from: before }: SessionFile): { origins?: string[] } {
  const origins = [...(before?.origins ?? []), ...(origin === undefined ? [] : [origin])]
  return origins.length === 0 ? {} : { origins }
}

function newFolder(
  ws: Workspace,
  { conversation_type: type, title }: SessionFile,
  fill: (folder: string, id: string) => void,
) {
  const folder = ws.types.get(type)?.folder ?? 'conversations'
  const date = localDate(ws.environment.now())
  const taken = backedUpNumbers(ws.local, `${folder}/${date}`)
  const making = emptyCreationFolder(ws, `${folder}/${date}`)
  return createConversationFolder({ root: ws.root, folder, date, taken, making, type, title, fill })
}
