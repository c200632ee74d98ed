import { renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { CortextError } from '../../errors.ts'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import { errnoOf } from '../../io/file-error.ts'
import { type ProcessName, sameProcess } from '../../io/process.ts'
import { readText } from '../../io/regular-file.ts'
import { bindingPath, ensureLocalFolder, journalPath } from '../layout.ts'
import type { Generation } from './journal/journal.ts'
import { withLockSync } from './locks/lock.ts'
import { writeLog } from './log.ts'

/** This file is part of the hook bundle: it imports only node's modules and other files of the bundle. */

/** Says which parts of one native session belong to which conversations. */
export interface Binding {
  client: string
  native_id: string
  /** The absolute path of the client's transcript. */
  transcript: string
  /** The root of the workspace in which the binding was made. */
  root: string
  /** The id of the launch for which the binding was made; absent unless the client chose another id for the session. */
  launch?: string
  /** The segments in the order they began; only the last one may be live. */
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
  /** The client has rewritten its transcript, so this segment may repeat what earlier segments contain. */
  restarted?: boolean
  /** The person cleared the conversation in the client, and it continues in this segment under another native id. */
  cleared?: boolean
  /**
   * A resume made the segment, and no hook has reported a turn in it yet. Its content may be the resume itself, so only
   * the turns after the resume count.
   */
  pending?: boolean
  /** The offset up to which the segment has been published; absent before the first time. */
  published_to?: number
  /**
   * What ended the segment: a stop, another conversation in the same session, the end of the session, or a stop from
   * elsewhere while the session was open. After a stop from elsewhere, only the running turn of the session still
   * belongs to the segment.
   */
  ended_by?: 'stop' | 'switch' | 'session-end' | 'elsewhere'
  /** The segment's journal was removed, because the record contains all of it. The segment is not read any more. */
  tidied?: boolean
  /**
   * The pid of the client process in which the person was last notified that the segment has ended (or continues after
   * a `/clear`); `later` when the person has just typed a command of ours: the command may change the state, so the
   * next notice is left out.
   */
  notified?: number | 'later'
  /** A verb has checked whether the segment ended without a stop, and has notified the person if so. */
  left_notified?: true
  /** The command without its slash: `workspace.brainstorm`. */
  command?: string
  /** The client process that ran the last hook. If it is gone and the session did not end, it was killed. */
  process?: ProcessName
  started_at: string
  ended_at?: string
}

/** The binding of a native session; undefined when there is none. A broken file is set aside and logged. */
export function readBinding(local: string, client: string, nativeId: string): Binding | undefined {
  return readBindingFile(local, bindingPath(local, client, nativeId))
}

/**
 * Changes a binding under its lock, atomically. `change` receives the present binding. It returns the new one, the same
 * object to leave the file as it is, or undefined to remove it. Returns what `change` returned. Throws `locked`.
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

/** The segment that is being written, if there is one. */
export function liveSegment(binding: Binding): Segment | undefined {
  const last = binding.segments.at(-1)
  return last?.to === undefined ? last : undefined
}

/**
 * Moves the binding of a launch to the session that the client has made for it. Does nothing when the launch has no
 * binding any more, because it was moved before or the session has ended.
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
  // This may be the first session of this client here, and a hook copies only into a folder that exists.
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

/** Returns the binding with a further, live segment. Throws a RangeError when a segment is live already. */
export function openSegment(binding: Binding, segment: Segment): Binding {
  if (liveSegment(binding) !== undefined)
    throw new RangeError(`a segment of ${binding.client} ${binding.native_id} is live already`)
  return { ...binding, segments: [...binding.segments, segment] }
}

/**
 * Returns the binding with its live segment ended, or the same object when no segment is live. An end before the
 * beginning of the segment is moved to its beginning. A pending segment stays pending: a hook may have failed at its
 * first turn.
 */
export function closeSegment(
  binding: Binding,
  end: { to: number; by: NonNullable<Segment['ended_by']>; at: Date },
): Binding {
  const live = liveSegment(binding)
  if (live === undefined) return binding
  const { notified: _, ...kept } = live
  const to = Math.max(end.to, live.from)
  const ended: Segment = { ...kept, to, ended_by: end.by, ended_at: end.at.toISOString() }
  return { ...binding, segments: [...binding.segments.slice(0, -1), ended] }
}

/** Whether the last segment of a session may still grow, although it has ended. */
export function mayGrow(segment: Segment | undefined): boolean {
  return segment?.tidied !== true && (mayContinue(segment) || segment?.ended_by === 'elsewhere')
}

/** Whether the conversation continues when its session continues, because no stop ended it there. */
export function mayContinue(segment: Segment | undefined): boolean {
  return segment?.ended_by === 'session-end'
}

/**
 * Whether the next prompt of a session must show a note on the screen: the session is no longer recorded, or it is
 * still recorded after a `/clear`. The note is shown once in each client process.
 */
export function mustNotify(segment: Segment | undefined, pid: number): boolean {
  return (segment?.to !== undefined || segment?.cleared === true) && segment.notified !== pid
}

/**
 * Extends the last segment to the present end of its journal, if it has ended and may still grow: a client may write
 * its last words after its last hook, and the hook of a later turn may fail. Otherwise returns the same object.
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
 * Begins the pending segment at an offset: the part of the session before it (the resume itself) does not belong to the
 * conversation. With `missedTurn`, that part contains a turn that no hook has reported, so that part stays as an ended
 * segment of its own. Returns the same object when no segment is pending.
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
 * Notes in the live segment which process writes it. Returns the same object when that process is noted already, or
 * when no segment is live.
 */
export function noteProcess(binding: Binding, writer: ProcessName): Binding {
  const live = liveSegment(binding)
  if (live === undefined || (live.process !== undefined && sameProcess(live.process, writer))) return binding
  return { ...binding, segments: [...binding.segments.slice(0, -1), { ...live, process: writer }] }
}

/**
 * After the client has rewritten its transcript, continues the last segment in the journal's newest generation, if that
 * segment is live or may grow. The old segment ends where its generation ends, and a new one begins at 0 in each later
 * generation; the newest is live if the old one was. Returns the same object when nothing was rewritten. Callers apply
 * this, in `updateBinding`, before they use a binding.
 */
export function followRestarts(binding: Binding, generations: Generation[], at: Date): Binding {
  const last = binding.segments.at(-1)
  const index = generations.findIndex(({ name }) => name === last?.journal)
  const later = generations.slice(index + 1)
  if (last === undefined || !mayGetMore(last) || index === -1 || later.length === 0) return binding
  const time = at.toISOString()
  const to = Math.max(last.to ?? last.from, generations[index]!.size)
  const ended: Segment = { ...last, to, ended_at: last.ended_at ?? time }
  // The old segment's published offset does not apply to its followers.
  const { published_to: _, ...kept } = last
  const followers = later.map(({ name, size }, i): Segment => {
    const follower: Segment = { ...kept, journal: name, from: 0, restarted: true, started_at: time }
    if (last.to === undefined && i === later.length - 1) return follower
    return { ...follower, to: size, ended_at: last.ended_at ?? time }
  })
  return { ...binding, segments: [...binding.segments.slice(0, -1), ended, ...followers] }
}

/** Whether what the client writes next still belongs to the segment: see extendEnded. */
function mayGetMore(segment: Segment): boolean {
  if (segment.to === undefined) return true
  return mayGrow(segment)
}

/** Reads one binding by its path. A broken file is set aside and logged. */
export function readBindingFile(local: string, path: string): Binding | undefined {
  const text = readText(path)
  if (text === undefined) return undefined
  const binding = parseBinding(path, text)
  if (binding === undefined) setAside(local, path)
  return binding
}

/** Reads one binding for a caller that only looks: a broken file is reported and stays where it is. */
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
  const { format = FORMAT, ...binding } = parse(text)
  if (typeof format === 'number' && format > FORMAT)
    throw new CortextError('newer-version', `${path} was written by a newer version of cortext`, {
      fix: 'npm install -g cortext@latest',
    })
  return isBinding(binding) ? binding : undefined
}

function parse(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    // A torn file counts as an object without keys, which is not a binding.
    return {}
  }
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
    // Another process has set the file aside already, or we may not rename it. In the second case, it stays and is
    // logged again.
    if (errnoOf(error) === undefined) throw error
  }
}
