import { type Rarity, rarityAmong } from '../search/rarity.ts'
import { textOf } from '../session/live-path.ts'
import type { Message } from '../session/schema.ts'
import { firstAndNewest } from './state/index.ts'
import { headAndTail } from './state/sentences.ts'

const cache = new WeakMap<readonly Message[], Rarity>()

/** Returns how rare words are in what was said. Cached, because several strategies need it. */
export function rarityIn(said: readonly Message[]): Rarity {
  const cached = cache.get(said)
  if (cached !== undefined) return cached
  const among = rarityAmong(firstAndNewest(said).map((message) => headAndTail(textOf(message))))
  const rarity = { worth: (text: string) => among.worth(headAndTail(text)) }
  cache.set(said, rarity)
  return rarity
}
