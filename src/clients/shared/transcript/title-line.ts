/** The first line of a text, cut to 120 characters: a native session's title in a list. */
export function titleLine(text: string): string {
  const line = text.trim().split(/[\r\n]/, 1)[0] ?? ''
  const characters = [...line]
  return characters.length > MOST ? `${characters.slice(0, MOST - 1).join('')}…` : line
}

const MOST = 120
