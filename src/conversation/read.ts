import { CortextError } from '../errors.ts'
import { isFileInside, pathInside, statInside } from '../io/inside.ts'
import { reconcile, type SavePlan } from '../session/reconcile.ts'
import { recoveredSession } from '../session/recovered.ts'
import { DEFAULT_TITLE, type Message, SessionFile } from '../session/schema.ts'
import { ownersOf } from '../session/sharing/apart.ts'
import { joinSides } from '../session/sharing/join-sides.ts'
import { RECORD, recordFiles } from '../store/layout.ts'
import { readMetadataBackup } from '../store/machine/metadata-backup.ts'
import { type RecordAndPendingTurn, readRecordAndPendingTurn } from '../store/machine/pending-turn.ts'
import { openWhole } from '../store/record/outline.ts'
import type { Problem } from '../store/record/problem.ts'
import { readSession } from '../store/record/session-file.ts'
import type { Workspace } from '../workspace/open.ts'
import { markOf, type ReadMark, stillValid } from './mark.ts'
import { readSegments } from './segments/read-segment.ts'
import type { BoundSegment, Reach } from './segments/segment-content.ts'

/** A conversation as it is now: the record together with what the journal has beyond it. */
export interface Conversation {
  /** The workspace-relative path, with forward slashes. */
  path: string
  folder: string
  session: SessionFile
  /**
   * The messages in reading order, redacted, whether published or not. Pruned messages are left out; the events of
   * pruning are there.
   */
  messages: Message[]
  /** The pruned messages, by id. */
  pruned: ReadonlyMap<string, Message>
  plan: SavePlan
  segments: BoundSegment[]
  /** The record as it is on disk, with the pending turn. */
  record: RecordAndPendingTurn
  /** The mark of the last publishing after lines were moved (`markAfterMove`); the next reading may use it. */
  moved?: ReadMark | undefined
  problems: Problem[]
  /** False when a newer program wrote the conversation: it can only be read. */
  writable: boolean
  /**
   * Git has put another conversation of the same name into the folder. It has replaced the conversation that this
   * machine knows, or both conversations are in the folder. Until a person settles that, the folder can only be read.
   */
  another: boolean
  /** The folder is gone from this work tree; everything here comes from the local folder. */
  folderGone: boolean
}

/**
 * Reads a conversation and writes nothing. It compares the segments in this machine's journals with the lines of the
 * record. So lines come back that a reset or a checkout removed. Reads only the new parts of segments while the record
 * is as the last publishing left it. With an `earlier` reading, only files that have changed since are read again.
 * Segments are read as far as `reach` says. Throws `not-found`, `unreadable` or `unsafe-path`.
 */
export function readConversation(
  ws: Workspace,
  path: string,
  earlier?: Conversation,
  reach?: Reach,
): Conversation {
  return readWith(ws, path, { earlier, reach })
}

/** Like `readConversation`, but also keeps the bytes of the record's lines, for a caller that moves or copies them. */
export function readToMove(ws: Workspace, path: string): Conversation {
  return readWith(ws, path, { keepRaw: true })
}

/**
 * Like `readConversation`, but long messages are without their texts, so that the longest conversation fits into
 * memory.
 */
export function readOutline(ws: Workspace, path: string): Conversation {
  return readWith(ws, path, { outlines: true })
}

/** A conversation whose long messages are without their texts, and a way to read those again. */
export interface Outlined extends Conversation {
  /** Reads a whole message. Throws `unreadable` when another process has rewritten the record meanwhile. */
  whole(message: Message): Message
  close(): void
}

/** Like `readOutline`, for a caller that shows the texts one after another. The caller closes it. */
export function readOutlined(ws: Workspace, path: string): Outlined {
  const conversation = readOutline(ws, path)
  const { of: whole, close } = openWhole(conversation.folder)
  return { ...conversation, whole, close }
}

function readWith(
  ws: Workspace,
  path: string,
  {
    earlier,
    reach,
    keepRaw = false,
    outlines = false,
  }: {
    earlier?: Conversation | undefined
    reach?: Reach | undefined
    keepRaw?: boolean
    outlines?: boolean
  },
): Conversation {
  const folder = pathInside(ws.root, path)
  const { session, problems, writable, folderGone, another } = readState(ws, path, folder)
  const same = earlier?.path === path ? earlier : undefined
  // The mark is read before the record, so that it is out of date if another process writes in between.
  const marked = markOf(ws, path, folder) ?? stillValid(same?.moved, folder)
  // Texts are needed to make a title, and to tell the messages of merged conversations apart.
  const needsTexts = session.title === DEFAULT_TITLE || session.title === '' || session.merged !== undefined
  const outlined = outlines && !needsTexts
  const record = readRecordAndPendingTurn(ws.local, path, folder, same?.record, keepRaw, outlined)
  const segments = another ? [] : readSegments(ws, path, same?.segments, reach, marked)
  if (outlined)
    fillRepeated(folder, record, [record.turn, ...segments.map(({ content }) => content.read.messages)])
  const plan = reconcile(
    session.title === '' ? { ...session, title: recoveredSession(path).title } : session,
    session.merged === undefined ? record.lines : record.lines.filter((line) => belongsTo(session, line)),
    segments.map(({ content }) => content.read),
    record.pruned,
    another ? [] : record.turn,
  )
  return {
    path,
    folder,
    session: record.problems.some(({ kind }) => kind === 'not-a-message')
      ? keepHigherCount(plan.session, session)
      : plan.session,
    messages: plan.messages,
    pruned: record.pruned,
    plan,
    segments,
    record,
    problems: [...problems, ...record.problems],
    writable,
    another: another || session.merged !== undefined,
    folderGone,
  }
}

/**
 * Reads messages whole if their id occurs several times: of messages with one id, the one with the most content counts.
 */
function fillRepeated(
  folder: string,
  { lines }: RecordAndPendingTurn,
  others: readonly (readonly Message[])[],
): void {
  const seen = new Set<string>(others.flat().map(({ id }) => id))
  const repeated = new Set<string>(seen)
  for (const { id } of lines) if (seen.size === seen.add(id).size) repeated.add(id)
  if (repeated.size === 0) return
  const whole = openWhole(folder)
  try {
    for (const [index, line] of lines.entries()) if (repeated.has(line.id)) lines[index] = whole.of(line)
  } finally {
    whole.close()
  }
}

/**
 * Whether a line belongs to the conversation of session.json: git may have merged several conversations into a folder.
 */
function belongsTo(session: SessionFile, line: Message): boolean {
  return ownersOf([session], line, [0]).length > 0
}

/** Keeps the message count of session.json if it is higher: it may include lines that cannot be read now. */
function keepHigherCount(session: SessionFile, before: SessionFile): SessionFile {
  return { ...session, message_count: Math.max(session.message_count, before.message_count) }
}

export function readState(ws: Workspace, path: string, folder: string) {
  const { session: backup, held } = readMetadataBackup(ws.local, path) ?? {}
  const found = readSessionOrBroken(folder)
  if (found.session === undefined) {
    if (backup === undefined && found.broken === undefined && !isFileInside(folder, RECORD.messages))
      throw new CortextError('not-found', `no conversation at ${path}`, { fix: 'cortext resume --list' })
    const session = backup ?? recoveredSession(path)
    return {
      session,
      problems: found.problems,
      writable: true,
      folderGone: found.broken === undefined && statInside(ws.root, path) === undefined,
      another: false,
    }
  }
  const [here, there] = [backup?.origin, found.session.origin]
  const another = here !== undefined && there !== undefined && here !== there
  return {
    session:
      backup === undefined || another ? found.session : newerState(found.session, backup, held !== undefined),
    problems: found.problems,
    writable: found.writable,
    folderGone: false,
    another,
  }
}

/**
 * Returns the newer of session.json and this machine's backup: after a reset or a checkout, session.json may be older.
 * Joins the two while a state is held back: session.json never had that state, and another clone may have changed
 * session.json meanwhile.
 */
function newerState(found: SessionFile, backup: SessionFile, held: boolean): SessionFile {
  const order = Date.parse(backup.last_active) - Date.parse(found.last_active)
  if (!held) return order > 0 ? { ...found, ...backup } : found
  const joined = SessionFile.parse(joinSides(found, backup))
  return order < 0 ? joined : { ...joined, ...statedOf(backup) }
}

/** Returns the metadata that a person or an agent sets and that cannot be derived from messages. */
function statedOf({ status, title, context_summary, conversation_type, agent_config }: SessionFile) {
  return { status, title, context_summary, conversation_type, agent_config }
}

function readSessionOrBroken(folder: string) {
  try {
    const found = readSession(folder)
    return {
      session: found?.session,
      problems: found?.problems ?? [],
      writable: found?.writable ?? true,
      broken: undefined,
    }
  } catch (error) {
    if (!(error instanceof CortextError) || error.code !== 'corrupt') throw error
    const problem: Problem = { path: recordFiles(folder).session, line: 1, kind: 'broken-session', bytes: 0 }
    return { session: undefined, problems: [problem], writable: true, broken: error }
  }
}

/** Returns the number of problems in the files of a record, including those that are not listed. */
export function countProblems(problems: readonly Problem[]): number {
  return problems.reduce((sum, { more = 0 }) => sum + 1 + more, 0)
}
