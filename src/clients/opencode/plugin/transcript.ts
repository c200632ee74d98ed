import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** The lines that the plugin writes. src/clients/opencode/read/record.ts describes and reads the entries. */
export type Entry =
  | { type: 'session'; id: string; info: SessionFields; mcp: string[] }
  | { type: 'message'; id: string; info: { sessionID: string; summary?: unknown }; parts: unknown }
  | { type: 'removed'; id: string; sessionID: string }

interface SessionFields {
  id?: unknown
  parentID?: unknown
  title?: unknown
  directory?: unknown
  version?: unknown
}

export interface Transcript {
  readonly path: string
  /** Also true if the transcript existed earlier and somebody has deleted it: the recording then goes on. */
  exists(): boolean
  /**
   * Appends what is new in these entries. With `upTo`, only messages before that id are appended (ids ascend). If a
   * message of `session` is not among the entries, the person took it back. It is then noted as removed.
   */
  append(entries: readonly Entry[], options: { session: string; upTo?: string | undefined }): void
}

/**
 * Opens the transcript at this path. The first append reads the file. While the file is missing, everything counts as
 * new, and an append makes the file.
 */
export function openTranscript(path: string): Transcript {
  let states: States | undefined
  let begun = false
  const exists = () => {
    begun ||= existsSync(path)
    return begun
  }
  return {
    path,
    exists,
    append(entries, { session, upTo }) {
      if (states === undefined || !existsSync(path)) states = readStates(path)
      // The new states count only after the write. If a full disk refuses the write, the same entries are new the next
      // time too.
      const next: States = new Map(states)
      // Messages that were taken back are noted before those that took their place.
      const fresh = [...removedEntries(next, entries, session), ...entries]
        .filter((entry) => upTo === undefined || entry.type !== 'message' || entry.id < upTo)
        .filter((entry) => note(next, entry))
      if (fresh.length === 0) return
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      const lines = fresh.map((entry) => `${JSON.stringify(entry)}\n`).join('')
      appendFileSync(path, `${isTorn(path) ? '\n' : ''}${lines}`, { mode: 0o600 })
      states = next
    },
  }
}

/** Maps the id of each message and session to its state in the transcript and, for a message, to its session. */
type States = Map<string, { state: string; session: string | undefined }>

function readStates(path: string): States {
  const states: States = new Map()
  if (!existsSync(path)) return states
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    try {
      note(states, JSON.parse(line))
    } catch {
      // A crash has cut this line. Its content is appended again.
    }
  }
  return states
}

/** Whether a crash or a full disk has cut the last line. */
function isTorn(path: string): boolean {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) return false
  const file = openSync(path, 'r')
  try {
    const last = Buffer.alloc(1)
    readSync(file, last, 0, 1, size - 1)
    return last[0] !== LINE_BREAK
  } finally {
    closeSync(file)
  }
}

const LINE_BREAK = 0x0a

function removedEntries(states: States, entries: readonly Entry[], session: string): Entry[] {
  const present = new Set(entries.map(({ id }) => id))
  return [...states]
    .filter(([id, written]) => written.session === session && !present.has(id))
    .map(([id]) => ({ type: 'removed', id, sessionID: session }))
}

/** Returns whether the entry is new or has changed, and notes its state. */
function note(states: States, entry: Entry): boolean {
  if (entry.type === 'removed') return states.delete(entry.id)
  const state = stateOf(entry)
  if (states.get(entry.id)?.state === state) return false
  states.set(entry.id, { state, session: entry.type === 'message' ? entry.info.sessionID : undefined })
  return true
}

/** The text by which `note` compares states. It leaves out OpenCode's sums and times, which change all the time. */
function stateOf(entry: Exclude<Entry, { type: 'removed' }>): string {
  if (entry.type === 'session') {
    const { title, directory, version } = entry.info
    return JSON.stringify([title, directory, version, entry.mcp])
  }
  const { summary, ...rest } = entry.info
  return JSON.stringify([rest, summary === true, entry.parts])
}
