import { readToWrite } from '../../conversation/publishing/read-to-write.ts'
import { writeRecord } from '../../conversation/publishing/write.ts'
import type { Conversation } from '../../conversation/read.ts'
import { boundContents } from '../../conversation/segments/bound-contents.ts'
import { tokensOf } from '../../conversation/tokens.ts'
import { CortextError, withDefault } from '../../errors.ts'
import { crypto, sha256 } from '../../hash.ts'
import { pathInside } from '../../io/inside.ts'
import { redactValue } from '../../redact/index.ts'
import { messageRedactor } from '../../redact/messages.ts'
import { isTalk, livePath } from '../../session/live-path.ts'
import { reconcile, withOrigin } from '../../session/reconcile.ts'
import type { Message, SessionFile } from '../../session/schema.ts'
import { mechanicalSummary } from '../../session/summary.ts'
import { conversationLock, withLock } from '../../store/machine/locks/lock.ts'
import { writeLog } from '../../store/machine/log.ts'
import { readMetadataBackup } from '../../store/machine/metadata-backup.ts'
import { removePendingTurn, writePendingTurn } from '../../store/machine/pending-turn.ts'
import { appendMessages } from '../../store/record/append-messages.ts'
import { type Blobs, writeAttachments } from '../../store/record/attachments.ts'
import { readMessages } from '../../store/record/read-messages.ts'
import { readSession } from '../../store/record/session-file.ts'
import { oneLine } from '../../text/line.ts'
import { paste } from '../../text/paste.ts'
import type { Workspace } from '../../workspace/open.ts'
import { idAndName } from '../finding/list.ts'
import { settleMerges } from '../merging/look-at-merges.ts'
import { type AgentMessage, asLine, checkAgentMessage, saysTheSame } from './agent-turn.ts'
import { checkKey, findOrCreate } from './by-key.ts'

export interface TurnRequest {
  key: string
  /** The messages as the agent loop gave them; this module checks them. */
  messages: readonly unknown[]
  /** The type of the conversation, if it has to be made. Default: chat. */
  type?: string | undefined
  /** Returns the name that an error uses for the message at an index. */
  nameOf: (index: number) => string
}

/**
 * Appends one turn of an agent loop to the conversation with the key: all messages of the turn or none, fsynced. The
 * first turn makes the conversation. Throws `usage` for a malformed key or message, before it writes a byte. Throws
 * `refused` if the conversation is completed, and if the record has another message or call with an id of the turn.
 * Also throws what create and publish throw.
 */
export async function appendTurn(ws: Workspace, request: TurnRequest): ReturnType<typeof append> {
  try {
    return await append(ws, request)
  } catch (error) {
    if (!(error instanceof CortextError) || error.code !== 'unsettled') throw error
    await settleMerges(ws)
    return append(ws, request)
  }
}

async function append(ws: Workspace, request: TurnRequest, tries = 1): Promise<ReturnType<typeof reportOf>> {
  const key = checkKey(ws, request.key)
  let first: Turn | undefined
  const { path, created } = await findOrCreate(ws, key, request.type ?? 'chat', () => {
    const turn = prepare(ws, request, [])
    first = turn
    return (folder, session) => begin(turn, folder, session)
  })
  if (created) return reportOf(request, path, true, first!)
  const appended = await withLock(ws.local, conversationLock(path), () => {
    // A sync may have given it another folder meanwhile.
    if (tries < MAX_TRIES && !hasKey(ws, path, key)) return undefined
    const conversation = readOpen(ws, path)
    // Pruned messages count as recorded, so that an agent loop may send them again.
    const turn = prepare(ws, request, [...conversation.pruned.values(), ...conversation.messages])
    writeAttachments(conversation.folder, turn.blobs)
    recordTurn(ws, conversation, turn.fresh)
    return reportOf(request, path, false, turn)
  })
  return appended ?? append(ws, request, tries + 1)
}

const MAX_TRIES = 3

function hasKey(ws: Workspace, path: string, key: string): boolean {
  const here = withDefault(undefined, () => readSession(pathInside(ws.root, path)))
  return (here ?? readMetadataBackup(ws.local, path))?.session.key === key
}

/**
 * Writes the first turn into the new folder while the folder is hidden. So no conversation appears without its first
 * turn, even if the process is killed.
 */
function begin({ fresh, blobs }: Turn, folder: string, empty: SessionFile): SessionFile {
  writeAttachments(folder, blobs)
  appendMessages(folder, withOrigin(empty, fresh))
  const { session, messages } = reconcile(empty, [], [], new Map(), fresh)
  return withDescription(session, messages)
}

/** What was appended, as `Appended` in library/index.ts describes it. */
function reportOf(request: TurnRequest, path: string, created: boolean, { lines, fresh }: Turn) {
  return {
    id: path.split('/').at(-1)!,
    path,
    created,
    written: fresh.map(({ id }) => id),
    messages: fresh.filter(isTalk).length,
    alreadyThere: lines.length - fresh.length,
    systemPrompts: request.messages.length - lines.length,
  }
}

/**
 * Clears the conversation: its talk so far leaves the live path but stays in the record. Returns false if there was
 * nothing to clear. Throws `refused` for a completed conversation, and for a conversation without a key, because its
 * client's own session still contains the old talk. Also throws what publish throws.
 */
export async function clearConversation(ws: Workspace, path: string): Promise<boolean> {
  return withLock(ws.local, conversationLock(path), () => {
    const conversation = readOpen(ws, path)
    const { session, messages } = conversation
    if (session.key === undefined)
      throw new CortextError(
        'refused',
        `${session.conversation_id} has no key: it is recorded from a client`,
        {
          fix: paste`cortext start ${session.conversation_type}`,
        },
      )
    if (livePath(messages).length === 0) return false
    const summary = session.context_summary
    const event: Message = {
      id: newId(),
      role: 'system',
      content: '',
      timestamp: ws.environment.now().toISOString(),
      event: 'cleared',
      anew: true,
      ...(summary === '' ? {} : { summary }),
    }
    recordTurn(ws, { ...conversation, session: { ...session, context_summary: '' } }, [event])
    return true
  })
}

/**
 * Reads a conversation to write to it. Throws `refused` for a completed conversation, because the person has to reopen
 * it explicitly.
 */
function readOpen(ws: Workspace, path: string): Conversation {
  const conversation = readToWrite(ws, path)
  const { status, title } = conversation.session
  if (status !== 'completed') return conversation
  const { name } = idAndName(ws, path)
  throw new CortextError('refused', `${name} "${oneLine(title)}" is completed`, {
    fix: paste`cortext edit ${name} --status active --force`,
  })
}

interface Turn {
  /** All messages of the turn as lines of the record. */
  lines: Message[]
  /** The lines that the record does not have yet. */
  fresh: Message[]
  /** Contents that are too long for a line, by their hash. */
  blobs: Blobs
}

/** Checks a turn and makes its lines. Throws `usage` or `refused`, and writes nothing. */
function prepare(ws: Workspace, request: TurnRequest, before: readonly Message[]): Turn {
  const { lines, blobs } = asLines(ws, request.key, withoutSystem(request, before), before)
  return { lines, blobs, fresh: freshLines(lines, before, request) }
}

function withoutSystem({ messages, nameOf }: TurnRequest, before: readonly Message[]): AgentMessage[] {
  const calls = new Set(before.flatMap(callIds))
  const said = messages
    .map((value, index) => {
      const message = checkAgentMessage(value, calls)
      if (typeof message !== 'string') return message
      throw new CortextError('usage', `${nameOf(index)}: ${message}; nothing was written`, { fix: EXAMPLE })
    })
    .filter(({ role }) => role !== 'system')
  if (said.length > 0) return said
  throw new CortextError('usage', 'there is no message to append', { fix: EXAMPLE })
}

const EXAMPLE = 'one JSON object for each message: {"role":"user","content":"Hello"}'

/** Makes the lines of the record. They are redacted, and their contents are bounded, like lines from a client. */
function asLines(ws: Workspace, key: string, said: readonly AgentMessage[], before: readonly Message[]) {
  const blobs = new Map<string, Uint8Array>()
  const now = ws.environment.now()
  const redact = messageRedactor(before)
  const lines = said.map((message) => {
    const id = message.id === undefined ? newId() : sha256(`key\n${key}\n${message.id}`).slice(0, 32)
    const line = asLine(message, id, now)
    return ws.config.redact ? { ...redactValue(redact(line, {})).value, id, timestamp: line.timestamp } : line
  })
  const bounds = { toolOutput: ws.config.capture.toolOutput, inline: ws.config.capture.maxInline }
  return { lines: boundContents(lines, bounds, blobs), blobs }
}

function newId(): string {
  return crypto().randomBytes(16).toString('hex')
}

/**
 * Returns the messages whose ids are not in the record yet. A message with a recorded id must say the same as before,
 * because an append does not rewrite lines. Each tool call needs a unique id, so that its result can be matched to it.
 */
function freshLines(lines: readonly Message[], before: readonly Message[], request: TurnRequest): Message[] {
  const linesById = new Map(before.map((message) => [message.id, message]))
  const calls = new Set(before.flatMap(callIds))
  const givenIndexes = request.messages.flatMap((message, index) => (isSystem(message) ? [] : [index]))
  return lines.filter((line, index) => {
    const refuse = (why: string): never => {
      throw new CortextError(
        'refused',
        `${request.nameOf(givenIndexes[index]!)}: ${why}; nothing was written`,
        {
          fix: 'give it an id of its own',
        },
      )
    }
    const existing = linesById.get(line.id)
    if (existing !== undefined && !saysTheSame(existing, line))
      refuse('id: a message with this id says something else')
    if (existing !== undefined) return false
    for (const id of callIds(line))
      if (calls.has(id)) refuse(`tool_calls: there is a call ${JSON.stringify(id)} already`)
      else calls.add(id)
    linesById.set(line.id, line)
    return true
  })
}

function callIds({ tool_calls: calls }: Message): string[] {
  return (calls ?? []).map(({ id }) => id)
}

function isSystem(message: unknown): boolean {
  return (message as AgentMessage).role === 'system'
}

/**
 * Writes a pending turn, then the record. If the process ends after the first step, another process can do the rest.
 */
function recordTurn(ws: Workspace, conversation: Conversation, said: readonly Message[]): void {
  const { path, pruned, plan: before } = conversation
  const lines = withOrigin(conversation.session, said)
  const append = [...before.append, ...lines]
  if (append.length === 0) return
  const { session, messages } = reconcile(conversation.session, conversation.messages, [], pruned, lines)
  const plan = { append, session, messages }
  writePendingTurn(ws.local, path, append)
  try {
    writeRecord(ws, { ...conversation, messages, plan }, withDescription(session, messages))
  } catch (error) {
    if (!areRecorded(conversation, lines)) {
      takeBack(ws, conversation)
      throw error
    }
    // All messages are saved. The next append writes the metadata.
    writeLog(ws.local, `after a turn in ${path}: ${error instanceof Error ? error.message : error}`)
  }
}

function areRecorded({ folder }: Conversation, lines: readonly Message[]): boolean {
  const ids = new Set(readMessages(folder).lines.map(({ id }) => id))
  return lines.every(({ id }) => ids.has(id))
}

/**
 * Takes a turn back after a failure such as a full disk: the caller gets the error and will send the turn again.
 * Pending messages of another process stay.
 */
function takeBack(ws: Workspace, { path, plan }: Conversation): void {
  if (plan.append.length > 0) writePendingTurn(ws.local, path, plan.append)
  else removePendingTurn(ws.local, path)
}

function withDescription(session: SessionFile, messages: Message[]): SessionFile {
  const model = messages.findLast((message) => message.model !== undefined)?.model
  const { unknown: reasons, ...config } = session.agent_config
  const { model: _, ...others } = reasons ?? {}
  const unknown = model === undefined ? reasons : others
  return {
    ...session,
    status: 'active',
    token_count: tokensOf(messages),
    agent_config: {
      ...config,
      ...(model === undefined ? {} : { model }),
      ...(unknown === undefined || Object.keys(unknown).length === 0 ? {} : { unknown }),
    },
    context_summary: mechanicalSummary(messages, session.context_summary),
  }
}
