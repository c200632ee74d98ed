import { isFileInside, pathInside } from '../io/inside.ts'
import { compareTimes, reconcile, type SavePlan, withOrigin } from '../session/reconcile.ts'
import { recoveredSession } from '../session/recovered.ts'
import { DEFAULT_TITLE, type Message, type SessionFile } from '../session/schema.ts'
import { ownersOf } from '../session/sharing/apart.ts'
import { lastAsked } from '../session/summary.ts'
import { RECORD } from '../store/layout.ts'
import {
  hasPendingTurn,
  type RecordAndPendingTurn,
  readRecordAndPendingTurn,
} from '../store/machine/pending-turn.ts'
import type { ReadMark } from '../store/machine/published.ts'
import { openWhole } from '../store/record/outline.ts'
import type { Problem } from '../store/record/problem.ts'
import type { Workspace } from '../workspace/open.ts'
import { notHere } from './not-here.ts'
import { markOf, stillValid } from './read-mark.ts'
import { type Metadata, readMetadata } from './read-metadata.ts'
import { readNewParts, readSegments } from './segments/read-segment.ts'
import type { BoundSegment, Reach } from './segments/segment-content.ts'
import { tokensOf } from './tokens.ts'

/** A conversation as it is now: the record together with what the journal has beyond it. */
export interface Conversation extends Metadata {
  /** The workspace-relative path, with forward slashes. */
  path: string
  folder: string
  /**
   * The messages in reading order, redacted, whether published or not. Pruned messages are left out; the events of
   * pruning are there.
   */
  messages: Message[]
  /** The pruned messages, by id. */
  pruned: ReadonlyMap<string, Message>
  plan: SavePlan
  segments: BoundSegment[]
  /** The record as it is on disk, and what this machine knows beyond it. */
  record: RecordAndPendingTurn
  /**
   * The mark at which the reading began (`readNew`). Then `messages` and `record` have only what may still grow and
   * what is new. Absent: everything was read.
   */
  since?: ReadMark | undefined
  /** The mark of the last publishing after lines were moved (`markAfterMove`); the next reading may use it. */
  moved?: ReadMark | undefined
}

export interface ReadOptions {
  /** An earlier reading: only files that have changed since are read again. */
  earlier?: Conversation | undefined
  /** How far the segments are read. */
  reach?: Reach | undefined
  /** Keeps the bytes of the record's lines, for a caller that moves or copies them. */
  keepRaw?: boolean
  /** Leaves the texts of long messages out, so that the longest conversation fits into memory. */
  outlines?: boolean
}

/**
 * Reads a conversation and writes nothing. It compares the segments in this machine's journals with the lines of the
 * record. So lines come back that a reset or a checkout removed. Reads only the new parts of segments while the record
 * is as the last publishing left it. Throws `not-found`, also if only another branch has its words, `unreadable` or
 * `unsafe-path`.
 */
export function readConversation(
  ws: Workspace,
  path: string,
  { earlier, reach, keepRaw = false, outlines = false }: ReadOptions = {},
): Conversation {
  const folder = pathInside(ws.root, path)
  const metadata = readMetadata(ws, path, folder)
  const same = earlier?.path === path ? earlier : undefined
  // The mark is read before the record, so that it is out of date if another process writes in between.
  const marked = markOf(ws, path, folder) ?? stillValid(same?.moved, folder)
  // Texts are needed to make a title, and to tell the messages of merged conversations apart.
  const outlined = outlines && !isUntitled(metadata) && metadata.session.merged === undefined
  const record = readRecordAndPendingTurn(ws.local, path, folder, same?.record, {
    keepRaw,
    outlines: outlined,
  })
  const segments = metadata.holdsAnother ? [] : readSegments(ws, path, same?.segments, reach, marked)
  if (outlined)
    fillRepeated(folder, record, [record.beyond, ...segments.map(({ content }) => content.read.messages)])
  const read = reconciled({ path, folder, metadata, record, segments })
  const { title, message_count: counted } = metadata.session
  const isEmpty = read.messages.length === 0 && read.pruned.size === 0
  if (isEmpty && counted > 0 && !isFileInside(folder, RECORD.session)) throw notHere(ws, path, title)
  return read
}

/**
 * Reads only what is new since the conversation was published, without its record. Undefined when everything must be
 * read: the record has changed since, or the new part does more than continue the talk. The plan appends the same lines
 * as after reading everything. A caller that writes the result must hold the conversation's lock. Throws what
 * readConversation throws.
 */
export function readNew(
  ws: Workspace,
  path: string,
  reach: Reach = {},
  known?: ReadMark,
): Conversation | undefined {
  const folder = pathInside(ws.root, path)
  const since = known ?? markOf(ws, path, folder)
  if (since === undefined || hasPendingTurn(ws.local, path)) return undefined
  const metadata = readMetadata(ws, path, folder)
  const { folderGone, holdsAnother, writable, problems, session } = metadata
  if (folderGone || holdsAnother || !writable || problems.length > 0) return undefined
  if (isUntitled(metadata) || session.merged !== undefined) return undefined
  const segments = readNewParts(ws, path, reach, since)
  // The mark has each of these segments, and must have no others.
  if (segments === undefined || segments.length !== since.segments.length) return undefined
  const open = since.segments.flatMap((one) => one.open)
  const read = reconciled({ path, folder, metadata, record: endOfRecord(session, open), segments, since })
  return continuesRecord(read, since) ? read : undefined
}

/** A conversation whose long messages are without their texts, and a way to read those again. */
export interface Outlined extends Conversation {
  /** Reads a whole message. Throws `unreadable` when another process has rewritten the record meanwhile. */
  whole(message: Message): Message
  close(): void
}

/** Reads outlines for a caller that shows the texts one after another. The caller closes the result. */
export function readOutlined(ws: Workspace, path: string): Outlined {
  const conversation = readConversation(ws, path, { outlines: true })
  const { of: whole, close } = openWhole(conversation.folder)
  return { ...conversation, whole, close }
}

/**
 * Returns the tokens of the whole conversation and the beginning of what the person asked last ('' if nothing was
 * asked), also if only its new part was read.
 */
export function totalsOf({ messages, since }: Pick<Conversation, 'messages' | 'since'>): {
  tokens: number
  asked: string
} {
  return {
    tokens: (since?.tokens ?? 0) + tokensOf(messages),
    asked: lastAsked(messages) || (since?.asked ?? ''),
  }
}

/**
 * Reads the present metadata of a conversation, as `readConversation` returns it. If all messages had to be read, they
 * are in the result without their long texts. Writes nothing. Throws what readConversation throws.
 */
export function readDescription(
  ws: Workspace,
  path: string,
): Pick<Conversation, 'path' | 'folder' | 'session' | 'problems' | 'messages' | 'segments'> {
  const news = readNew(ws, path)
  return news === undefined
    ? withTokens(readConversation(ws, path, { outlines: true }))
    : { ...withTokens(news), messages: [], segments: [] }
}

/**
 * Counts the tokens of what is in no record yet. The messages of a record may be without their long texts, so the count
 * is never lower than the one that was saved with them.
 */
export function withTokens<T extends Conversation>(read: T): T {
  const token_count = Math.max(read.session.token_count, totalsOf(read).tokens)
  return { ...read, session: { ...read.session, token_count } }
}

/** Returns the number of problems in the files of a record, including those that are not listed. */
export function countProblems(problems: readonly Problem[]): number {
  return problems.reduce((sum, { more = 0 }) => sum + 1 + more, 0)
}

function reconciled({
  metadata,
  ...read
}: Pick<Conversation, 'path' | 'folder' | 'record' | 'segments' | 'since'> & {
  metadata: Metadata
}): Conversation {
  const { session, holdsAnother, problems } = metadata
  const { record, segments, since } = read
  const plan = reconcile(
    session.title === '' ? { ...session, title: titleIn(read.path, session) } : session,
    session.merged === undefined ? record.lines : record.lines.filter((line) => belongsTo(session, line)),
    segments.map(({ content }) => content.read),
    record.pruned,
    holdsAnother ? [] : record.beyond,
    since?.messages,
  )
  return {
    ...metadata,
    ...read,
    session: record.problems.some(({ kind }) => kind === 'not-a-message')
      ? keepHigherCount(plan.session, session)
      : plan.session,
    messages: plan.messages,
    pruned: record.pruned,
    plan,
    problems: [...problems, ...record.problems],
    // Without a settled merge, both conversations are in the folder.
    holdsAnother: holdsAnother || session.merged !== undefined,
  }
}

/** The lines of a record that may still grow; the others are not read. */
function endOfRecord(session: SessionFile, open: readonly Message[]): RecordAndPendingTurn {
  const lines = withOrigin(session, open)
  return { lines, all: lines, places: [], pruned: new Map(), beyond: [], problems: [], stamp: '' }
}

/** Whether the new messages only continue the record, so that its other lines need not be read. */
function continuesRecord({ plan: { append }, record, messages }: Conversation, since: ReadMark): boolean {
  const grown = new Set(record.lines.map(({ id }) => id))
  const isLater = ({ id, timestamp }: Message) => grown.has(id) || compareTimes(timestamp, since.newest) >= 0
  const sessions = new Set(append.map(({ native_session }) => native_session))
  // All lines are needed to order messages of several sessions, and messages that are older than the newest of the
  // record.
  if (sessions.size > 1 || !(since.isOneSession === true || append.every(isLater))) return false
  // A rewind may have taken back what was asked before.
  return lastAsked(messages) !== '' || !append.some(({ event }) => event === 'rewound')
}

/** The title by which a conversation's folder was named. */
function titleIn(path: string, { conversation_type: type }: SessionFile): string {
  return recoveredSession(path, [type]).title
}

/** Whether the conversation still gets its title from its messages. */
function isUntitled({ session: { title } }: Metadata): boolean {
  return title === DEFAULT_TITLE || title === ''
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
  for (const { id } of lines)
    if (seen.has(id)) repeated.add(id)
    else seen.add(id)
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
  // A line that names nobody belongs to the owner of the line before it: to this one.
  return ownersOf([session], line, [0]).length > 0
}

/** Keeps the message count of session.json if it is higher: it may include lines that cannot be read now. */
function keepHigherCount(session: SessionFile, before: SessionFile): SessionFile {
  return { ...session, message_count: Math.max(session.message_count, before.message_count) }
}
