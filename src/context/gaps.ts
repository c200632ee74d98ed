import type { Piece } from './strategy.ts'

/**
 * Where messages are missing a mark stands, which is a single token: a history that is chosen by what is worth most has
 * many gaps. How many messages are left out is told once.
 */

export const MARK: Piece = { note: '[…]' }
/** Tokens to set aside for the note. */
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
