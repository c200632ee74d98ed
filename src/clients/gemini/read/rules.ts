import { type Fields, isObject } from '../../transcript/fields.ts'

/** What the client takes a record for, asked in its order (0.61.0). */
export function recordKind(record: Fields): 'rewind' | 'message' | 'change' | 'header' | 'unknown' {
  if (typeof record.$rewindTo === 'string') return 'rewind'
  if (typeof record.id === 'string') return 'message'
  if (isObject(record.$set)) return 'change'
  if (typeof record.sessionId === 'string' && typeof record.projectHash === 'string') return 'header'
  return 'unknown'
}

/** Bookkeeping that a `$set` may hold; `summary` is the client's own title for the session. */
const STATE = new Set([
  'lastUpdated',
  'startTime',
  'sessionId',
  'projectHash',
  'kind',
  'directories',
  'memoryScratchpad',
  'summary',
])

export function unknownKeys(change: Fields): string[] {
  return Object.keys(change).filter((key) => !STATE.has(key))
}

/** Our own hand-off seed, by the ids that it gives its messages; the client keeps ids wherever it copies them. */
export const SEED = 'cortext-seed-'

export function isSeed(record: Fields): boolean {
  return typeof record.id === 'string' && record.id.startsWith(SEED)
}
