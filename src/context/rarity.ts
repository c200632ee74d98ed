import { type Rarity, rarityAmong } from '../search/rarity.ts'
import { textOf } from '../session/live-path.ts'
import type { Message } from '../session/schema.ts'
import { lookedAt } from './state/index.ts'
import { looked } from './state/sentences.ts'

const known = new WeakMap<readonly Message[], Rarity>()

/** The rarity of words in what was said. It is kept, so that each strategy may ask for it. */
export function rarityIn(said: readonly Message[]): Rarity {
  const before = known.get(said)
  if (before !== undefined) return before
  const among = rarityAmong(lookedAt(said).map((message) => looked(textOf(message))))
  const rarity = { worth: (text: string) => among.worth(looked(text)) }
  known.set(said, rarity)
  return rarity
}
