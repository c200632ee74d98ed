import { type Fields, isObject } from '../../shared/transcript/fields.ts'

/** The kind of a record, by the client's own checks in the client's order (0.61.0). */
export function recordKind(record: Fields): 'rewind' | 'message' | 'change' | 'header' | 'unknown' {
  if (typeof record.$rewindTo === 'string') return 'rewind'
  if (typeof record.id === 'string') return 'message'
  if (isObject(record.$set)) return 'change'
  if (typeof record.sessionId === 'string' && typeof record.projectHash === 'string') return 'header'
  return 'unknown'
}

/** The keys for bookkeeping in a `$set`. `summary` is the client's own title for the session. */
const STATE_KEYS = new Set([
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
  return Object.keys(change).filter((key) => !STATE_KEYS.has(key))
}

/** Messages of our own handoff seed have ids with this prefix. The client keeps ids wherever it copies messages. */
export const SEED = 'cortext-seed-'

export function isSeed(record: Fields): boolean {
  return typeof record.id === 'string' && record.id.startsWith(SEED)
}
