import type { Piece } from './strategy.ts'

/**
 * A mark of one token replaces missing messages, because a history that is chosen by worth has many gaps. One note gives
 * their number.
 */

export const MARK: Piece = { note: '[…]' }
/** Tokens to reserve for the note. */
export const LEFT_OUT_NOTE = 16

/** The pieces by their places, with a mark before each that follows on a gap. `others` are the places not shown. */
export function withMarks(
  entries: readonly [number, { piece: Piece }][],
  others: readonly number[],
): Piece[] {
  let next = 0
  return entries.flatMap(([place, { piece }]) => {
    const from = next
    while (next < others.length && others[next]! < place) next += 1
    return next > from ? [MARK, piece] : [piece]
  })
}

export function leftOutNote(count: number): Piece[] {
  return count === 0 ? [] : [{ note: `[… ${count} left out, where […] stands …]` }]
}
