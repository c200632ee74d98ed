import { CortextError } from '../errors.ts'
import { isFileInside, placeInside, statInside } from '../io/inside.ts'
import { reconcile, type SavePlan } from '../session/reconcile.ts'
import { recoveredSession } from '../session/recovered.ts'
import { type Message, SessionFile } from '../session/schema.ts'
import { ownersOf } from '../session/sharing/apart.ts'
import { joinSides } from '../session/sharing/join-sides.ts'
import { RECORD, recordFiles } from '../store/layout.ts'
import { readMetadataBackup } from '../store/machine/metadata-backup.ts'
import { type RecordAndPendingTurn, readRecordAndPendingTurn } from '../store/machine/pending-turn.ts'
import type { Problem } from '../store/record/problem.ts'
import { readSession } from '../store/record/session-file.ts'
import type { Workspace } from '../workspace/open.ts'
import { markOf } from './mark.ts'
import { readSegments } from './segments/read-segment.ts'
import type { BoundSegment, PlannedEnd } from './segments/segment-content.ts'

/** A conversation as it is now: the record together with what the journal has beyond it. */
export interface Conversation {
  /** The workspace-relative path, with forward slashes. */
  path: string
  folder: string
  session: SessionFile
  /**
   * In reading order and redacted, published or not. Pruned messages are not among them, but the events that tell of
   * pruning are.
   */
  messages: Message[]
  /** The pruned messages, by id. */
  pruned: ReadonlyMap<string, Message>
  plan: SavePlan
  segments: BoundSegment[]
  /** The record itself. */
  record: RecordAndPendingTurn
  problems: Problem[]
  /** False when a newer program wrote the conversation: it can only be read. */
  writable: boolean
  /**
   * Git has put another conversation of the same name into the folder: alone, while this machine knows the folder as
   * that of its own (whose words are not here then), or beside this one. Until that is settled it can only be read.
   */
  another: boolean
  /** The folder is gone from this work tree; what is known comes from this machine's own files. */
  folderGone: boolean
}

/**
 * Reads a conversation and writes nothing. It compares every segment that this machine has a journal of with the lines
 * of the record, and trusts no cursor: lines that a reset or a checkout took away are missing, and come back. With
 * `known` it reads again only the files that have changed since; the result is the same as without it. Live segments are
 * read up to their planned `ends`. Throws `not-found`, `unreadable` or `unsafe-path`.
 */
export function readConversation(
  ws: Workspace,
  path: string,
  known?: Conversation,
  ends?: readonly PlannedEnd[],
): Conversation {
  return readWith(ws, path, { known, ends })
}

/**
 * Reads a conversation whose lines are to be moved or copied, together with the bytes of these lines, so that they are
 * not read again. Throws what readConversation throws.
 */
export function readToMove(ws: Workspace, path: string): Conversation {
  return readWith(ws, path, { keepRaw: true })
}

function readWith(
  ws: Workspace,
  path: string,
  {
    known,
    ends,
    keepRaw = false,
  }: {
    known?: Conversation | undefined
    ends?: readonly PlannedEnd[] | undefined
    keepRaw?: boolean
  },
): Conversation {
  const folder = placeInside(ws.root, path)
  const { session, problems, writable, gone, another } = readState(ws, path, folder)
  const same = known?.path === path ? known : undefined
  // The mark is looked at before the record is read, so that it is out of date when somebody writes meanwhile.
  const marked = markOf(ws, path, folder)
  const record = readRecordAndPendingTurn(ws.local, path, folder, same?.record, keepRaw)
  const segments = another ? [] : readSegments(ws, path, same?.segments, ends, marked)
  const plan = reconcile(
    session.title === '' ? { ...session, title: recoveredSession(path).title } : session,
    session.merged === undefined ? record.lines : record.lines.filter((line) => isOf(session, line)),
    segments.map(({ content }) => content.read),
    record.pruned,
    another ? [] : record.turn,
  )
  return {
    path,
    folder,
    session: record.problems.some(({ kind }) => kind === 'not-a-message')
      ? notLower(plan.session, session)
      : plan.session,
    messages: plan.messages,
    pruned: record.pruned,
    plan,
    segments,
    record,
    problems: [...problems, ...record.problems],
    writable,
    another: another || session.merged !== undefined,
    folderGone: gone,
  }
}

/** Until several conversations in one folder are told apart, the oldest is read, and nothing of the others. */
function isOf(session: SessionFile, line: Message): boolean {
  return ownersOf([session], line, [0]).length > 0
}

/** Lines that could not be read were counted by whoever wrote them. */
function notLower(session: SessionFile, before: SessionFile): SessionFile {
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
      gone: found.broken === undefined && statInside(ws.root, path) === undefined,
      another: false,
    }
  }
  const [here, there] = [backup?.origin, found.session.origin]
  const another = here !== undefined && there !== undefined && here !== there
  return {
    session:
      backup === undefined || another ? found.session : newest(found.session, backup, held !== undefined),
    problems: found.problems,
    writable: found.writable,
    gone: false,
    another,
  }
}

/**
 * After a reset or a checkout the file may be older than what this machine wrote last. What is held back was never in
 * the file, which another clone may have changed meanwhile: then both count.
 */
function newest(found: SessionFile, backup: SessionFile, held: boolean): SessionFile {
  const order = Date.parse(backup.last_active) - Date.parse(found.last_active)
  if (!held) return order > 0 ? { ...found, ...backup } : found
  const joined = SessionFile.parse(joinSides(found, backup))
  return order < 0 ? joined : { ...joined, ...lastSaid(backup) }
}

/** The metadata that a person or an agent sets, and that no message contains. */
function lastSaid({ status, title, context_summary }: SessionFile) {
  return { status, title, context_summary }
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
