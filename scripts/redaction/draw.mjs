/**
 * Runs a regular expression backwards: draws texts that it matches. Supports the syntax of the published rules of
 * scanners, which is that of RE2. Anchors have no meaning: `\b`, `^` and `$` match the empty text.
 */

/** Returns a function that draws whole numbers from 0 to `n` - 1, the same numbers for the same seed (mulberry32). */
export function dice(seed) {
  let state = seed >>> 0
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * n)
  }
}

/**
 * Draws a text that the tree matches. Open repeats (`+`, `*`, `{20,}`) are repeated up to twenty times more than
 * needed.
 */
export function draw(node, roll) {
  switch (node.type) {
    case 'text':
      return node.text
    case 'class':
      return node.chars[roll(node.chars.length)]
    case 'sequence':
      return node.items.map((item) => draw(item, roll)).join('')
    case 'choice':
      return draw(node.options[roll(node.options.length)], roll)
    case 'group':
      return draw(node.body, roll)
    case 'repeat': {
      const max = Math.min(node.max, node.min + (node.max === Infinity ? 20 : 60))
      const times = node.min + roll(max - node.min + 1)
      return Array.from({ length: times }, () => draw(node.body, roll)).join('')
    }
  }
}

/** The fixed letters that every match begins with. */
export function fixedStart(node) {
  return startOf(node).text
}

function startOf(node) {
  switch (node.type) {
    case 'text':
      return { text: node.text, whole: true }
    case 'class':
      return node.chars.length === 1 ? { text: node.chars, whole: true } : { text: '', whole: false }
    case 'group':
      return startOf(node.body)
    case 'repeat':
      if (node.min === node.max && node.min > 0 && startOf(node.body).whole) {
        return { text: startOf(node.body).text.repeat(node.min), whole: true }
      }
      return { text: node.min > 0 ? startOf(node.body).text : '', whole: false }
    case 'choice': {
      const starts = node.options.map(startOf)
      const shortest = starts.reduce((a, b) => (a.text.length <= b.text.length ? a : b))
      return starts.length === 1 ? shortest : { text: shortest.text, whole: false }
    }
    case 'sequence': {
      let text = ''
      for (const item of node.items) {
        const start = startOf(item)
        text += start.text
        if (!start.whole) return { text, whole: false }
      }
      return { text, whole: true }
    }
  }
}

/** The body of the outermost group that captures the longest text; without such a group, the whole pattern. */
export function longestCapture(node) {
  const groups = (node.items ?? [node]).filter((item) => item.type === 'group' && item.captures)
  const longest = groups
    .map((group) => [draw(group.body, () => 0).length, group.body])
    .sort((a, b) => b[0] - a[0])[0]
  return longest?.[1] ?? node
}

const SETS = {
  d: '0123456789',
  w: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_',
  s: ' ',
}
/** The characters for `.`, because real tokens consist of these even if a rule allows any character. */
const ANY = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const POSIX = {
  alnum: ANY,
  alpha: ANY.slice(0, 52),
  digit: SETS.d,
  lower: ANY.slice(0, 26),
  upper: ANY.slice(26, 52),
  xdigit: '0123456789abcdef',
  word: SETS.w,
}

/** Parses a pattern into a tree. Throws an Error for unknown syntax. */
export function parse(source) {
  let at = 0
  const tree = choice()
  if (at < source.length) throw new Error(`unexpected ${source[at]} at ${at}`)
  return tree

  function choice() {
    const options = [sequence()]
    while (source[at] === '|') {
      at++
      options.push(sequence())
    }
    return options.length === 1 ? options[0] : { type: 'choice', options }
  }

  function sequence() {
    const items = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      const item = withRepeats(atom())
      const last = items.at(-1)
      if (item.type === 'text' && last?.type === 'text') last.text += item.text
      else items.push(item)
    }
    return { type: 'sequence', items }
  }

  function withRepeats(body) {
    const quantifier = /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})/.exec(source.slice(at, at + 16))
    if (quantifier === null) return body
    at += quantifier[0].length
    if (source[at] === '?' || source[at] === '+') at++
    const [whole, min, comma, max] = quantifier
    if (whole === '*') return withRepeats({ type: 'repeat', body, min: 0, max: Infinity })
    if (whole === '+') return withRepeats({ type: 'repeat', body, min: 1, max: Infinity })
    if (whole === '?') return withRepeats({ type: 'repeat', body, min: 0, max: 1 })
    return {
      type: 'repeat',
      body,
      min: Number(min),
      max: comma === undefined ? Number(min) : max === '' ? Infinity : Number(max),
    }
  }

  function atom() {
    const char = source[at++]
    if (char === '(') return group()
    if (char === '[') return set()
    if (char === '.') return { type: 'class', chars: ANY }
    if (char === '^' || char === '$') return { type: 'text', text: '' }
    if (char === '\\') return escapeSequence()
    return { type: 'text', text: char }
  }

  function group() {
    const flags = /^\?[imsU-]+\)/.exec(source.slice(at))
    if (flags !== null) {
      at += flags[0].length
      return { type: 'text', text: '' }
    }
    const opening = /^(?:\?(?:[imsU-]*:|P?<\w+>))/.exec(source.slice(at))?.[0] ?? ''
    if (opening === '' && source[at] === '?') throw new Error(`unknown group at ${at}`)
    at += opening.length
    const body = choice()
    if (source[at++] !== ')') throw new Error('a group without its end')
    return { type: 'group', body, captures: opening === '' || opening.includes('<') }
  }

  function escapeSequence() {
    const char = source[at++]
    if (char === 'b' || char === 'B' || char === 'A' || char === 'z') return { type: 'text', text: '' }
    if (char === 'x') return { type: 'text', text: hex() }
    if (char in SETS) return { type: 'class', chars: SETS[char] }
    if (char === 'S' || char === 'W' || char === 'D') return { type: 'class', chars: ANY }
    return { type: 'text', text: LETTERS[char] ?? char }
  }

  function hex() {
    const digits = /^(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{2}))/.exec(source.slice(at))
    if (digits === null) throw new Error('no hex digits')
    at += digits[0].length
    return String.fromCharCode(Number.parseInt(digits[1] ?? digits[2], 16))
  }

  function set() {
    const not = source[at] === '^'
    if (not) at++
    const first = at
    let chars = ''
    while (source[at] !== ']' || at === first) {
      if (at >= source.length) throw new Error('a class without its end')
      chars += source.startsWith('[:', at) ? posix() : range()
    }
    at++
    if (not) chars = [...ANY].filter((char) => !chars.includes(char)).join('')
    if (chars === '') chars = ' '
    return { type: 'class', chars }
  }

  function posix() {
    const end = source.indexOf(':]', at)
    const chars = POSIX[source.slice(at + 2, end)]
    if (chars === undefined) throw new Error('an unknown class')
    at = end + 2
    return chars
  }

  function range() {
    const from = member()
    if (from.length !== 1 || source[at] !== '-' || source[at + 1] === ']') return from
    at++
    const to = member()
    if (to.length !== 1) return `${from}-${to}`
    let chars = ''
    for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code++) chars += String.fromCharCode(code)
    // `[A-z]` is a typo for letters, and a range up to the last byte means any character.
    return chars.length > 26 ? [...chars].filter((char) => ANY.includes(char)).join('') : chars
  }

  function member() {
    const char = source[at++]
    if (char !== '\\') return char
    const next = source[at++]
    if (next === 'x') return hex()
    if (next in SETS) return SETS[next]
    if (next === 'S' || next === 'W' || next === 'D') return ANY
    return LETTERS[next] ?? next
  }
}

const LETTERS = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v' }
