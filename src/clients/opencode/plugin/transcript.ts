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
  /** Also true when it was there once: that somebody deletes it does not end the recording. */
  exists(): boolean
  /**
   * Appends what is new in these entries. With `upTo`, only messages before that id are appended (ids ascend). Messages
   * of `session` that are not among the entries were taken back and are noted as removed.
   */
  append(entries: readonly Entry[], options: { session: string; upTo?: string | undefined }): void
}

/**
 * Opens the transcript at this path. It is read once, at the first append. The first append with something new makes
 * it, and so does the next one after it was deleted.
 */
export function openTranscript(path: string): Transcript {
  let known: Known | undefined
  let begun = false
  const exists = () => {
    begun ||= existsSync(path)
    return begun
  }
  return {
    path,
    exists,
    append(entries, { session, upTo }) {
      if (known === undefined || !existsSync(path)) known = readKnown(path)
      // It is noted only when it is written: what a full disk has refused is new the next time too.
      const held: Known = new Map(known)
      // Messages that were taken back are noted before what was said in their place.
      const fresh = [...takenBack(held, entries, session), ...entries]
        .filter((entry) => upTo === undefined || entry.type !== 'message' || entry.id < upTo)
        .filter((entry) => note(held, entry))
      if (fresh.length === 0) return
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      const lines = fresh.map((entry) => `${JSON.stringify(entry)}\n`).join('')
      appendFileSync(path, `${isTorn(path) ? '\n' : ''}${lines}`, { mode: 0o600 })
      known = held
    },
  }
}

/** For the id of each message and session: the state in which the transcript holds it, and the session of a message. */
type Known = Map<string, { state: string; session: string | undefined }>

function readKnown(path: string): Known {
  const known: Known = new Map()
  if (!existsSync(path)) return known
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    try {
      note(known, JSON.parse(line))
    } catch {
      // A crash has torn this line. Its content is appended again.
    }
  }
  return known
}

/** Whether a crash or a full disk has cut the last line. */
function isTorn(path: string): boolean {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) return false
  const file = openSync(path, 'r')
  try {
    const last = Buffer.alloc(1)
    readSync(file, last, 0, 1, size - 1)
    return last[0] !== BREAK
  } finally {
    closeSync(file)
  }
}

const BREAK = 0x0a

function takenBack(known: Known, entries: readonly Entry[], session: string): Entry[] {
  const present = new Set(entries.map(({ id }) => id))
  return [...known]
    .filter(([id, held]) => held.session === session && !present.has(id))
    .map(([id]) => ({ type: 'removed', id, sessionID: session }))
}

/** Returns whether the entry says something new, and notes it as known. */
function note(known: Known, entry: Entry): boolean {
  if (entry.type === 'removed') return known.delete(entry.id)
  const state = stateOf(entry)
  if (known.get(entry.id)?.state === state) return false
  known.set(entry.id, { state, session: entry.type === 'message' ? entry.info.sessionID : undefined })
  return true
}

/** The state that is compared. The client's sums and clocks are left out: they change all the time and say nothing. */
function stateOf(entry: Exclude<Entry, { type: 'removed' }>): string {
  if (entry.type === 'session') {
    const { title, directory, version } = entry.info
    return JSON.stringify([title, directory, version, entry.mcp])
  }
  const { summary, ...rest } = entry.info
  return JSON.stringify([rest, summary === true, entry.parts])
}
