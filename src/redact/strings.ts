import { passwordOfItem } from './contexts/commands.ts'
import { isSecretItem } from './contexts/lists.ts'
import { isSecretValue, kindOfValue } from './judge.ts'
import { type Expectation, expectationOf, expectationOfItems } from './names.ts'
import { type Found, placeholder } from './placeholder.ts'

/** Redacts each string in a JSON value. Returns the same value when nothing was redacted. */
export function redactStrings(value: unknown, redact: (text: string) => string, found: Found[]): unknown {
  return walk(value, undefined)

  function walk(node: unknown, expected: Expectation | undefined): unknown {
    if (typeof node === 'string') return string(node, expected)
    if (Array.isArray(node)) return array(node, undefined)
    if (node !== null && typeof node === 'object') return object(node as Record<string, unknown>)
    return node
  }

  function string(text: string, expected: Expectation | undefined): string {
    const redacted = redact(text)
    if (expected === undefined || redacted !== text) return redacted
    return isSecretValue(text, { expected, form: 'quoted' }) ? replaced(text) : text
  }

  function replaced(secret: string, kind = kindOfValue(secret)): string {
    const { text, ...entry } = placeholder(kind, secret)
    found.push(entry)
    return text
  }

  /** Redacts a header's value together with its name, because the name reveals more than the scheme does. */
  function header(name: string, item: unknown): unknown {
    if (Array.isArray(item)) {
      const walked = item.map((one) => header(name, one))
      return walked.some((one, n) => one !== item[n]) ? walked : item
    }
    return typeof item === 'string'
      ? redact(`${name}: ${item}`).slice(name.length + 2)
      : walk(item, undefined)
  }

  /** In a list of arguments, a flag shows what the next argument is, or the program shows what a flag means. */
  function array(items: unknown[], ofItems: Expectation | undefined): unknown[] {
    // A loop, not a callback: with callbacks, each level of a deep value would take two places on the stack.
    const walked: unknown[] = []
    let changed = false
    for (const [index, item] of items.entries()) {
      const flag = items[index - 1]
      const isFlag = typeof flag === 'string' && /^--?[A-Za-z][\w-]*$/.test(flag)
      const redacted = walk(item, isFlag ? expectationOf(flag.replace(/^-+/, '')) : undefined)
      const secret = ofItems !== undefined && typeof item === 'string' && isSecretItem(item, ofItems)
      walked.push(redacted !== item ? redacted : secret ? replaced(item) : argument(items, index))
      if (walked[index] !== item) changed = true
    }
    return changed ? walked : items
  }

  function argument(items: unknown[], index: number): unknown {
    const span = passwordOfItem(items, index)
    if (span === undefined) return items[index]
    const item = items[index] as string
    const secret = replaced(item.slice(span.start, span.end), span.kind)
    return item.slice(0, span.start) + secret + item.slice(span.end)
  }

  function object(record: Record<string, unknown>): Record<string, unknown> {
    const entries = Object.entries(record)
    const taken = new Map<string, number>()
    let changed = false
    const walked: [string, unknown][] = []
    for (const [key, item] of entries) {
      const name = freeName(redact(key), taken)
      const value = isPicture(record, key, item)
        ? item
        : HEADER.test(key)
          ? header(key, item)
          : Array.isArray(item)
            ? array(item, expectationOf(key) ?? expectationOfItems(key))
            : walk(item, expectationOf(key) ?? expectationBeside(record, key))
      if (name !== key || value !== item) changed = true
      walked.push([name, value])
    }
    return changed ? Object.fromEntries(walked) : record
  }
}

/** What the fields next to a value announce: `{ name: 'DB_PASSWORD', value: '…' }`, `{ kty: 'oct', k: '…' }`. */
function expectationBeside(record: Record<string, unknown>, key: string): Expectation | undefined {
  if (key === 'value' || key === 'Value') return expectationOf(nameIn(record))
  return typeof record.kty === 'string' && /^(?:d|k|p|q|dp|dq|qi)$/.test(key) ? 'issued' : undefined
}

function nameIn(record: Record<string, unknown>): string {
  const name = record.name ?? record.Name ?? record.key ?? record.Key
  return typeof name === 'string' && name.length <= 100 ? name : ''
}

/** Headers whose values are secrets. A list may have several of them. */
const HEADER = /^(?:(?:proxy-)?authorization|(?:set-)?cookie)$/i

/**
 * Two keys may contain secrets with the same placeholder. The second key gets another name, so that neither entry is
 * lost.
 */
function freeName(name: string, taken: Map<string, number>): string {
  let free = name
  let n = taken.get(name) ?? 0
  // The count continues where it ended: counting from 1, a hundred thousand equal names would take for ever.
  while (taken.has(free)) free = `${name}#${++n}`
  if (free !== name) taken.set(name, n)
  taken.set(free, 1)
  return free
}

/**
 * Whether the item is base64 next to the media type of a picture, sound or document: `source` in Claude, `inlineData`
 * in Gemini.
 */
function isPicture(record: Record<string, unknown>, key: string, item: unknown): boolean {
  if (key !== 'data' || typeof item !== 'string') return false
  const type = record.media_type ?? record.mimeType ?? record.mime
  return (
    typeof type === 'string' &&
    /^(?:image|audio|video)\/|^application\/pdf$/.test(type) &&
    /^[A-Za-z0-9+/_-]{16}/.test(item)
  )
}
