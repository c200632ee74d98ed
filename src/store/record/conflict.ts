import { isConflictMarker } from './problem.ts'

export interface Sides {
  ours: string
  theirs: string
  /** The 1-based line of the first marker, and its length in bytes. */
  line: number
  bytes: number
}

/**
 * Both versions of a text in which git left conflict markers (gitattributes(5), also `diff3`). Undefined when the text
 * has no such markers.
 */
export function splitConflict(text: string): Sides | undefined {
  const lines = text.split('\n')
  const first = lines.findIndex((line) => line.startsWith('<<<<<<<') && isConflictMarker(line.trimEnd()))
  if (first === -1) return undefined
  const ours: string[] = []
  const theirs: string[] = []
  let side: 'both' | 'ours' | 'base' | 'theirs' = 'both'
  for (const line of lines) {
    const marker = isConflictMarker(line.trimEnd()) ? line[0] : undefined
    if (marker !== undefined) side = SIDE_AFTER[marker] ?? side
    else {
      if (side === 'both' || side === 'ours') ours.push(line)
      if (side === 'both' || side === 'theirs') theirs.push(line)
    }
  }
  return {
    ours: ours.join('\n'),
    theirs: theirs.join('\n'),
    line: first + 1,
    bytes: lines[first]!.length + 1,
  }
}

/**
 * Joins two versions of a session.json into one. Everything but title, summary and status derives from messages.jsonl
 * and is computed again at the next write. Until then, and for those three, the side that was active last wins. Keys
 * that only the other side has are kept, the sessions of clients are joined, and the earlier creation time counts.
 */
export function joinSides(a: unknown, b: unknown): unknown {
  if (!isRecord(a)) return b
  if (!isRecord(b)) return a
  const [older, newer] = timeOf(a.last_active) <= timeOf(b.last_active) ? [a, b] : [b, a]
  const created = timeOf(older.created_at) < timeOf(newer.created_at) ? older.created_at : newer.created_at
  const sessions = joinSessions(older.agent_sessions, newer.agent_sessions)
  return {
    ...older,
    ...newer,
    ...(created === undefined ? {} : { created_at: created }),
    ...(sessions === undefined ? {} : { agent_sessions: sessions }),
  }
}

const SIDE_AFTER: Record<string, 'both' | 'ours' | 'base' | 'theirs'> = {
  '<': 'ours',
  '|': 'base',
  '=': 'theirs',
  '>': 'both',
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function timeOf(value: unknown): number {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? 0 : time
}

function joinSessions(older: unknown, newer: unknown): unknown {
  if (!Array.isArray(older) || !Array.isArray(newer)) return newer ?? older
  const joined = new Map<string, unknown>()
  for (const session of [...older, ...newer]) {
    const key = isRecord(session)
      ? JSON.stringify([session.client, session.native_id, session.from])
      : JSON.stringify(session)
    const known = joined.get(key)
    if (!isRecord(known) || timeOf(known.last_active) <= timeOf(session.last_active)) joined.set(key, session)
  }
  return [...joined.values()]
}
