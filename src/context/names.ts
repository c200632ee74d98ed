import { textOf } from '../session/live-path.ts'
import type { Message } from '../session/schema.ts'
import type { History, Piece, Room } from './strategy.ts'

/** Lists names of code and files that a context does not show. An agent that has the name can look for it. */

/**
 * The part of the room that the list may take, the limit of its tokens, and the smallest room in which there is a list.
 */
const NAMES_RATIO = 0.05
const MAX_TOKENS = 500
const MIN_ROOM = 2000

/** Returns how many tokens of a room the list may take, or how many it needs if those are fewer. */
export function roomForNames(history: History, tokens: number, room: Pick<Room, 'count'>): number {
  if (tokens < MIN_ROOM) return 0
  const maxTokens = Math.min(MAX_TOKENS, Math.floor(tokens * NAMES_RATIO))
  return maxTokens - listed(history, new Set(), maxTokens, room).left
}

/**
 * Returns a note, in at most `maxTokens` tokens, with names from the talk, its calls and its results that `pieces`
 * lack.
 */
export function namesNote(
  history: History,
  pieces: readonly Piece[],
  maxTokens: number,
  room: Pick<Room, 'count'>,
): Piece[] {
  if (maxTokens === 0) return []
  const shown = new Set(
    pieces.flatMap((piece) => ('note' in piece ? namesIn([piece.note]) : namesOf(piece.message))),
  )
  const { names } = listed(history, shown, maxTokens, room)
  return names.length === 0 ? [] : [{ note: `${HEAD}${names.join(', ')}` }]
}

const HEAD = 'Names that the omitted parts have, the most used first: '

/** Chooses the names that are most used and not `shown`. `left` is the number of tokens that the names do not need. */
function listed(
  history: History,
  shown: ReadonlySet<string>,
  maxTokens: number,
  { count }: Pick<Room, 'count'>,
): { names: string[]; left: number } {
  const names: string[] = []
  // Two tokens are for the empty line after the note.
  let left = maxTokens - count(HEAD) - 2
  for (const name of mostUsedFirst(history)) {
    const tokens = shown.has(name) ? 0 : count(`, ${name}`)
    if (tokens > left) break
    left -= tokens
    if (tokens > 0) names.push(name)
  }
  return { names, left: names.length === 0 ? maxTokens : left }
}

const mostUsed = new WeakMap<History, readonly string[]>()

/** Only the newest messages are read, up to this many characters, and only the beginning of each text or argument. */
const MAX_CHARACTERS = 1_000_000
const MAX_TEXT = 100_000

/**
 * Returns all names, sorted by the number of messages that have them, the highest first. Of two names with the same
 * number, the newer one comes first. Cached.
 */
function mostUsedFirst(history: History): readonly string[] {
  const cached = mostUsed.get(history)
  if (cached !== undefined) return cached
  const uses = new Map<string, number>()
  let left = MAX_CHARACTERS
  for (const message of history.live.toReversed()) {
    if (left < 0) break
    for (const text of textsOf(message)) left -= text.length
    for (const name of namesOf(message)) uses.set(name, (uses.get(name) ?? 0) + 1)
  }
  const names = [...uses].sort(([, a], [, b]) => b - a).map(([name]) => name)
  mostUsed.set(history, names)
  return names
}

const namesOfMessage = new WeakMap<Message, readonly string[]>()

/** Returns the names in a message and the arguments of its calls. Cached: contexts are tried several times. */
function namesOf(message: Message): readonly string[] {
  const cached = namesOfMessage.get(message)
  if (cached !== undefined) return cached
  const names = namesIn(textsOf(message))
  namesOfMessage.set(message, names)
  return names
}

function textsOf(message: Message): string[] {
  const given = (message.tool_calls ?? []).flatMap((call) => Object.values(Object(call.arguments)))
  const texts = [textOf(message), ...given.filter((one) => typeof one === 'string')]
  return texts.map((text) => text.slice(0, MAX_TEXT))
}

/** Returns each name once that is in camelCase or snake_case, or has a dot or a digit. Ids of commits are not names. */
function namesIn(texts: readonly string[]): string[] {
  const names = new Set<string>()
  for (const text of texts)
    for (const [word] of text.matchAll(/[A-Za-z_]\w{2,}(?:\.[A-Za-z_]\w*)*/g))
      if (word.length <= MAX_LENGTH && NAME.test(word) && !HEXADECIMAL.test(word)) names.add(word)
  return [...names]
}

const MAX_LENGTH = 60
const NAME = /[a-z][A-Z]|[^_]_[^_]|\.|\d/
const HEXADECIMAL = /^[0-9a-f]+$/
