import { recoveredSession } from '../recovered.ts'
import { type Message, SessionFile } from '../schema.ts'
import { byAge } from './join-sides.ts'
import { isOrigin } from './origin.ts'

/**
 * The conversations in one folder, the oldest first. There are several only if git has merged conversations that began
 * under one name. session.json names all of them. If a merge has kept the session.json of only one side, the lines show
 * the other conversations. Lines without an origin make no conversation of their own, because they were written before
 * origins existed.
 */
export function conversationsIn(
  path: string,
  session: SessionFile,
  lines: readonly Message[],
): SessionFile[] {
  const { merged = [], ...main } = session
  if (!isOrigin(main.origin)) return [main]
  const others = merged.flatMap((conversation) => SessionFile.safeParse(conversation).data ?? [])
  const listed = [main, ...others.filter(({ origin }) => isOrigin(origin) && origin !== main.origin)]
  const listedOrigins = new Set(listed.flatMap(originsOf))
  const unlisted = new Map<string, SessionFile>()
  for (const { origin, timestamp } of lines) {
    if (!isOrigin(origin) || listedOrigins.has(origin) || unlisted.has(origin)) continue
    const recovered = recoveredSession(path, [main.conversation_type])
    unlisted.set(origin, { ...recovered, created_at: timestamp, last_active: timestamp, origin })
  }
  return [...listed, ...unlisted.values()].sort(byAge)
}

/**
 * The indexes of the conversations that own a line. A message without an origin belongs to the forks, if there are any.
 * Otherwise a line without an origin belongs to the owners of the previous line (`before`).
 */
export function ownersOf(
  conversations: readonly SessionFile[],
  line: Message | undefined,
  before: readonly number[],
): readonly number[] {
  const indexesWhere = (owns: (conversation: SessionFile) => boolean) =>
    conversations.flatMap((conversation, index) => (owns(conversation) ? [index] : []))
  const origin = line?.origin
  if (origin !== undefined) {
    const own = indexesWhere((conversation) => conversation.origin === origin)
    return own.length > 0 ? own : indexesWhere((conversation) => originsOf(conversation).includes(origin))
  }
  // A fork has copies of the lines of another conversation. These lines may have been written before origins existed.
  const forks =
    line === undefined ? [] : indexesWhere((conversation) => conversation.forked_from !== undefined)
  return forks.length > 0 ? forks : before
}

/** The new path of a conversation that has to leave its folder, the same in every clone. */
export function apartPath(path: string, origin: string): string {
  return `${path}-${origin.slice(0, MARK_LENGTH)}`
}

/** The folder that a conversation with this origin has left; undefined when `path` is not made by `apartPath`. */
export function leftPath(path: string, origin: string): string | undefined {
  const mark = apartPath('', origin)
  return path.endsWith(mark) ? path.slice(0, -mark.length) : undefined
}

const MARK_LENGTH = 8

/**
 * The origins that lines of a conversation may name: its own origin, and those of the conversations from which a fork
 * was made.
 */
export function originsOf({ origin, forked_from: from }: SessionFile): string[] {
  return [...(origin === undefined ? [] : [origin]), ...(from?.origins ?? [])]
}
