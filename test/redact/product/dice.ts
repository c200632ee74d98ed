// @ts-expect-error: the scripts have no types
import { dice as rollsOf } from '../../../scripts/redaction/draw.mjs'

/** Returns a number below `n`. */
export type Roll = (n: number) => number

/** Dice that fall the same way for the same seed. */
export const dice: (seed: number) => Roll = rollsOf

export function oneOf<T>(roll: Roll, list: readonly T[]): T {
  return list[roll(list.length)] as T
}

export function letters(roll: Roll, length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet[roll(alphabet.length)]).join('')
}
