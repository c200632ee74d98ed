import { oneLine } from './line.ts'
import { wellFormed } from './whole-characters.ts'

/**
 * Returns recorded text as one line of Markdown that does nothing on GitHub, wherever it follows words of cortext:
 * * It pings nobody, and refers to no issue, pull request, commit or page.
 * * It loads no picture.
 * * It is not HTML, a heading, a list or a formula.
 *
 * Plain words stay as they are. Everything else is in code spans, where GitHub links nothing. `@` becomes a sign that
 * looks like it, because programs that react to `@name` read the Markdown source. Invisible characters are removed.
 */
export function harmless(text: string): string {
  const line = visibleLine(text)
  const parts: string[] = []
  let code: string[] = []
  const close = () => {
    if (code.length > 0) parts.push(asCode(code.join(' ')))
    code = []
  }
  for (const word of line.split(' ').filter((part) => part !== '')) {
    if (isPlain(word, parts.length + code.length === 0)) {
      close()
      parts.push(word)
    } else code.push(word)
  }
  close()
  return parts.join(' ')
}

/** A text as one code span. Its backticks become quotes, so that nothing can close it. */
export function asCode(text: string): string {
  const line = visibleLine(text)
  return line === '' ? '' : `\`${line.replaceAll('`', "'").replaceAll('@', '＠')}\``
}

function visibleLine(text: string): string {
  return oneLine(wellFormed(text).replace(INVISIBLE, '').replace(STACKED, '$1'))
}

/** Marks of direction, joiners, tags and other characters without a shape of their own. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}]/gu
/** More than three marks on one letter. They would cover the lines above it. */
const STACKED = /(\p{M}{3})\p{M}+/gu

/**
 * A word of letters and digits. It may have an apostrophe or a hyphen within, and the punctuation of prose around it.
 */
const PLAIN =
  /^["'“‘„«(]*[\p{L}\p{N}][\p{L}\p{M}\p{N}。、，！？：；「」『』（）]*(?:['’-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*[.,;:!?)"'”’»…]*$/u
const DASH = /^[–—]$/
/** GitHub reads `1a2b3c4` as a commit, and `GH-12` and `ABC-12` as issues, whatever surrounds them. */
const REFERENCE = /[0-9a-f]{7}|\p{L}-\d/iu
/** A word that begins a list if it is the first word of the text. */
const NUMBERED = /^\d+[.)]/

function isPlain(word: string, isFirst: boolean): boolean {
  if (DASH.test(word)) return true
  return PLAIN.test(word) && !REFERENCE.test(word) && !(isFirst && NUMBERED.test(word))
}
