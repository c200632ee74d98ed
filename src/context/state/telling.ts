import type { Rarity } from '../../search/rarity.ts'
import { textOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { cutAtWord, oneLine } from '../../text/line.ts'
import { roughly } from '../tokens/roughly.ts'
import { type Kind, type Sentence, sentencesIn } from './sentences.ts'

/** Words that may represent their message: a sentence, or all of a short message of the person. */
export class Telling {
  readonly #words: Pick<Sentence, 'kind'>

  constructor(
    readonly message: Message,
    /** The place of the message among those that were read, and of the words in it. */
    readonly index: number,
    readonly place: number,
    readonly text: string,
    readonly tokens: number,
    /** Least worth of a token of it. A kind multiplies it by `CUE`. */
    readonly least: number,
    words: Pick<Sentence, 'kind'>,
  ) {
    this.#words = words
  }

  get kind(): Kind | undefined {
    return this.#words.kind
  }
}

const ITEM = 240
/** Factors for the person's words, and for the first words of a message. */
const PERSON = 4
const FIRST = 1.5
/** Factor for words of deciding and demanding. It is small, because only English ones are known. */
const CUE = 1.3
/** Tokens around an item. */
const AROUND = 4

/** The words of these messages that a summary may include. Words that are rare in the conversation are worth most. */
export function tellingIn(messages: readonly Message[], rarity: Rarity): Telling[] {
  return messages.flatMap((message, index) =>
    tellable(message).map((words, place) => {
      const line = itemLine(words.text)
      const tokens = roughly(line)
      const factor = (message.role === 'user' ? PERSON : 1) * (place === 0 ? FIRST : 1)
      // Later words say more of the present state.
      const late = 1 + index / messages.length / 10
      const least = ((rarity.worth(line) + 1) * factor * late) / (tokens + AROUND)
      return new Telling(message, index, place, line, tokens, least, words)
    }),
  )
}

function tellable(message: Message): readonly Sentence[] {
  const sentences = sentencesIn(message)
  if (message.role !== 'user' || sentences.length === 0) return sentences
  const text = textOf(message)
  const whole = text.length > 2 * ITEM ? text : oneLine(text)
  return whole.length > ITEM ? sentences : [new Together(whole, sentences)]
}

class Together implements Sentence {
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
 * The words of the most worth in about `room` tokens, each once, in their order. The first that does not fit ends the
 * choice, so that more room never drops words.
 */
export function mostTelling(all: readonly Telling[], room: number): Telling[] {
  let left = room
  const chosen: Telling[] = []
  const texts = new Set<string>()
  for (const one of byWorth(all)) {
    if (texts.has(one.text)) continue
    if (one.tokens + AROUND > left) break
    texts.add(one.text)
    left -= one.tokens + AROUND
    chosen.push(one)
  }
  return chosen.sort((a, b) => a.index - b.index || a.place - b.place)
}

/** The most worth first. It reads the kind of as few as possible, because that costs most. */
function* byWorth(all: readonly Telling[]): Generator<Telling> {
  const sorted = all.toSorted((a, b) => b.least - a.least || b.index - a.index)
  // Each is in order by itself: those with a kind are worth `CUE` times as much, the others what they are at least.
  const [withKind, without]: [Telling[], Telling[]] = [[], []]
  let [looked, kind, other] = [0, 0, 0]
  while (looked < sorted.length || kind < withKind.length || other < without.length) {
    const [one, two] = [withKind[kind], without[other]]
    const first = two === undefined || (one !== undefined && comesFirst(one, two)) ? one : two
    const worth = first === undefined ? 0 : first === one ? first.least * CUE : first.least
    const next = sorted[looked]
    if (next !== undefined && next.least * CUE >= worth) {
      looked += 1
      if (next.kind === undefined) without.push(next)
      else withKind.push(next)
      continue
    }
    if (first === one) kind += 1
    else other += 1
    yield first!
  }
}

/** Compares words with a kind to words without one. */
function comesFirst(one: Telling, two: Telling): boolean {
  const more = one.least * CUE - two.least
  return (
    more > 0 || (more === 0 && (one.index > two.index || (one.index === two.index && one.place < two.place)))
  )
}

/** A line for each message, with the place of the message. */
export function talkLines(some: readonly Telling[]): { index: number; text: string }[] {
  const lines: { index: number; text: string }[] = []
  let before = -1
  for (const { index, place, message, text } of some) {
    const last = lines.at(-1)
    if (last?.index === index) last.text += place === before + 1 ? ` ${text}` : ` … ${text}`
    else lines.push({ index, text: `${message.role === 'user' ? 'User' : 'Assistant'}: ${text}` })
    before = place
  }
  return lines
}

/** An item, cut to the length of a line in a list. */
export function itemLine(item: string): string {
  return cutAtWord(item, ITEM)
}

/** The last items that fit into about `room` tokens, in order, each cut to the length of a line. */
export function latest(items: readonly string[], room: number): string[] {
  const kept: string[] = []
  let left = room - AROUND
  for (const item of items.toReversed()) {
    const line = itemLine(item)
    const tokens = roughly(line) + 2
    if (tokens > left) break
    left -= tokens
    kept.unshift(line)
  }
  return kept
}
