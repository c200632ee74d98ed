import { dice, type Roll } from './dice.ts'
import { NAMES, type Name, nameOf } from './names.ts'
import { SIGNS, signOf } from './signs.ts'
import { HARMLESS_PAIRS, HARMLESS_VALUES, VALUES } from './values.ts'
import { NAME_BEGINS, NAME_ENDS, VALUE_BEGINS, VALUE_ENDS, WRAPPINGS, wrappingOf } from './wrappings.ts'

/** A text with a secret, or with something that looks like one. */
export interface Case {
  text: string
  /** The second half of the secret, as it is in the text. Undefined if the text has no secret. */
  secret?: string
  /** Where the case is in the product. */
  cell: { name: string; sign: string; value: string; wrapping: string }
  /** In which case the name is written. */
  written: string
  /** The number of the sign in its group. */
  number: number
}

/** Cells of which the rules find little on purpose: words where a machine's key is expected are names of things. */
export function staysOut({ name, value }: Case['cell']): boolean {
  return name === 'English key, token' && value === 'words with hyphens'
}

/** `perCell` cases for each combination of name, sign, value and wrapping. The seed decides everything in them. */
export function* secretCases(perCell: number, seed: number): Generator<Case> {
  const roll = dice(seed)
  for (const [name, words] of Object.entries(NAMES))
    for (const sign of Object.keys(SIGNS))
      for (const [value, draw] of Object.entries(VALUES))
        for (const wrapping of Object.keys(WRAPPINGS))
          for (let n = 0; n < perCell; n++)
            yield caseOf({ name, sign, value, wrapping }, words(roll), draw(roll), roll)
}

/** The same with values and names that are harmless. */
export function* harmlessCases(perCell: number, seed: number): Generator<Case> {
  const roll = dice(seed)
  // Base64 of a stand-in looks like any secret.
  for (const sign of Object.keys(SIGNS))
    for (const wrapping of Object.keys(WRAPPINGS).filter((name) => !name.startsWith('base64')))
      for (let n = 0; n < perCell; n++) {
        for (const [name, words] of Object.entries(NAMES))
          for (const [value, draw] of Object.entries(HARMLESS_VALUES)) {
            const { secret: _, ...harmless } = caseOf(
              { name, sign, value, wrapping },
              words(roll),
              draw(roll),
              roll,
            )
            yield harmless
          }
        for (const [value, draw] of Object.entries(HARMLESS_PAIRS)) {
          const [words, text] = draw(roll)
          const { secret: _, ...harmless } = caseOf(
            { name: 'harmless', sign, value, wrapping },
            words,
            text,
            roll,
          )
          yield harmless
        }
      }
}

/** Whether nothing of the second half of the secret is left in the text that was kept. */
export function isGone({ text, secret = '' }: Case, kept: string): boolean {
  const others = text.replaceAll(secret, '')
  // The hash of a placeholder may by chance have four digits of the secret.
  const rest = kept.replace(/\[REDACTED:[^\]]*\]/g, '')
  const plain = rest.replace(/%[2-7][0-9A-F]/g, decodeURIComponent)
  const width = Math.min(4, secret.length)
  for (let at = 0; at + width <= secret.length; at++) {
    const piece = secret.slice(at, at + width)
    if (others.includes(piece)) continue
    if (rest.includes(piece) || plain.includes(piece)) return false
  }
  return true
}

function caseOf(cell: Case['cell'], words: string, plain: string, roll: Roll): Case {
  const { before = same, around = same, spell = same } = wrappingOf(cell.wrapping, roll)
  const { sign, number } = signOf(cell.sign, roll)
  let written = ''
  const value = before(plain)
  const marked = sign(
    withMarks(nameOf(words, roll, (inCase) => (written = inCase))),
    VALUE_BEGINS + value + VALUE_ENDS,
  )
  return {
    text: around(marked).replace(/[\uE000-\uE003]/g, ''),
    secret: spell(value.slice(Math.ceil(value.length / 2))),
    cell,
    written,
    number,
  }
}

function withMarks(name: Name): Name {
  const mark = (text: string) => NAME_BEGINS + text + NAME_ENDS
  return {
    get id() {
      return mark(name.id)
    },
    get env() {
      return mark(name.env)
    },
    get key() {
      return mark(name.key)
    },
    get label() {
      return mark(name.label)
    },
  }
}

function same(text: string): string {
  return text
}
