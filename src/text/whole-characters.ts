/** Removes the half of a surrogate pair that a slice may begin or end with. */
export function wholeCharacters(slice: string): string {
  return slice.replace(/^[\udc00-\udfff]/, '').replace(/[\ud800-\udbff]$/, '')
}

/** Replaces every lone half of a surrogate pair by U+FFFD. Writing the text as UTF-8 would do the same. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}
