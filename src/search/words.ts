/**
 * The letters and digits of scripts with spaces in a plain text (text/without-accents.ts), for a class of a regular
 * expression.
 */
export const LETTERS = 'A-Za-z0-9\u0100-\u0dff\u0f00-\u0fff\u10a0-\u177f\u1800-\u1fff'

/** Ranges of scripts without spaces: Chinese, Japanese and Korean; Thai and Lao, Burmese, Khmer. */
const UNSPACED_RANGES = [
  '\u0e00\u0eff',
  '\u1000\u109f',
  '\u1780\u17ff',
  '\u3005\u3007',
  '\u3040\u30ff',
  '\u3400\u9fff',
  '\uac00\ud7af',
  '\uf900\ufaff',
]
/** Their characters, in the same way. */
export const UNSPACED_CHARACTERS = UNSPACED_RANGES.map(([from, to]) => `${from}-${to}`).join('')

/**
 * The kind of a word:
 * * `ORDINARY`: a word of no other kind
 * * `CAPITALISED`: a word with a capital inside a sentence
 * * `NAME`: a word with a digit, with a capital after its first letter, or with a `_` next to it
 * * `PAIR`: two neighbouring characters of a script without spaces
 */
type WordKind = typeof ORDINARY | typeof CAPITALISED | typeof NAME | typeof PAIR
export const ORDINARY = 0
export const CAPITALISED = 1
export const NAME = 2
export const PAIR = 3

/** Receives the words and the ends of sentences of a text, in order. */
export interface WordVisitor {
  /** `hash` is the FNV-1a hash of the word, the same for ASCII letters in either case. */
  word(kind: WordKind, hash: number, start: number, end: number): void
  /** `asks`: whether the sentence is a question. */
  sentenceEnd?(asks: boolean): void
}

/**
 * Reads the words of a plain text. A single character of a script without spaces counts as a pair too. This function
 * makes no strings and no objects, because contexts read every word of long conversations with it.
 */
export function readWords(text: string, visitor: WordVisitor): void {
  const { length } = text
  let begins = true
  let last: CharacterClass = OTHER
  for (let index = 0; index < length; ) {
    const start = index
    let unit = text.charCodeAt(index)
    let characterClass = CLASSES[unit]! as CharacterClass
    if (characterClass === OTHER || characterClass === STOP || characterClass === JOINT) {
      index += 1
      last = characterClass
      if (characterClass !== STOP || !endsSentence(text, start)) continue
      visitor.sentenceEnd?.(unit === QUESTION || unit === WIDE_QUESTION)
      begins = true
      continue
    }
    if (characterClass === UNSPACED) {
      const next = index + 1 < length ? text.charCodeAt(index + 1) : 0
      const isPair = CLASSES[next] === UNSPACED
      index += 1
      if (isPair) visitor.word(PAIR, addToHash(addToHash(BASIS, unit), next), start, index + 1)
      else if (last !== UNSPACED) visitor.word(PAIR, addToHash(BASIS, unit), start, index)
    } else {
      let kind: WordKind =
        last === JOINT ? NAME : characterClass === UPPER && !begins ? CAPITALISED : ORDINARY
      let hash: number = BASIS
      do {
        if (characterClass === DIGIT || (characterClass === UPPER && index > start)) kind = NAME
        hash = addToHash(hash, unit < 0x80 ? unit | 0x20 : unit)
        index += 1
        unit = index < length ? text.charCodeAt(index) : 0
        characterClass = CLASSES[unit]! as CharacterClass
      } while (characterClass === LOWER || characterClass === UPPER || characterClass === DIGIT)
      visitor.word(characterClass === JOINT ? NAME : kind, hash, start, index)
      characterClass = LOWER
    }
    last = characterClass
    begins = false
  }
}

const BASIS = 0x811c9dc5

function addToHash(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193)
}

/** Whether the character at an index of a text belongs to a script without spaces. */
export function isUnspaced(text: string, index = 0): boolean {
  return CLASSES[text.charCodeAt(index)] === UNSPACED
}

/** Whether a UTF-16 unit is one of `LETTERS`. */
export function isLetter(unit: number): boolean {
  const found = CLASSES[unit]!
  return found === LOWER || found === UPPER || found === DIGIT
}

/** The parts of an identifier: `planResume` → `plan`, `Resume`. Any other word is its own only part. */
export function partsOf(word: string): string[] {
  return word.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
}

/** `.!?` end a sentence before white space or the end of the text; `。！？` and a line break always do. */
function endsSentence(text: string, index: number): boolean {
  const unit = text.charCodeAt(index)
  const isPoint = unit === 0x2e || unit === 0x21 || unit === QUESTION
  return !isPoint || index + 1 === text.length || text.charCodeAt(index + 1) <= 0x20
}

const QUESTION = 0x3f
const WIDE_QUESTION = 0xff1f

const [OTHER, LOWER, UPPER, DIGIT, UNSPACED, STOP, JOINT] = [0, 1, 2, 3, 4, 5, 6] as const

type CharacterClass = 0 | 1 | 2 | 3 | 4 | 5 | 6

/** The class of each UTF-16 unit. */
const CLASSES = new Uint8Array(0x10000)
for (const [found, ranges] of [
  [LOWER, ['az', '\u0100\u1fff']],
  [UPPER, ['AZ']],
  [DIGIT, ['09']],
  // After the letters, among which some of them are.
  [UNSPACED, UNSPACED_RANGES],
  [STOP, ['..', '!!', '??', '。。', '！！', '？？', '\n\n']],
  [JOINT, ['__']],
] as const)
  for (const range of ranges) CLASSES.fill(found, range.charCodeAt(0), range.charCodeAt(1) + 1)
