/** Scripts whose words stand without spaces. In them two neighbouring characters are what is looked for. */
const UNSPACED = '\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff'
/** Letters and digits of all other scripts, as a class of a regular expression, in a text that is `plain`. */
export const LETTERS = 'A-Za-z0-9\u0100-\u1fff'

/** All letters of the other scripts lie below. */
export const FIRST_UNSPACED = 0x3005

const RUNS = new RegExp(`[${LETTERS}]+|[${UNSPACED}]+`, 'g')
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`)
const IS_LETTER = new RegExp(`[${LETTERS}]`)

/** The words of a plain text in their order. What is written without spaces comes as a whole. */
export function wordsOf(text: string): string[] {
  return text.match(RUNS) ?? []
}

export function isUnspaced(word: string): boolean {
  return IS_UNSPACED.test(word)
}

/** Whether a UTF-16 unit is one of `LETTERS`. */
export function isLetter(unit: number): boolean {
  if (unit < 0x80) return (unit >= 0x61 && unit <= 0x7a) || isCapital(unit) || (unit >= 0x30 && unit <= 0x39)
  return unit < 0x2000 && IS_LETTER.test(String.fromCharCode(unit))
}

function isCapital(unit: number): boolean {
  return unit >= 0x41 && unit <= 0x5a
}

/** The parts of an identifier, `planResume` → `plan`, `Resume`; a word without humps is its own only part. */
export function partsOf(word: string): string[] {
  return word.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
}
