import type { Rarity } from '../../search/rarity.ts'
import { textOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { cutAtWord, oneLine } from '../../text/line.ts'
import { roughly } from '../tokens/roughly.ts'
import { tellingSentences } from './said/telling-answer.ts'
import { type Kind, type Sentence, sentencesIn } from './sentences.ts'

/** Words that a summary may quote from a message: a sentence, or a short message of the person as a whole. */
export class Candidate {
  readonly #words: Pick<Sentence, 'kind'>

  constructor(
    readonly message: Message,
    /** Index of the message among the messages that `candidatesIn` was given. */
    readonly index: number,
    /** Index of the sentence in the message; 0 for a message as a whole. */
    readonly position: number,
    readonly text: string,
    readonly tokens: number,
    /** Worth of each token if the words have no kind. A kind multiplies it by `KIND_FACTOR`. */
    readonly least: number,
    words: Pick<Sentence, 'kind'>,
  ) {
    this.#words = words
  }

  get kind(): Kind | undefined {
    return this.#words.kind
  }
}

const ITEM_LENGTH = 240
/** Factor of worth for words of the person. */
const PERSON_FACTOR = 4
/** Factor of worth for the first sentence of a message. */
const FIRST_FACTOR = 1.5
/** Factor of worth for words with a kind, such as decisions. It is small, because kinds are known only in English. */
const KIND_FACTOR = 1.3
/** Tokens of the list mark and line break around an item. */
const TOKENS_AROUND = 4

/** Returns the words of `messages` that a summary may quote. Words that are rare in the conversation are worth most. */
export function candidatesIn(messages: readonly Message[], rarity: Rarity): Candidate[] {
  return messages.flatMap((message, index) =>
    wordsOf(message).map((words, position) => {
      const line = itemLine(words.text)
      const tokens = roughly(line)
      const factor = (message.role === 'user' ? PERSON_FACTOR : 1) * (position === 0 ? FIRST_FACTOR : 1)
      // Later words say more about the present state.
      const late = 1 + index / messages.length / 10
      const least = ((rarity.worth(line) + 1) * factor * late) / (tokens + TOKENS_AROUND)
      return new Candidate(message, index, position, line, tokens, least, words)
    }),
  )
}

function wordsOf(message: Message): readonly Sentence[] {
  const sentences = sentencesIn(message)
  if (message.role !== 'user') return tellingOnly(message, sentences)
  if (sentences.length === 0) return sentences
  const text = textOf(message)
  const whole = text.length > 2 * ITEM_LENGTH ? text : oneLine(text)
  return whole.length > ITEM_LENGTH ? sentences : [new WholeMessage(whole, sentences)]
}

const tellingCache = new WeakMap<Message, readonly Sentence[]>()

/** Leaves out what says nothing by itself: headings, "Done.", "Now let me look.". Cached. */
function tellingOnly(message: Message, sentences: readonly Sentence[]): readonly Sentence[] {
  const cached = tellingCache.get(message)
  if (cached !== undefined) return cached
  const telling = new Set(tellingSentences(textOf(message)))
  const kept = sentences.filter(({ text }) => telling.has(text))
  tellingCache.set(message, kept)
  return kept
}

class WholeMessage implements Sentence {
  readonly text: string
  readonly #sentences: readonly Sentence[]

  constructor(text: string, sentences: readonly Sentence[]) {
    this.text = text
    this.#sentences = sentences
  }

  get kind(): Kind | undefined {
    return this.#sentences.find(({ kind }) => kind !== undefined)?.kind
  }
}

/**
 * Chooses the words that are worth most, for about `room` tokens: each text once, in the order of the talk. The first
 * text that does not fit ends the choice, so that more room never drops words.
 */
export function chooseByWorth(all: readonly Candidate[], room: number): Candidate[] {
  let left = room
  const chosen: Candidate[] = []
  const texts = new Set<string>()
  for (const one of byWorth(all)) {
    if (texts.has(one.text)) continue
    if (one.tokens + TOKENS_AROUND > left) break
    texts.add(one.text)
    left -= one.tokens + TOKENS_AROUND
    chosen.push(one)
  }
  return chosen.sort((a, b) => a.index - b.index || a.position - b.position)
}

/** Yields the candidates, the most valuable first. Reads as few kinds as possible, because judging a kind is slow. */
function* byWorth(all: readonly Candidate[]): Generator<Candidate> {
  const sorted = all.toSorted((a, b) => b.least - a.least || b.index - a.index)
  // Both lists stay sorted by worth. With a kind, the worth is `KIND_FACTOR` times `least`. Without a kind, it is
  // `least`.
  const [withKind, without]: [Candidate[], Candidate[]] = [[], []]
  let [nextIndex, withKindIndex, withoutIndex] = [0, 0, 0]
  while (nextIndex < sorted.length || withKindIndex < withKind.length || withoutIndex < without.length) {
    const [one, two] = [withKind[withKindIndex], without[withoutIndex]]
    const first = two === undefined || (one !== undefined && comesFirst(one, two)) ? one : two
    const worth = first === undefined ? 0 : first === one ? first.least * KIND_FACTOR : first.least
    const next = sorted[nextIndex]
    if (next !== undefined && next.least * KIND_FACTOR >= worth) {
      nextIndex += 1
      if (next.kind === undefined) without.push(next)
      else withKind.push(next)
      continue
    }
    if (first === one) withKindIndex += 1
    else withoutIndex += 1
    yield first!
  }
}

/** Whether words with a kind (`one`) come before words without a kind (`two`). */
function comesFirst(one: Candidate, two: Candidate): boolean {
  const more = one.least * KIND_FACTOR - two.least
  return (
    more > 0 ||
    (more === 0 && (one.index > two.index || (one.index === two.index && one.position < two.position)))
  )
}

/** Makes one line of all chosen words of a message, with the index of the message. */
export function talkLines(some: readonly Candidate[]): { index: number; text: string }[] {
  const lines: { index: number; text: string }[] = []
  let before = -1
  for (const { index, position, message, text } of some) {
    const last = lines.at(-1)
    if (last?.index === index) last.text += position === before + 1 ? ` ${text}` : ` … ${text}`
    else lines.push({ index, text: `${message.role === 'user' ? 'User' : 'Assistant'}: ${text}` })
    before = position
  }
  return lines
}

/** Cuts an item to the length of a line in a list. */
export function itemLine(item: string): string {
  return cutAtWord(item, ITEM_LENGTH)
}

/** Returns the last items that fit into about `room` tokens, in order, each cut to the length of a line. */
export function latest(items: readonly string[], room: number): string[] {
  const kept: string[] = []
  let left = room - TOKENS_AROUND
  for (const item of items.toReversed()) {
    const line = itemLine(item)
    const tokens = roughly(line) + 2
    if (tokens > left) break
    left -= tokens
    kept.unshift(line)
  }
  return kept
}
