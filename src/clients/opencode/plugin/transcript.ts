import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** What the plugin writes, one a line; src/clients/opencode/read/record.ts tells what each is and reads them. */
export type Entry =
  | { type: 'session'; id: string; info: SessionFields; mcp: string[] }
  | { type: 'message'; id: string; info: { sessionID: string; summary?: unknown }; parts: unknown }
  | { type: 'message'; id: string; sessionID: string; message: unknown }
  | { type: 'removed'; id: string; sessionID: string }

interface SessionFields {
  id?: unknown
  parentID?: unknown
  title?: unknown
  directory?: unknown
  location?: unknown
  version?: unknown
}

export interface Transcript {
  readonly path: string
  exists(): boolean
  /**
   * Appends what is new of these entries; of messages those before `upTo` alone, if it is given (ids ascend). Messages of
   * the session `wholly` that are not among them were taken back, and are noted as removed.
   */
  append(entries: readonly Entry[], options: { upTo?: string | undefined; wholly?: string | undefined }): void
}

/** The transcript at this path. It is read once, at the first append, and made by the first that has something new. */
export function openTranscript(path: string): Transcript {
  let known: Known | undefined
  return {
    path,
    exists: () => existsSync(path),
    append(entries, { upTo, wholly }) {
      known ??= readKnown(path)
      const held = known
      // What was taken back goes before what was said instead.
      const fresh = [...takenBack(held, entries, wholly), ...entries]
        .filter((entry) => upTo === undefined || entry.type !== 'message' || entry.id < upTo)
        .filter((entry) => note(held, entry))
      if (fresh.length === 0) return
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      appendFileSync(path, fresh.map((entry) => `${JSON.stringify(entry)}\n`).join(''), { mode: 0o600 })
    },
  }
}

/** Message and session id → the state in which the transcript holds it, and whose message it is. */
type Known = Map<string, { state: string; session: string | undefined }>

function readKnown(path: string): Known {
  const known: Known = new Map()
  if (!existsSync(path)) return known
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    try {
      note(known, JSON.parse(line))
    } catch {
      // Torn by a crash: what it held comes again.
    }
  }
  return known
}

function takenBack(known: Known, entries: readonly Entry[], session: string | undefined): Entry[] {
  if (session === undefined) return []
  const present = new Set(entries.map(({ id }) => id))
  return [...known]
    .filter(([id, held]) => held.session === session && !present.has(id))
    .map(([id]) => ({ type: 'removed', id, sessionID: session }))
}

/** Whether the entry says something new; from then on it is known. */
function note(known: Known, entry: Entry): boolean {
  if (entry.type === 'removed') return known.delete(entry.id)
  const state = stateOf(entry)
  if (known.get(entry.id)?.state === state) return false
  // Messages of OpenCode 2 are nobody's here: its context hides what a compaction took, and that is not taken back.
  const session = entry.type === 'message' && 'info' in entry ? entry.info.sessionID : undefined
  known.set(entry.id, { state, session })
  return true
}

/** Sums and clocks of the client change all the time and say nothing. */
function stateOf(entry: Exclude<Entry, { type: 'removed' }>): string {
  if (entry.type === 'session') {
    const { title, directory, location, version } = entry.info
    return JSON.stringify([title, directory ?? location, version, entry.mcp])
  }
  if ('message' in entry) return JSON.stringify(entry.message)
  const { summary, ...rest } = entry.info
  return JSON.stringify([rest, summary === true, entry.parts])
}
