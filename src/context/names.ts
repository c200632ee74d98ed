import { textOf } from '../session/live-path.ts'
import type { Message } from '../session/schema.ts'
import type { History, Piece, Room } from './strategy.ts'

/** Lists names of code and of files that a context does not show, so that the agent can search for them. */

/** The list may take at most this part of the room, and at most `MAX_TOKENS`. */
const NAMES_RATIO = 0.05
const MAX_TOKENS = 500
/** A room with fewer tokens gets no list. */
const MIN_ROOM = 2000

/**
 * Returns the tokens to reserve for the list in a room of `tokens`: what the list may take, or what it needs if that is
 * less.
 */
export function roomForNames(history: History, tokens: number, room: Pick<Room, 'count'>): number {
  if (tokens < MIN_ROOM) return 0
  const maxTokens = Math.min(MAX_TOKENS, Math.floor(tokens * NAMES_RATIO))
  return maxTokens - listed(history, new Set(), maxTokens, room).left
}

/** Returns a note of at most `maxTokens` tokens. It lists names that are on the live path but not in `pieces`. */
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

/** Only the newest messages are read, until this many characters are reached. */
const MAX_CHARACTERS = 1_000_000
/** Characters that are read at the beginning of each text and of each argument of a call. */
const MAX_TEXT = 100_000

/**
 * Returns all names. The name that most messages have comes first. Of two names that equally many messages have, the
 * newer one comes first. Cached.
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

/** Returns the names in a message and the arguments of its calls. Cached, because several contexts are tried. */
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

/**
 * Returns the words that look like names of code or files, each once: in camelCase, in snake_case, or with a dot or a
 * digit. Hexadecimal numbers, such as ids of commits, are no names.
 */
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
