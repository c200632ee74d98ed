import { CortextError } from '../errors.ts'
import { oneLine } from '../text/line.ts'
import type { Config } from './config.ts'
import { addressOf } from './places/address.ts'

/** The place that the settings of a project name, or why it is refused; the reason never has the text itself. */
export type SuggestedPlace = { address: string } | { problem: string }

/**
 * Reads which place the settings name. A clone may have brought them, so this only looks at the text: it touches no file
 * and resolves no name. Undefined if they name none.
 */
export function suggestedPlace({ sync: { place } }: Pick<Config, 'sync'>): SuggestedPlace | undefined {
  if (place === undefined) return undefined
  // A person has to see all of it, as it is, before they confirm it.
  if (place.length > MAX_LENGTH || oneLine(place) !== place)
    return { problem: `it is longer than ${MAX_LENGTH} characters, or has some that do not show` }
  if (/[\\/]\.\.(?:[\\/]|$)/.test(place)) return { problem: 'it goes up by ..' }
  try {
    return addressOf(place, HERE) === place
      ? { address: place }
      : { problem: 'it is a relative path, which is another folder on each machine' }
  } catch (error) {
    if (!(error instanceof CortextError)) throw error
    return { problem: error.message }
  }
}

const MAX_LENGTH = 500

/** Where a relative path begins; such a path is refused whatever this is. */
const HERE = '/'
