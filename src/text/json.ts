/**
 * A value as JSON that contains nothing that a terminal obeys, and no other line breaks than those of the indent. JSON
 * itself escapes only C0; this also escapes DEL, C1, U+2028, U+2029 and the invisible marks that turn the direction of
 * writing. Parsing the result gives the same value.
 */
export function asJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
