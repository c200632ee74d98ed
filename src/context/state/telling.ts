import { textOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { cutAtWord, oneLine } from '../../text/line.ts'
import type { Rarity } from '../rarity/index.ts'
import { roughly } from '../tokens/roughly.ts'
import { type Kind, sentencesIn } from './sentences.ts'

/** Words that may stand for their message: a sentence, or all of it where the person said little. */
export interface Telling {
  message: Message
  /** The place of the message among those that were looked at, and of the words in it. */
  index: number
  place: number
  text: string
  kind: Kind | undefined
  tokens: number
  /** What a token of it is worth. */
  worth: number
}

const ITEM = 240
/** How much more the person's words are worth, and those that a message begins with. */
const PERSON = 4
const FIRST = 1.5
/** Words of deciding and demanding add to it. They never decide, because they are known of few languages. */
const CUE = 1.3
/** Tokens that stand around an item. */
const AROUND = 4

/** What may be told of these messages. What is rare in the conversation is worth most. */
export function tellingIn(messages: readonly Message[], rarity: Rarity): Telling[] {
  return messages.flatMap((message, index) =>
    wordsOf(message).map(({ text, kind }, place) => {
      const line = itemLine(text)
      const tokens = roughly(line)
      const factor =
        (message.role === 'user' ? PERSON : 1) * (place === 0 ? FIRST : 1) * (kind === undefined ? 1 : CUE)
      // Of two that say as much the later one says more of where the conversation stands.
      const late = 1 + index / messages.length / 10
      const worth = ((rarity.worth(line) + 1) * factor * late) / (tokens + AROUND)
      return { message, index, place, text: line, kind, tokens, worth }
    }),
  )
}

function wordsOf(message: Message): { text: string; kind: Kind | undefined }[] {
  const sentences = sentencesIn(message)
  if (message.role !== 'user' || sentences.length === 0) return sentences
  const text = textOf(message)
  const whole = text.length > 2 * ITEM ? text : oneLine(text)
  if (whole.length > ITEM) return sentences
  return [{ text: whole, kind: sentences.find(({ kind }) => kind !== undefined)?.kind }]
}

/**
 * The words of the most worth in about `room` tokens, each once, in their order. What more room tells holds what less
 * room does, so the first that does not fit ends it.
 */
export function mostTelling(all: readonly Telling[], room: number): Telling[] {
  let left = room
  const chosen: Telling[] = []
  const texts = new Set<string>()
  for (const one of all.toSorted((a, b) => b.worth - a.worth || b.index - a.index)) {
    if (texts.has(one.text)) continue
    if (one.tokens + AROUND > left) break
    texts.add(one.text)
    left -= one.tokens + AROUND
    chosen.push(one)
  }
  return chosen.sort((a, b) => a.index - b.index || a.place - b.place)
}

/** A line for each message, with the place of the message. */
export function linesOf(some: readonly Telling[]): { index: number; text: string }[] {
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

/** An item as it stands in a list. */
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
