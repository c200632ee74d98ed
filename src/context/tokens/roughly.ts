/** Estimates tokens for planning. The result is mostly above the real number, by about half for plain text. */
export function roughly(text: string): number {
  let wide = 0
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 127) wide += 1
  return Math.ceil((text.length - wide) / 3) + wide
}
