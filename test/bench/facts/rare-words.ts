import { type Needle, wordsIn } from './fact.ts'
import type { Talk } from './talk.ts'

/** Passages of a talk by their rarest words. */
export interface RareWords {
  /** Undefined where a passage says too little to be known again: "yes, go on". */
  of(passage: string): Needle | undefined
  /** The same; where the words are too few, the passage as it is. */
  orExact(passage: string): Needle | undefined
}

/** Rare is what few messages of this talk hold. No list of stop words is used, so any language will do. */
export function rareWords({ said, calls }: Talk): RareWords {
  const messages = [...said.map(({ text }) => text), ...calls.map(({ result }) => result.slice(0, LOOKED_AT))]
  const held = new Map<string, number>()
  for (const text of messages)
    for (const word of new Set(wordsIn(text).map(({ word }) => word)))
      held.set(word, (held.get(word) ?? 0) + 1)
  const common = messages.length < FEW_MESSAGES ? Number.POSITIVE_INFINITY : messages.length * COMMON
  const of = (passage: string): Needle | undefined => {
    const words = [...new Set(wordsIn(beginning(passage)).map(({ word }) => word))]
    const rare = words
      .filter((word) => (held.get(word) ?? 0) <= common)
      .sort((a, b) => (held.get(a) ?? 0) - (held.get(b) ?? 0) || b.length - a.length)
    return rare.length < FEWEST ? undefined : { words: rare.slice(0, MAX) }
  }
  return {
    of,
    orExact: (passage) =>
      of(passage) ?? (passage.trim().length < 4 ? undefined : { exact: [passage.trim()] }),
  }
}

function beginning(passage: string): string {
  const text = passage.replace(/\s+/g, ' ').trim()
  return text.length <= PASSAGE
    ? text
    : text.slice(0, PASSAGE).replace(/[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]*$/u, '')
}

/** Of a long output only the beginning counts. */
const LOOKED_AT = 4000
const FEW_MESSAGES = 8
const COMMON = 0.2
/** A passage must fit into the window in which its words are looked for. */
const PASSAGE = 300
const FEWEST = 4
const MAX = 8
