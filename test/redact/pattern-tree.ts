/** A set of letters: a bit for each of ASCII, and one for all others. */
export type Letters = bigint
export const ALL: Letters = (1n << 129n) - 1n
export const bit = (code: number): Letters => 1n << BigInt(Math.min(code, 128))

export type Tree =
  | { type: 'letter'; letters: Letters }
  | { type: 'start' }
  | { type: 'assertion' }
  | { type: 'sequence' | 'choice'; items: Tree[] }
  | { type: 'repeat'; body: Tree; min: number; max: number }

/** A pattern or a look-around. Two with the same `key` take the same time. */
export interface Part {
  tree: Tree
  anchored: boolean
  key: string
}

/** The pattern itself, and each look-around in it, which starts at one place. */
export function parts({ source, flags }: RegExp): Part[] {
  const inner: Part[] = []
  const ignoreCase = flags.includes('i')
  let at = 0
  const tree = choice()
  if (at < source.length) throw new Error(`unexpected ${source[at]} at ${at} of ${source}`)
  const anchored = flags.includes('y')
  return [{ tree, anchored, key: `${anchored} ${ignoreCase} ${source}` }, ...inner]

  function choice(): Tree {
    const items = [sequence()]
    while (source[at] === '|') {
      at++
      items.push(sequence())
    }
    return { type: 'choice', items }
  }

  function sequence(): Tree {
    const items: Tree[] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') items.push(repeated(atom()))
    return { type: 'sequence', items }
  }

  function repeated(body: Tree): Tree {
    const quantifier = /^(?:[*+?]|\{(\d+)(,)?(\d*)\})\??/.exec(source.slice(at, at + 20))
    if (quantifier === null) return body
    at += quantifier[0].length
    const [whole, min, comma, max] = quantifier
    if (whole.startsWith('?')) return { type: 'repeat', body, min: 0, max: 1 }
    if (min === undefined) return { type: 'repeat', body, min: whole.startsWith('+') ? 1 : 0, max: Infinity }
    return {
      type: 'repeat',
      body,
      min: Number(min),
      max: comma === undefined ? Number(min) : max === '' ? Infinity : Number(max),
    }
  }

  function atom(): Tree {
    const char = source[at++]!
    if (char === '(') return group()
    if (char === '^') return { type: 'start' }
    if (char === '$') return { type: 'assertion' }
    if (char === '.') return { type: 'letter', letters: ALL & ~bit(10) }
    if (char === '[') return { type: 'letter', letters: folded(set()) }
    if (char !== '\\') return { type: 'letter', letters: folded(bit(char.codePointAt(0)!)) }
    if (/[bB]/.test(source[at]!)) {
      at++
      return { type: 'assertion' }
    }
    return { type: 'letter', letters: folded(escaped()) }
  }

  function group(): Tree {
    const opening = /^(?:\?(?::|<?[=!]|<\w+>))?/.exec(source.slice(at, at + 40))![0]
    at += opening.length
    const start = at
    const body = choice()
    at++
    if (!/[=!]$/.test(opening)) return body
    inner.push({ tree: body, anchored: true, key: `true ${ignoreCase} ${source.slice(start, at - 1)}` })
    return { type: 'assertion' }
  }

  function set(): Letters {
    const not = source[at] === '^'
    if (not) at++
    let letters = 0n
    while (source[at] !== ']') {
      const from = member()
      if (source[at] !== '-' || source[at + 1] === ']') {
        letters |= from
        continue
      }
      at++
      const to = member()
      for (let one = from; one <= to; one <<= 1n) letters |= one
    }
    at++
    return not ? ALL & ~letters : letters
  }

  function member(): Letters {
    const char = String.fromCodePoint(source.codePointAt(at)!)
    at += char.length
    return char === '\\' ? escaped() : bit(char.codePointAt(0)!)
  }

  function escaped(): Letters {
    const char = source[at++]!
    const known = CLASSES[char.toLowerCase()]
    if (known !== undefined) return char === char.toLowerCase() ? known : ALL & ~known
    if (char === 'p') {
      at = source.indexOf('}', at) + 1
      return LETTER | bit(128)
    }
    if (char === 'u' || char === 'x') {
      const digits = char === 'u' ? 4 : 2
      at += digits
      return bit(Number.parseInt(source.slice(at - digits, at), 16))
    }
    return bit(CONTROLS[char] ?? char.charCodeAt(0))
  }

  function folded(letters: Letters): Letters {
    if (!ignoreCase) return letters
    const small = (letters >> 97n) & 0x3ffffffn
    const capital = (letters >> 65n) & 0x3ffffffn
    return letters | (small << 65n) | (capital << 97n)
  }
}

const range = (from: string, to: string): Letters => {
  let letters = 0n
  for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code++) letters |= bit(code)
  return letters
}
const DIGIT = range('0', '9')
const LETTER = range('a', 'z') | range('A', 'Z')
const CLASSES: Record<string, Letters> = {
  d: DIGIT,
  w: LETTER | DIGIT | bit(95),
  s: range('\t', '\r') | bit(32) | bit(128),
}
const CONTROLS: Record<string, number> = { n: 10, r: 13, t: 9, f: 12, v: 11 }
