/** A slice of a text without the half of a surrogate pair that it may begin or end with. */
export function wholeCharacters(slice: string): string {
  return slice.replace(/^[\udc00-\udfff]/, '').replace(/[\ud800-\udbff]$/, '')
}

/** Text in which every half of a surrogate pair that stands alone is U+FFFD, as it becomes anyway when written as UTF-8. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}
