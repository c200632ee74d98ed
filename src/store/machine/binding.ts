import { readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import { errnoOf, fileError } from '../../io/file-error.ts'
import { bindingPath, ensureLocalFolder, journalPath, turnMarkPath } from '../layout.ts'
import type { Generation } from './journal.ts'
import { withLockSync } from './lock.ts'
import { writeLog } from './log.ts'
import { type ProcessName, sameProcess } from './process.ts'

/** Part of the hook bundle: node's own modules only. */

/** Which parts of one native session belong to which conversations. */
export interface Binding {
  client: string
  native_id: string
  /** Absolute path of the client's transcript. */
  transcript: string
  /** The workspace root it was made from. */
  root: string
  /** The launch it was made for, where the client chose another id for the session. */
  launch?: string
  /** In the order they began; at most the last one is live. */
  segments: Segment[]
}

export interface Segment {
  /** Workspace-relative path of the conversation folder, forward slashes. */
  conversation: string
  /** File name of the journal generation that the offsets belong to. */
  journal: string
  /** Byte offset where the segment begins. */
  from: number
  /** Where it ended; absent while live. */
  to?: number
  how: 'start' | 'resume' | 'adopt' | 'import'
  /** The client rewrote its transcript meanwhile: what was said before the segment may come again in it. */
  restarted?: boolean
  /** The person cleared the conversation in the client before it: it goes on here under another native id. */
  cleared?: boolean
  /** Made by a resume; no turn was seen in it. */
  pending?: boolean
  /** Offset up to which the segment has been published; absent before the first time. */
  published_to?: number
  /** What ended it: the person, another conversation in the same session, or the session itself. */
  ended_by?: 'stop' | 'switch' | 'session-end'
  /** The command without its slash: `workspace.brainstorm`. */
  command?: string
  /** The client that its last hook ran under: gone without an end of the session, it was killed. */
  process?: ProcessName
  started_at: string
  ended_at?: string
}

/** The binding of a native session; undefined when it has none. A broken file is set aside and logged. */
export function readBinding(local: string, client: string, nativeId: string): Binding | undefined {
  return readBindingFile(local, bindingPath(local, client, nativeId))
}

/**
 * Changes a binding under its lock, atomically. `change` gets the present one and returns the new one, the same
 * object to leave the file as it is, or undefined to have none. Returns what it returned.
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
    const text = before && textOf(before)
    const after = change(before)
    if (after === undefined) rmSync(path, { force: true })
    else if (textOf(after) !== text)
      writeFileAtomic(path, textOf(after), { mode: 0o600, refuseSymlink: true })
    return after
  })
}

/** The segment that is being written, if any. */
export function liveSegment(binding: Binding): Segment | undefined {
  const last = binding.segments.at(-1)
  return last?.to === undefined ? last : undefined
}

/**
 * The binding that a launch made, carried over to the session that the client made of it. The same undefined when
 * the launch left none: it was carried over before, or ended.
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
  // It may be the first session of this client here, and hooks only write.
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

/** The binding with a further, live segment. Throws a RangeError when one is live already: it has to end first. */
export function openSegment(binding: Binding, segment: Segment): Binding {
  if (liveSegment(binding) !== undefined)
    throw new RangeError(`a segment of ${binding.client} ${binding.native_id} is live already`)
  return { ...binding, segments: [...binding.segments, segment] }
}

/** The binding with its live segment ended; the same object when none is live. An end before its begin is its begin. */
export function closeSegment(
  binding: Binding,
  end: { to: number; by: NonNullable<Segment['ended_by']>; at: Date },
): Binding {
  const live = liveSegment(binding)
  if (live === undefined) return binding
  const { pending: _, ...kept } = live
  const to = Math.max(end.to, live.from)
  const ended: Segment = { ...kept, to, ended_by: end.by, ended_at: end.at.toISOString() }
  return { ...binding, segments: [...binding.segments.slice(0, -1), ended] }
}

/**
 * The same at the end of a native session. A segment in which no turn was seen stays as an empty one, so that what
 * the client writes about itself is not taken for the late words of the segment before.
 */
export function endSegment(binding: Binding, end: Parameters<typeof closeSegment>[1]): Binding {
  const live = liveSegment(binding)
  if (live?.pending !== true) return closeSegment(binding, end)
  const ended: Segment = { ...live, to: live.from, ended_by: end.by, ended_at: end.at.toISOString() }
  return { ...binding, segments: [...binding.segments.slice(0, -1), ended] }
}

/**
 * The binding with its last segment taken on to where its journal now ends, when only the session's end has ended it:
 * a client may write its last words after its last hook. The same object otherwise, and where no turn was seen in it.
 */
export function extendEnded(
  binding: Binding,
  { generation, size }: { generation: string; size: number },
): Binding {
  const last = binding.segments.at(-1)
  if (last?.ended_by !== 'session-end' || last.to === undefined || last.pending) return binding
  if (last.journal !== generation || last.to >= size) return binding
  return { ...binding, segments: [...binding.segments.slice(0, -1), { ...last, to: size }] }
}

/**
 * The binding with its pending segment begun at an offset: what lies before it in the session (the resume itself)
 * is not part of the conversation. The same object when none is pending.
 */
export function beginPending(binding: Binding, offset: number): Binding {
  const live = liveSegment(binding)
  if (live?.pending !== true) return binding
  const { pending: _, ...kept } = live
  return {
    ...binding,
    segments: [...binding.segments.slice(0, -1), { ...kept, from: Math.max(offset, live.from) }],
  }
}

/** The binding whose live segment is known to be written by a process; the same object when it was known, or none is live. */
export function noteProcess(binding: Binding, writer: ProcessName): Binding {
  const live = liveSegment(binding)
  if (live === undefined || (live.process !== undefined && sameProcess(live.process, writer))) return binding
  return { ...binding, segments: [...binding.segments.slice(0, -1), { ...live, process: writer }] }
}

/**
 * The binding with its live segment carried on into the journal's newest generation, when the client rewrote
 * its transcript: the old segment ends where its generation ends, and one begins at 0 in each later generation.
 * The same object when nothing was rewritten. To be applied (`updateBinding`) before a binding is used.
 */
export function followRestarts(binding: Binding, generations: Generation[], at: Date): Binding {
  const live = liveSegment(binding)
  const index = generations.findIndex(({ name }) => name === live?.journal)
  const later = generations.slice(index + 1)
  if (live === undefined || index === -1 || later.length === 0) return binding
  const time = at.toISOString()
  const ended: Segment = { ...live, to: Math.max(live.from, generations[index]!.size), ended_at: time }
  const followers = later.map(({ name, size }, i): Segment => {
    const follower: Segment = { ...live, journal: name, from: 0, restarted: true, started_at: time }
    return i === later.length - 1 ? follower : { ...follower, to: size, ended_at: time }
  })
  return { ...binding, segments: [...binding.segments.slice(0, -1), ended, ...followers] }
}

export interface TurnMark {
  /** Size of the journal when the last turn began: all earlier turns are in it, its own prompt is not. */
  offset: number
  /** ISO 8601. */
  at: string
}

/**
 * Notes the begin of a turn. Apart from the binding, so that a hook seldom rewrites what a command may be changing.
 * Not fsynced: when it is lost, the transcript itself tells.
 */
export function writeTurnMark(local: string, client: string, nativeId: string, mark: TurnMark): void {
  const path = turnMarkPath(local, client, nativeId)
  ensureLocalFolder(local, dirname(path))
  writeFileAtomic(path, `${JSON.stringify(mark)}\n`, { mode: 0o600, refuseSymlink: true, durable: false })
}

/** The begin of the last turn; undefined when none was noted, or what was noted cannot be read. */
export function readTurnMark(local: string, client: string, nativeId: string): TurnMark | undefined {
  const value = parse(readText(turnMarkPath(local, client, nativeId)) ?? '')
  if (typeof value?.offset !== 'number' || typeof value.at !== 'string') return undefined
  return { offset: value.offset, at: value.at }
}

/** For bindings.ts: one binding by its path. */
export function readBindingFile(local: string, path: string): Binding | undefined {
  const text = readText(path)
  if (text === undefined) return undefined
  const binding = parseBinding(text)
  if (binding === undefined) setAside(local, path)
  return binding
}

/** The same for whoever only looks: a broken one is told and stays where it is. */
export function peekBindingFile(path: string): Binding | 'broken' | undefined {
  const text = readText(path)
  return text === undefined ? undefined : (parseBinding(text) ?? 'broken')
}

/** On disk the segments are called `stretches`, as in version 0.1, whose bindings are still read. */
function textOf({ segments, ...binding }: Binding): string {
  return `${JSON.stringify({ ...binding, stretches: segments })}\n`
}

function parseBinding(text: string): Binding | undefined {
  const { stretches: segments, ...rest } = parse(text) ?? {}
  const binding = { ...rest, segments }
  return isBinding(binding) ? binding : undefined
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw fileError(error, path, 'read')
  }
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    // Not JSON: the caller says what that means for its file.
    return undefined
  }
}

function isBinding(value: unknown): value is Binding {
  if (typeof value !== 'object' || value === null) return false
  const binding = value as Record<string, unknown>
  const texts = ['client', 'native_id', 'transcript', 'root'].every((key) => typeof binding[key] === 'string')
  return texts && Array.isArray(binding.segments) && binding.segments.every(isSegment)
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
    // Another process has set it aside already, or nobody may: it stays, and is logged again.
    if (errnoOf(error) === undefined) throw error
  }
}
