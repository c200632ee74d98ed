/** Returns a number below `n`. */
export type Roll = (n: number) => number

/** Dice that fall the same way for the same seed. */
export function dice(seed: number): Roll {
  let state = seed >>> 0
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * n)
  }
}

export function oneOf<T>(roll: Roll, list: readonly T[]): T {
  return list[roll(list.length)] as T
}

export function letters(roll: Roll, length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet[roll(alphabet.length)]).join('')
}
