import { contentOf } from '../../../session/live-path.ts'
import type { Message } from '../../../session/schema.ts'

/** The words of all conversations, for the search of an index page. */
export interface WordIndex {
  /** Sorted. */
  words: string[]
  /** For each word the numbers of the conversations that contain it, ascending. */
  places: number[][]
}

/**
 * The distinct words of messages and other texts in lower case, at most MAX_WORDS. Omits results of tools, the end of a
 * very long message, and words of one character or of more than 40.
 */
export function indexedWords(messages: readonly Message[], more: readonly string[]): Set<string> {
  const found = new Set<string>()
  const add = (text: string) => {
    for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{M}\p{N}_]+/gu)) {
      if (found.size >= MAX_WORDS) return
      if (word.length > 1 && word.length <= 40) found.add(word)
    }
  }
  for (const text of more) add(text)
  for (const message of messages) if (message.role !== 'tool') add(contentOf(message).slice(0, MAX_READ))
  return found
}

const MAX_WORDS = 20_000
/** Characters that are read of one message. */
const MAX_READ = 100_000

export function indexWords(conversations: readonly ReadonlySet<string>[]): WordIndex {
  const places = new Map<string, number[]>()
  for (const [number, words] of conversations.entries())
    for (const word of words) {
      const numbers = places.get(word)
      if (numbers === undefined) places.set(word, [number])
      else numbers.push(number)
    }
  const words = [...places.keys()].sort()
  return { words, places: words.map((word) => places.get(word)!) }
}
