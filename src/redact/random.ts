/**
 * Whether letters and digits follow each other at random. Two things distinguish words, camelCase and names with dates
 * from random text: words are made mostly of common pairs of letters, and they seldom change between small letters,
 * capitals and digits.
 */
export function isRandom(value: string): boolean {
  const letters = value.replace(/^0x|[^A-Za-z0-9]/g, '')
  if (letters.length < 12) return false
  if (/^[A-Z0-9]{4,6}(?:-[A-Z0-9]{4,6}){3,}$/.test(value)) return new Set(letters).size >= 8
  if (/^[0-9a-f]{24,}$/i.test(letters)) return new Set(letters).size >= 8 && /[0-9]/.test(letters)
  const changes = changesOf(letters)
  // Some random texts have many common pairs by chance. So a text with digits and many changes counts as random before
  // its pairs are counted.
  if (/[0-9]/.test(letters) && /[A-Za-z0-9]{16}/.test(value) && changes >= leastChanges(letters)) return true
  const { pairs, common } = pairsOf(value)
  if (pairs >= 6 && common / pairs >= 0.4) return false
  if (changes >= (/[0-9]/.test(letters) ? 0.22 : 0.4)) return true
  return (
    pairs >= 10 &&
    common / pairs < (pairs >= 16 && /[0-9]/.test(letters) ? 0.38 : 0.3) &&
    /[A-Za-z0-9]{16}/.test(value)
  )
}

/**
 * The smallest share of changes with which a text with digits counts as random. Without capitals, the share is smaller
 * only for at least 24 characters, because of names such as `utf8mb4_unicode_520_ci`.
 */
function leastChanges(letters: string): number {
  if (!/[a-z]/.test(letters)) return 0.25
  return !/[A-Z]/.test(letters) && letters.length >= 24 ? 0.3 : 0.45
}

/** The share of neighbouring characters that differ in class. The classes are small letters, capitals and digits. */
export function changesOf(letters: string): number {
  let changes = 0
  for (let i = 1; i < letters.length; i++) {
    if (classOf(letters.charCodeAt(i)) !== classOf(letters.charCodeAt(i - 1))) changes++
  }
  return changes / (letters.length - 1)
}

function classOf(code: number): number {
  return code < 58 ? 0 : code < 91 ? 1 : 2
}

/** The share of the pairs of letters in a text that are common in words; 1 if there are none. */
export function shareOfWords(value: string): number {
  const { pairs, common } = pairsOf(value)
  return pairs === 0 ? 1 : common / pairs
}

/** The number of pairs of letters, and how many of these are common in words. */
function pairsOf(value: string): { pairs: number; common: number } {
  let pairs = 0
  let common = 0
  for (const [word] of value.toLowerCase().matchAll(/[a-z]{2,}/g)) {
    for (let i = 1; i < word.length; i++) {
      pairs++
      if (COMMON_PAIRS.has(word.slice(i - 1, i + 1))) common++
    }
  }
  return { pairs, common }
}

/**
 * The most common pairs of letters in English, about a hundred. Three quarters of the pairs in English words are among
 * them, but only one in six pairs of random letters.
 */
const COMMON_PAIRS = new Set(
  (
    'th he in er an re nd at on nt ha es st en ed to it ou ea hi is or ti as te et ng of al de se le sa si ar ve ra ld ' +
    'ur ll ro ne me ce ec ri io ic co ta om la el ch ma il li us ss ee ot di no tr ac ho em ke pe un ge ut wa be so ca ' +
    'pr ol po ct ul id ad ag ns ai mo oo ow we wi ie im lo ay sh fo ab am ap pl ty ly ey oc os rt ts ex if ir ev'
  ).split(' '),
)
