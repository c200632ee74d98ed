import { countOf } from '../text/count-of.ts'
import type { Piece } from './strategy.ts'

/**
 * Marks the gaps of a history: places where messages are missing. The mark is short, because a history may have many
 * gaps. One note gives the number of all missing messages.
 */

export const GAP_MARK: Piece = { note: '[…]' }
/** Tokens to reserve for `leftOutNote`. */
export const LEFT_OUT_NOTE_TOKENS = 16

/**
 * Returns the pieces in order, with a mark before each piece that follows a gap. Each entry begins with the index of
 * its message on the live path. `others` are the indexes of the messages that are not shown.
 */
export function withMarks(
  entries: readonly [number, { piece: Piece }][],
  others: readonly number[],
): Piece[] {
  let next = 0
  return entries.flatMap(([index, { piece }]) => {
    const from = next
    while (next < others.length && others[next]! < index) next += 1
    return next > from ? [GAP_MARK, piece] : [piece]
  })
}

export function leftOutNote(count: number): Piece[] {
  return count === 0 ? [] : [{ note: `[… ${countOf(count, 'message')} left out; […] marks a gap …]` }]
}
