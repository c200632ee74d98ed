import { withoutInvisible } from './invisible.ts'
import { asPrinted } from './line.ts'
import { wellFormed } from './whole-characters.ts'

/**
 * Puts a space before each line of a recorded text, except empty lines. Lines that cortext writes begin without a
 * space, so no recorded text can look like such a line. Control characters and invisible characters are removed first,
 * because they could hide the beginning of a line.
 *
 * The space is nearly free in tokens, because most o200k tokens of a word begin with a space (docs/decisions.md).
 */
export function indent(text: string): string {
  return wellFormed(withoutInvisible(asPrinted(text))).replace(BEGIN_OF_LINE, '$& ')
}

/** The beginning of each line that is not empty. A terminal begins no line at U+2028 and U+2029, but a model may. */
const BEGIN_OF_LINE = /(?:^|[\n\u2028\u2029])(?=[^\n\u2028\u2029])/g
