import { renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { CortextError } from '../../errors.ts'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import { errnoOf } from '../../io/file-error.ts'
import { type ProcessName, sameProcess } from '../../io/process.ts'
import { readText } from '../../io/regular-file.ts'
import { parseJson } from '../../text/json.ts'
import { bindingPath, ensureLocalFolder, journalPath } from '../layout.ts'
import type { Generation } from './journal/journal.ts'
import { withLockSync } from './locks/lock.ts'
import { writeLog } from './log.ts'

/** This file is part of the hook bundle: it imports only node's modules and other files of the bundle. */

/** Says which parts of a native session belong to which conversations. */
export interface Binding {
  client: string
  native_id: string
  /** The absolute path of the client's transcript. */
  transcript: string
  /** The root of the workspace in which the binding was made. */
  root: string
  /** The id that our launch gave to the session; present only if the client has chosen another id for it. */
  launch?: string
  /** The segments in the order in which they began. Only the last one may be live. */
  segments: Segment[]
}

export interface Segment {
  /** The workspace-relative path of the conversation folder, with forward slashes. */
  conversation: string
  /** The file name of the journal generation that the offsets belong to. */
  journal: string
  /** The byte offset where the segment begins. */
  from: number
  /** The byte offset where the segment ended; absent while it is live. */
  to?: number
  how: 'start' | 'resume' | 'adopt' | 'import'
  /** The root of the workspace in which the segment began, if that may be another than the binding's. */
  root?: string
  /** The branch that was checked out there. */
  branch?: string
  /** The segment began because the client rewrote its transcript. It may repeat what earlier segments contain. */
  restarted?: boolean
  /**
   * The person cleared the session in the client. The conversation continues in this segment, in a new native session.
   */
  cleared?: boolean
  /**
   * A resume made the segment, and no hook has reported a turn in it yet. Until then it may contain only the resume
   * itself, which does not belong to the conversation.
   */
  pending?: boolean
  /** The offset up to which the segment is published; absent before the first publishing. */
  published_to?: number
  /**
   * What ended the segment: `stop` in the session, another conversation in the session (`switch`), the end of the
   * session, or a stop in another process while the session was open (`elsewhere`). After `elsewhere`, the turn that
   * was running then still belongs to the segment.
   */
  ended_by?: 'stop' | 'switch' | 'session-end' | 'elsewhere'
  /** The record contains the whole segment, so its journal was removed. The segment is not read any more. */
  tidied?: boolean
  /**
   * The pid of the client process that last told the person that the segment has ended or that it continues after a
   * `/clear`. `later`: the person has just typed a command of ours, which may change this. So the next notice is left
   * out.
   */
  notified?: number | 'later'
  /**
   * When the segment was last published, or the agent was last told that this is long ago. Absent: neither since the
   * segment began.
   */
  saved_at?: string
  /** When the client last refused a turn because of its limit of use; the next prompt tells the person what to do. */
  limited_at?: string
  /** A verb has looked whether the segment ended without a stop. If it did, the verb has told the person. */
  left_notified?: true
  /** The command without its slash: `workspace.brainstorm`. */
  command?: string
  /**
   * The client process that ran the last hook. If it is gone and no hook has reported its end, it has crashed or was
   * killed.
   */
  process?: ProcessName
  started_at: string
  ended_at?: string
}

/** The binding of a native session; undefined when there is none. A broken file is renamed to `….broken` and logged. */
export function readBinding(local: string, client: string, nativeId: string): Binding | undefined {
  return readBindingFile(local, bindingPath(local, client, nativeId))
}

/**
 * Changes a binding under its lock, atomically. `change` receives the present binding, and returns the new one. If it
 * returns the same object, the file is not written; if it returns undefined, the file is removed. Returns what `change`
 * returned. Throws `locked`.
 */
export function updateBinding(
  local: string,
  client: string,
  nativeId: string,
  change: (binding: Binding | undefined) => Binding | undefined,
): Binding | undefined {
  const path = bindingPath(local, client, nativeId)
  ensureLocalFolder(local, dirname(path))
  return withLockSync(local, `binding-${client}-${nativeId}`, () => {
    const before = readBindingFile(local, path)
    const text = before && bindingText(before)
    const after = change(before)
    if (after === undefined) rmSync(path, { force: true })
    else if (bindingText(after) !== text)
      writeFileAtomic(path, bindingText(after), { mode: 0o600, refuseSymlink: true })
    return after
  })
}

/** The root of the workspace in which a segment began. */
export function rootOf({ binding, segment }: { binding: Binding; segment: Segment }): string {
  return segment.root ?? binding.root
}

export function liveSegment(binding: Binding): Segment | undefined {
  const last = binding.segments.at(-1)
  return last?.to === undefined ? last : undefined
}

/**
 * Moves the binding of a launch to the session that the client has made for this launch. Does nothing when the session
 * has a binding already, or the launch has none (any more).
 */
export function followLaunch(
  local: string,
  launch: string,
  native: { client: string; nativeId: string; transcript: string; journal: string },
): void {
  if (readBinding(local, native.client, native.nativeId) !== undefined) return
  const made = readBinding(local, native.client, launch)
  if (made === undefined) return
  const { nativeId, transcript, journal } = native
  // The hook copies the transcript only into a folder that exists. This may be the first session of this client here.
  ensureLocalFolder(local, dirname(journalPath(local, native.client, nativeId)))
  const segments = made.segments.map((segment) => ({ ...segment, journal }))
  updateBinding(
    local,
    native.client,
    nativeId,
    (binding) => binding ?? { ...made, native_id: nativeId, transcript, launch, segments },
  )
  updateBinding(local, native.client, launch, () => undefined)
}

/** Returns the binding with `segment` as its live segment. Throws a RangeError when a segment is live already. */
export function openSegment(binding: Binding, segment: Segment): Binding {
  if (liveSegment(binding) !== undefined)
    throw new RangeError(`a segment of ${binding.client} ${binding.native_id} is live already`)
  return { ...binding, segments: [...binding.segments, segment] }
}

/**
 * Returns the binding with its live segment ended, or the same object when no segment is live. If `end` is before the
 * segment's beginning, the segment ends where it begins. A pending segment stays pending, because it may have a turn
 * whose hook has failed.
 */
export function closeSegment(
  binding: Binding,
  end: { to: number; by: NonNullable<Segment['ended_by']>; at: Date },
): Binding {
  const live = liveSegment(binding)
  if (live === undefined) return binding
  const { notified: _, limited_at: __, ...kept } = live
  const to = Math.max(end.to, live.from)
  const ended: Segment = { ...kept, to, ended_by: end.by, ended_at: end.at.toISOString() }
  return { ...binding, segments: [...binding.segments.slice(0, -1), ended] }
}

/** Whether the last segment of a session, which has ended, may still grow. */
export function mayGrow(segment: Segment | undefined): boolean {
  return segment?.tidied !== true && (mayContinue(segment) || segment?.ended_by === 'elsewhere')
}

/** Whether the conversation continues when its session continues: the segment ended with the session, not by a stop. */
export function mayContinue(segment: Segment | undefined): boolean {
  return segment?.ended_by === 'session-end'
}

/**
 * Whether the next prompt of a session must show a notice: the session is no longer recorded, or it is still recorded
 * although the person typed `/clear`. Each client process shows the notice once.
 */
export function mustNotify(segment: Segment | undefined, pid: number): boolean {
  return (segment?.to !== undefined || segment?.cleared === true) && segment.notified !== pid
}

/**
 * If the last segment has ended and may still grow, returns the binding with this segment extended to the present end
 * of its journal: a client may write its last words after its last hook, and the hook of a later turn may fail.
 * Otherwise returns the same object.
 */
export function extendEnded(
  binding: Binding,
  { generation, size }: { generation: string; size: number },
): Binding {
  const last = binding.segments.at(-1)
  if (last?.to === undefined || !mayGetMore(last)) return binding
  if (last.journal !== generation || last.to >= size) return binding
  return { ...binding, segments: [...binding.segments.slice(0, -1), { ...last, to: size }] }
}

/**
 * Lets the pending segment begin at `offset`. What the session contains before `offset` is the resume itself, and does
 * not belong to the conversation. With `missedTurn`, it contains also a turn that no hook has reported; then it becomes
 * an ended segment of its own. Returns the same object when no segment is pending.
 */
export function beginPending(binding: Binding, offset: number, missedTurn = false): Binding {
  const live = liveSegment(binding)
  if (live?.pending !== true) return binding
  const { pending: _, ...kept } = live
  const from = Math.max(offset, live.from)
  const missed: Segment[] = missedTurn ? [{ ...live, to: from, ended_by: 'switch' }] : []
  return { ...binding, segments: [...binding.segments.slice(0, -1), ...missed, { ...kept, from }] }
}

/**
 * Returns the binding with the process that writes its live segment. Returns the same object when the segment has this
 * process already, or when no segment is live.
 */
export function noteProcess(binding: Binding, writer: ProcessName): Binding {
  const live = liveSegment(binding)
  if (live === undefined || (live.process !== undefined && sameProcess(live.process, writer))) return binding
  return { ...binding, segments: [...binding.segments.slice(0, -1), { ...live, process: writer }] }
}

/**
 * Continues the last segment in the newest generation of its journal, after the client has rewritten its transcript.
 * The segment ends where its generation ends, and a new segment begins at 0 in each later generation. If the last
 * segment was live, the newest is live now. Returns the same object when the client has rewritten nothing, or when the
 * last segment has ended and may not grow. Callers apply this in `updateBinding` before they use a binding.
 */
export function followRestarts(binding: Binding, generations: Generation[], at: Date): Binding {
  const last = binding.segments.at(-1)
  const index = generations.findIndex(({ name }) => name === last?.journal)
  const later = generations.slice(index + 1)
  if (last === undefined || !mayGetMore(last) || index === -1 || later.length === 0) return binding
  const time = at.toISOString()
  const to = Math.max(last.to ?? last.from, generations[index]!.size)
  const ended: Segment = { ...last, to, ended_at: last.ended_at ?? time }
  // `published_to` is an offset in the old generation.
  const { published_to: _, ...kept } = last
  const followers = later.map(({ name, size }, i): Segment => {
    const follower: Segment = { ...kept, journal: name, from: 0, restarted: true, started_at: time }
    if (last.to === undefined && i === later.length - 1) return follower
    return { ...follower, to: size, ended_at: last.ended_at ?? time }
  })
  return { ...binding, segments: [...binding.segments.slice(0, -1), ended, ...followers] }
}

/** Whether what the client writes next may belong to the segment; see extendEnded. */
function mayGetMore(segment: Segment): boolean {
  if (segment.to === undefined) return true
  return mayGrow(segment)
}

/** Reads one binding by its path. A broken file is renamed to `….broken` and logged. */
export function readBindingFile(local: string, path: string): Binding | undefined {
  const text = readText(path)
  if (text === undefined) return undefined
  const binding = parseBinding(path, text)
  if (binding === undefined) setAside(local, path)
  return binding
}

/** Like readBindingFile, but writes nothing: for a broken file it returns 'broken'. */
export function peekBindingFile(path: string): Binding | 'broken' | undefined {
  const text = readText(path)
  return text === undefined ? undefined : (parseBinding(path, text) ?? 'broken')
}

/** The version of the file format that this program writes; src/store/README.md describes it. */
const FORMAT = 1

function bindingText(binding: Binding): string {
  return `${JSON.stringify({ format: FORMAT, ...binding })}\n`
}

function parseBinding(path: string, text: string): Binding | undefined {
  // If the file is torn, the object has no keys, and is not a binding.
  const { format = FORMAT, ...binding } = Object(parseJson(text)) as Record<string, unknown>
  if (typeof format === 'number' && format > FORMAT)
    throw new CortextError('newer-version', `${path} was written by a newer version of cortext`, {
      fix: 'npm install -g cortext@latest',
    })
  return isBinding(binding) ? binding : undefined
}

function isBinding(binding: object): binding is Binding {
  const { segments, ...named } = binding as Record<string, unknown>
  const texts = ['client', 'native_id', 'transcript', 'root'].every((key) => typeof named[key] === 'string')
  return texts && Array.isArray(segments) && segments.every(isSegment)
}

function isSegment(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const segment = value as Record<string, unknown>
  const texts = ['conversation', 'journal', 'how', 'started_at'].every(
    (key) => typeof segment[key] === 'string',
  )
  const end = segment.to === undefined || Number.isSafeInteger(segment.to)
  return texts && Number.isSafeInteger(segment.from) && end
}

function setAside(local: string, path: string): void {
  writeLog(local, `binding cannot be read, set aside: ${path}.broken`)
  try {
    renameSync(path, `${path}.broken`)
  } catch (error) {
    // Another process has just renamed the file, or this user may not rename it. If it stays, the next reader logs it
    // again.
    if (errnoOf(error) === undefined) throw error
  }
}
