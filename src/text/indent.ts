import { withoutInvisible } from './invisible.ts'
import { asPrinted } from './line.ts'
import { wellFormed } from './whole-characters.ts'

/**
 * Puts a space before each line of recorded words that is not empty. Lines of ours begin without a space, so no
 * recorded text can look like one, whatever it contains. Characters that no terminal prints, and those that show
 * nothing, are removed first: they could hide the beginning of a line.
 *
 * The space is nearly free in tokens, because most o200k tokens of a word begin with one (docs/decisions.md).
 */
export function indent(text: string): string {
  return wellFormed(withoutInvisible(asPrinted(text))).replace(BEGIN_OF_LINE, '$& ')
}

/** The beginning of each line that is not empty. A terminal begins no line at U+2028 and U+2029, but a model may. */
const BEGIN_OF_LINE = /(?:^|[\n\u2028\u2029])(?=[^\n\u2028\u2029])/g
