/** Returns a number with its noun: `1 message`, `2 messages`. */
export function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

/** The same with separators, for numbers that may be large: `12,034 messages`. */
export function largeCountOf(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`
}
