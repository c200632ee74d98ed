/** Returns a number with its noun: `1 message`, `2 messages`. */
export function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

/** The same with separators, for numbers that may be large: `12,034 messages`. */
export function largeCountOf(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`
}

/** A number of bytes for people: `12 KB`, `7.8 MB`, in steps of a thousand. */
export function byteSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} byte${bytes === 1 ? '' : 's'}`
  if (bytes < 1e6) return `${Math.ceil(bytes / 1000)} KB`
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}
