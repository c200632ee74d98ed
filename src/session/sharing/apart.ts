import { recoveredSession } from '../recovered.ts'
import { type Message, SessionFile } from '../schema.ts'
import { byAge } from './join-sides.ts'
import { isOrigin } from './origin.ts'

/**
 * The conversations in one folder, the oldest first: one, unless git has merged several that began under one name. They
 * are told by session.json, and where a merge has kept that of one side alone, by the lines. Lines without an origin
 * make no conversation of their own: they are older than origins are.
 */
export function conversationsIn(
  path: string,
  session: SessionFile,
  lines: readonly Message[],
): SessionFile[] {
  const { merged = [], ...main } = session
  if (!isOrigin(main.origin)) return [main]
  const others = merged.flatMap((one) => SessionFile.safeParse(one).data ?? [])
  const told = [main, ...others.filter(({ origin }) => isOrigin(origin) && origin !== main.origin)]
  const known = new Set(told.flatMap(originsOf))
  const untold = new Map<string, SessionFile>()
  for (const { origin, timestamp } of lines) {
    if (!isOrigin(origin) || known.has(origin) || untold.has(origin)) continue
    untold.set(origin, { ...recoveredSession(path), created_at: timestamp, last_active: timestamp, origin })
  }
  return [...told, ...untold.values()].sort(byAge)
}

/** The places in `conversations` of those that a line belongs to. A line that does not say is where `before` is. */
export function ownersOf(
  conversations: readonly SessionFile[],
  line: Message | undefined,
  before: readonly number[],
): readonly number[] {
  const places = (owns: (one: SessionFile) => boolean) =>
    conversations.flatMap((one, place) => (owns(one) ? [place] : []))
  const origin = line?.origin
  if (origin !== undefined) {
    const own = places((one) => one.origin === origin)
    return own.length > 0 ? own : places((one) => originsOf(one).includes(origin))
  }
  // A fork has the lines of another conversation, which may be older than origins are.
  const forks = line === undefined ? [] : places((one) => one.forked_from !== undefined)
  return forks.length > 0 ? forks : before
}

/** The new path of a conversation that has to leave its folder: every clone gives it the same name. */
export function apartPath(path: string, origin: string): string {
  return `${path}-${origin.slice(0, MARK)}`
}

/** The folder that a conversation with this origin has left, if its path says so. */
export function leftPath(path: string, origin: string): string | undefined {
  const mark = apartPath('', origin)
  return path.endsWith(mark) ? path.slice(0, -mark.length) : undefined
}

const MARK = 8

/**
 * The origins that lines of a conversation may name: its own, and in a fork those of the conversations it was made
 * from.
 */
function originsOf({ origin, forked_from: from }: SessionFile): string[] {
  return [...(origin === undefined ? [] : [origin]), ...(from?.origins ?? [])]
}
