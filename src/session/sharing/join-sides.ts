/**
 * Joins two versions of a session.json into one. `base` is their common version, if it is known. The result is the same
 * from either side, so clones that merge each other get the same file.
 *
 * A key that only one side has changed is taken from that side. When both sides have changed a key, the side that was
 * active last counts. But `agent_sessions` and tags are joined, and what each side has counted is added up. The counts
 * derive from messages.jsonl and are computed again later.
 *
 * Versions with different origins are different conversations that began under one name: the oldest is returned, and
 * its `merged` contains the others, whole.
 */
export function joinSides(ours: unknown, theirs: unknown, base?: unknown): unknown {
  if (!isRecord(ours)) return theirs
  if (!isRecord(theirs)) return ours
  const sides = [ours, theirs].map(byOrigin)
  const before = byOrigin(isRecord(base) ? base : {})
  // A version without an origin was written before origins existed. It counts as the conversation of the other side.
  const origins = new Set(sides.flatMap((side) => [...side.keys()]))
  if (origins.size > 1 && origins.has('')) for (const side of sides) giveOrigin(side, origins)
  const joined = [...new Set(sides.flatMap((side) => [...side.keys()]))].flatMap((origin): Fields[] => {
    const [a, b, o] = [sides[0]!.get(origin), sides[1]!.get(origin), before.get(origin)]
    if (a !== undefined && b !== undefined) return [joinOne(a, b, o)]
    const only = a ?? b
    // If the common version has this conversation, the other side has moved it to a folder of its own. A moved
    // conversation stays here only if this side has changed it since.
    return only === undefined || (o !== undefined && isSame(only, o)) ? [] : [only]
  })
  const [oldest = ours, ...others] = joined.sort(byAge)
  return others.length === 0 ? oldest : { ...oldest, merged: others }
}

/** The oldest conversation first. In every clone the order is the same. */
export function byAge(a: Fields, b: Fields): number {
  return timeOf(a.created_at) - timeOf(b.created_at) || compare(String(a.origin), String(b.origin))
}

type Fields = Record<string, unknown>

/** The conversations of a session.json by their origin; '' for a conversation without an origin. */
function byOrigin({ merged, ...session }: Fields): Map<string, Fields> {
  const all = [session, ...(Array.isArray(merged) ? merged.filter(isRecord) : [])]
  const conversations = all.filter((conversation) => Object.keys(conversation).length > 0)
  return new Map(
    conversations.map((conversation) => [
      typeof conversation.origin === 'string' ? conversation.origin : '',
      conversation,
    ]),
  )
}

function giveOrigin(side: Map<string, Fields>, origins: ReadonlySet<string>): void {
  const conversation = side.get('')
  const [origin] = [...origins].filter((name) => name !== '' && !side.has(name)).sort()
  if (conversation === undefined || origin === undefined) return
  side.delete('')
  side.set(origin, { ...conversation, origin })
}

function joinOne(a: Fields, b: Fields, base: Fields | undefined): Fields {
  const [older, newer] = inOrder(a, b)
  const keys = Object.keys({ ...older, ...newer })
  return Object.fromEntries(
    keys.flatMap((key) => {
      const value = joinKey(key, older, newer, base)
      return value === undefined ? [] : [[key, value]]
    }),
  )
}

function joinKey(key: string, older: Fields, newer: Fields, base: Fields | undefined): unknown {
  const [a, b, o] = [older[key], newer[key], base?.[key]]
  if (base !== undefined && COUNTS.has(key)) return sum(a, b, o)
  if (isSame(a, b)) return b
  if (base !== undefined && isSame(a, o)) return b
  if (base !== undefined && isSame(b, o)) return a
  if (key === 'agent_sessions') return joinSessions(a, b)
  if (key === 'tags') return joinTags(a, b, o)
  if (key === 'created_at') return timeOf(a) < timeOf(b) ? (a ?? b) : (b ?? a)
  if (COUNTS.has(key)) return Math.max(Number(a) || 0, Number(b) || 0)
  // A value that one side does not have was removed only if the common version had it.
  return b === undefined && o === undefined ? a : b
}

const COUNTS = new Set(['message_count', 'token_count'])

function sum(a: unknown, b: unknown, o: unknown): unknown {
  const [first, second, both] = [a, b, o].map((value) => (Number.isSafeInteger(value) ? Number(value) : 0))
  return Math.max(0, first! + second! - both!)
}

function joinSessions(a: unknown, b: unknown): unknown {
  if (!Array.isArray(a) || !Array.isArray(b)) return b ?? a
  const joined = new Map<string, unknown>()
  for (const session of [...a, ...b]) {
    const key = isRecord(session)
      ? JSON.stringify([session.client, session.native_id, session.from])
      : JSON.stringify(session)
    const earlier = joined.get(key)
    if (!isRecord(earlier) || !isRecord(session) || inOrder(earlier, session)[1] === session)
      joined.set(key, session)
  }
  // The session that was active last is at the end. Publishing uses the same order.
  const fields = (value: unknown) => (isRecord(value) ? value : {})
  return [...joined.values()].sort(
    (x, y) =>
      timeOf(fields(x).last_active) - timeOf(fields(y).last_active) ||
      compare(String(fields(x).native_id), String(fields(y).native_id)),
  )
}

function joinTags(a: unknown, b: unknown, o: unknown): unknown {
  if (!Array.isArray(a) || !Array.isArray(b)) return b ?? a
  const removed = (Array.isArray(o) ? o : []).filter((tag) => !a.includes(tag) || !b.includes(tag))
  return [...new Set([...a, ...b])].filter((tag) => !removed.includes(tag))
}

/** The side that was active last comes second. */
function inOrder(a: Fields, b: Fields): [Fields, Fields] {
  const order = timeOf(a.last_active) - timeOf(b.last_active) || compare(JSON.stringify(a), JSON.stringify(b))
  return order <= 0 ? [a, b] : [b, a]
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function compare(a: string, b: string): number {
  return Number(a > b) - Number(a < b)
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function timeOf(value: unknown): number {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? 0 : time
}
