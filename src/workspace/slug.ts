const MAX_LENGTH = 60

/**
 * Turns a title into a part of a folder's name. Letters become lower case. Latin, Greek and Cyrillic are spelled in
 * ASCII, and other scripts keep their letters. Everything else becomes a hyphen. The slug has at most 60 characters
 * (180 bytes), and is never empty. If it must be cut, it ends with a whole word if possible.
 */
export function slugOf(title: string): string {
  const words = transliterate(title)
    .replace(/[\p{Cf}'’ʼ]/gu, '')
    .replace(/[^\p{L}\p{M}\p{Nd}]+/gu, '-')
    .replace(/(^|-)\p{M}+/gu, '$1')
    .replace(/-{2,}/g, '-')
    .replace(/^-|-$/g, '')
  return cut(words) || 'untitled'
}

function transliterate(title: string): string {
  const folded = spell(title.normalize('NFKC').toLowerCase())
  // Accents of Latin and Greek are removed. Marks of other scripts stay, for example the vowels of Devanagari.
  const bare = folded.normalize('NFD').replace(/[\u0300-\u036f]/g, '')
  return spell(bare).normalize('NFC')
}

function spell(text: string): string {
  return [...text].map((letter) => SPELLING.get(letter) ?? letter).join('')
}

/** The longest beginning with whole words. If the first word is too long, it is cut, but not inside a character. */
function cut(words: string): string {
  if (words.length <= MAX_LENGTH) return words
  let end = 0
  for (const character of words) {
    if (end + character.length > MAX_LENGTH) break
    end += character.length
  }
  const border = words[end] === '-' ? end : words.lastIndexOf('-', end - 1)
  return words.slice(0, border > 0 ? border : end)
}

const PAIRS = `
ß ss æ ae œ oe ø o å a ł l đ d ð d þ th ı i ŋ ng ħ h ŧ t ĸ k
а a б b в v г g ґ g ѓ g д d ђ dj е e ё yo є ye ж zh з z и i й y і i ї yi ј j к k ќ k л l љ lj м m н n њ nj
о o п p р r с s т t ћ c у u ў u ф f х kh ц ts ч ch џ dz ш sh щ shch ъ - ы y ь - э e ю yu я ya
α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o
`

const SPELLING = new Map(
  [...PAIRS.trim().matchAll(/(\S) (\S+)/gu)].map(([, letter = '', latin = '']) => [
    letter,
    latin === '-' ? '' : latin,
  ]),
)
