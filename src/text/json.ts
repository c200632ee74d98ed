/**
 * A value as JSON that contains nothing that a terminal obeys. JSON itself escapes only C0; this also escapes DEL, C1
 * and the invisible marks that turn the direction of writing. Parsing the result gives the same value.
 */
export function asJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
