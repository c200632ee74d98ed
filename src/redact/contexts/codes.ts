import { kindOfValue } from '../judge.ts'
import type { Span } from '../scan.ts'
import { VERBS } from './separator.ts'

/** Announce codes for the loss of a second factor, or the words of a wallet, in several languages. */
export const CODES_WORDS: readonly string[] = [
  ...['recovery', 'backup', 'emergency', 'scratch'].flatMap((kind) =>
    ['', ' ', '_', '-'].map((gap) => `${kind}${gap}code`),
  ),
  ...'wiederherstellungscode|ersatzcode|notfallcode|codes de secours|code de secours|codes de récupération|codes de sauvegarde|códigos de recuperación|codigos de recuperacion|códigos de respaldo|códigos de recuperação|codici di backup|codici di recupero|резервные коды|коды восстановления|seed phrase|recovery phrase|mnemonic'.split(
    '|',
  ),
]

/** Finds the codes after their label, or the words of a wallet. `offset` is after the label. */
export function recoveryCodes(text: string, offset: number): Span[] | undefined {
  HEAD.lastIndex = offset
  if (!HEAD.test(text)) return undefined
  const from = HEAD.lastIndex
  const words = captureAt(WALLET, text, from)
  if (words !== undefined && isWallet(text.slice(words.start, words.end))) return [words]
  const codes: Span[] = []
  for (let at = from; codes.length < MAX_CODES; at = codes.at(-1)!.end) {
    const code = captureAt(CODE, text, at)
    if (code === undefined || MADE_UP.test(text.slice(code.start, code.end))) break
    codes.push(code)
  }
  // A number may be anything, so a code that is alone has a letter and a hyphen: `ab12-cd34`.
  const isOne =
    codes.length === 1 && /^(?=[^A-Za-z]*[A-Za-z])[^-]*-/.test(text.slice(codes[0]!.start, codes[0]!.end))
  return codes.length > 1 || isOne ? codes : undefined
}

/**
 * Whether these are the words of a wallet. Those of a test repeat one, and what else is called mnemonic, the
 * instructions of an assembler, has shorter words: `mov add jmp`.
 */
function isWallet(value: string): boolean {
  const words = value.split(' ')
  return new Set(words).size > 6 && value.length / words.length >= 5.2
}

const MAX_CODES = 24
const MADE_UP = /1234567|7654321/
/** The rest of the label up to a sign or the end of its line: ` (2FA):`, `": [`. */
const HEAD = /[^\n\\:=[]{0,60}(?:\\{0,8}["'*]{0,3}\s?[:=[]|\\(?=n)|(?=\n))/y
/** What is before an item: spaces, quotes, the marks and numbers of a list. */
const MARKS = '(?:[\\s,;*"\'`[|•+>/-]|\\\\{1,8}[nrt"\']|n(?<=\\\\n)|[0-9]{1,2}[.)][ \\t]){0,24}'
const FORMS = [
  // ab12-cd34, ab12-cd34-ef56
  '(?=[A-Za-z-]*[0-9])[A-Za-z0-9]{4,10}(?:-[A-Za-z0-9]{4,10}){1,4}',
  // 1357 2468
  '[0-9]{4} [0-9]{4}',
  // 13572468
  '[0-9]{8,12}',
  // ab12cd34
  '(?=[A-Za-z]*[0-9][A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[A-Za-z0-9]{8,12}',
]
const CODE = new RegExp(`${MARKS}(${FORMS.join('|')})(?=[\\s,;"'\`\\]|\\\\]|$)`, 'y')
const WALLET =
  /(?:[\s"'`*>]|\\{1,8}[nrt"']|n(?<=\\n)){0,12}((?:[a-z]{3,8} ){11,23}[a-z]{3,8})(?=[\s"'`.*\\]|$)/y

function captureAt(pattern: RegExp, text: string, offset: number): Span | undefined {
  pattern.lastIndex = offset
  const value = pattern.exec(text)?.[1]
  if (value === undefined) return undefined
  return { start: pattern.lastIndex - value.length, end: pattern.lastIndex, kind: kindOfValue(value) }
}

const VERB = `(?:${VERBS})`
const PIN = new RegExp(
  `pin(?:[- ]?code)?["'*]{0,3}(?: (?:for|of|der|die|des|für|de|del|della|du|do|da|van|от)(?: [\\p{L}\\d]{1,20}){1,3}| [\\p{L}]{2,12})?(?: ?[:=]| ${VERB}:?)["'\`* ]{0,4}([0-9]{4,8})(?![0-9%]|\\.[0-9])`,
  'iuy',
)

/** "The PIN of the card is 4711": `offset` points at the word. */
export function pinCode(text: string, offset: number): Span | undefined {
  if (/[a-z_]/i.test(text[offset - 1] ?? '')) return undefined
  return captureAt(PIN, text, offset)
}
