import { clientList, clientOf } from '../../clients/index.ts'
import { catchUp } from '../../conversation/catch-up.ts'
import {
  environmentOf,
  findInAncestors,
  nameProcess,
  type ProcessName,
  UNKNOWN_PROCESS,
} from '../../io/process.ts'
import { generationPath } from '../../store/layout.ts'
import { type Binding, liveSegment, readBinding, type Segment } from '../../store/machine/binding.ts'
import { readJournal } from '../../store/machine/journal/journal.ts'
import { readTurnMark } from '../../store/machine/journal/turn-mark.ts'
import { openSessionOf } from '../../store/machine/open-session.ts'
import type { Workspace } from '../../workspace/open.ts'
import { clientAround } from '../agent-workspace.ts'

/** Names a native session: its client, its id, and the path of its transcript. */
export interface SessionName {
  client: string
  nativeId: string
  /** '' if the path has to be looked up. */
  transcript: string
  /** The client's process; undefined when the system does not show it. */
  process?: ProcessName
  /**
   * The offset at which the running turn begins, if the client's hooks have noted it; Infinity if no turn is running.
   */
  turn?: number
}

/** A native session with its journal brought up to date. */
export interface CurrentSession extends SessionName {
  /** The journal's generation. */
  journal: string
  /** The offset in the journal at which the running turn begins. */
  turn: number
  /** The offset of the last turn that a hook has marked; equal to `turn` when no hook has marked one. */
  marked: number
  /** Size of the journal in bytes. */
  size: number
  binding: Binding | undefined
  live: Segment | undefined
}

/**
 * Finds the native session that started this process. Undefined when no session started it. A client that is started in
 * another client's shell inherits that client's variables. So only the nearest client among the ancestors of this
 * process counts. An ancestor is a client if hooks have made a note about its process, or if it has set variables that
 * it did not inherit.
 */
export function currentSessionName(ws: Workspace): SessionName | undefined {
  const candidates = clientList().flatMap((client) => {
    const nativeId = client.sessions.currentSession?.(ws.environment.env)
    return nativeId === undefined ? [] : [{ client: client.id, nativeId, transcript: '' }]
  })
  return (
    findInAncestors(process.pid, (pid) => notedFor(ws, pid) ?? givenBy(pid, candidates)) ??
    candidates[0] ??
    notedForUnknown(ws)
  )
}

/**
 * The session in which the person prompted last, if this process runs in a shell of its client. Only for systems on
 * which hooks do not know the client's process (Windows).
 */
function notedForUnknown(ws: Workspace): SessionName | undefined {
  const noted = notedFor(ws, UNKNOWN_PROCESS)
  if (noted === undefined || clientAround(ws.environment)?.id !== noted.client) return undefined
  const { process: _, ...session } = noted
  return session
}

function notedFor(ws: Workspace, pid: number): SessionName | undefined {
  const noted = openSessionOf(ws.local, pid)
  if (noted === undefined) return undefined
  const { client, native_id: nativeId, transcript = '', turn } = noted
  return { client, nativeId, transcript, process: nameProcess(pid), ...(turn === undefined ? {} : { turn }) }
}

/**
 * Returns the session whose variables a process has given its shell. If the system does not show the variables of
 * processes, returns the first candidate.
 */
function givenBy(pid: number, candidates: readonly SessionName[]): SessionName | undefined {
  if (candidates.length === 0) return undefined
  const env = environmentOf(pid)
  if (env === undefined) return candidates[0]
  const given = candidates.find(
    ({ client, nativeId }) => clientOf(client).sessions.currentSession?.(env) !== nativeId,
  )
  return given && { ...given, process: nameProcess(pid) }
}

/**
 * Returns the native session that started this process, with its journal brought up to date. Undefined when there is
 * none. Throws what catchUp throws.
 */
export function currentSession(ws: Workspace): CurrentSession | undefined {
  const session = currentSessionName(ws)
  return session === undefined ? undefined : sessionNamed(ws, session)
}

/** Returns the native session with this name, with its journal brought up to date. Throws what catchUp throws. */
export function sessionNamed(ws: Workspace, name: SessionName): CurrentSession {
  const { client, nativeId } = name
  const transcript =
    name.transcript ||
    readBinding(ws.local, client, nativeId)?.transcript ||
    clientOf(client).sessions.transcriptPath(ws.environment, ws.environment.cwd, nativeId)
  const { generation, size } = catchUp(ws, { client, transcript, native_id: nativeId })
  const binding = readBinding(ws.local, client, nativeId)
  const live = binding === undefined ? undefined : liveSegment(binding)
  const mark = readTurnMark(ws.local, client, nativeId)
  const found = Math.min(turnStart(ws, name, generation), size)
  // Hooks mark the turn only in bound sessions. In other sessions, the transcript shows where the turn begins.
  const marked = live !== undefined && mark !== undefined ? Math.min(mark.offset, size) : found
  // The mark may be of an earlier turn: hooks may be gone, or may have marked another segment. So the later offset
  // counts.
  const turn = Math.max(marked, found)
  const session = { client, nativeId, transcript, journal: generation, marked, turn, size, binding, live }
  return name.process === undefined ? session : { ...session, process: name.process }
}

function turnStart(ws: Workspace, { client, turn }: SessionName, generation: string): number {
  // No turn is running, so there is nothing to find in the transcript.
  if (turn === Number.POSITIVE_INFINITY) return turn
  return clientOf(client).reading.turnStart(readJournal(generationPath(ws.local, client, generation)), turn)
}
