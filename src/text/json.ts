/**
 * A value as JSON that a terminal does not obey: JSON itself escapes C0 alone, this also DEL, C1 and the invisible
 * marks that turn the direction of writing. It reads back as the same value.
 */
export function asJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
