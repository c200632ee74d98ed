import { isDeepStrictEqual } from 'node:util'
import {
  createScanner,
  findNodeAtLocation,
  type JSONPath,
  type Node,
  type ParseError,
  parse,
  parseTree,
} from 'jsonc-parser'
import { isTooDeep } from '../../text/nesting.ts'
import { corrupt, isObject, type JsonObject, parseJsonObject } from './json-file.ts'

/**
 * Like `parseJsonObject`, but the text may contain comments. With `allowTrailingComma`, a comma may follow the last
 * entry of a list or an object. Throws `corrupt`.
 */
export function parseCommented(text: string, path: string, { allowTrailingComma = false } = {}): JsonObject {
  if (isTooDeep(text)) return parseJsonObject(text, path)
  const errors: ParseError[] = []
  const value: unknown = parse(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma })
  // `parseJsonObject` says what is wrong with the text.
  if (errors.length > 0) return parseJsonObject(text, path)
  if (isObject(value)) return value
  throw corrupt(path, 'does not contain a JSON object')
}

/**
 * Changes in a text only what differs between two objects. `before` is the content of the text, `after` the new
 * content. Comments and the layout of the rest stay. The library's own `modify` would remove comments and lay out
 * neighbouring entries again.
 */
export function editJson(text: string, before: JsonObject, after: JsonObject): string {
  return changesOf(before, after).reduce(applyChange, text)
}

interface Change {
  path: JSONPath
  /** Undefined removes the key. */
  value: unknown
}

/**
 * The changes from `before` to `after`. Removals from a list begin at its end, so that the indexes of the others stay
 * right.
 */
function changesOf(before: unknown, after: unknown, path: JSONPath = []): Change[] {
  if (isDeepStrictEqual(before, after)) return []
  if (isObject(before) && isObject(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
      changesOf(memberOf(before, key), memberOf(after, key), [...path, key]),
    )
  if (!Array.isArray(before) || !Array.isArray(after)) return [{ path, value: after }]
  const gone = before.flatMap((entry, index) =>
    after.some((kept) => isDeepStrictEqual(kept, entry)) ? [] : index,
  )
  const left = before.filter((_, index) => !gone.includes(index))
  if (!isDeepStrictEqual(left, after.slice(0, left.length))) return [{ path, value: after }]
  const removals = gone.reverse().map((index): Change => ({ path: [...path, index], value: undefined }))
  const additions = after
    .slice(left.length)
    .map((value, n): Change => ({ path: [...path, left.length + n], value }))
  return [...removals, ...additions]
}

function memberOf(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

function applyChange(text: string, { path, value }: Change): string {
  const root = parseTree(text)!
  const node = findNodeAtLocation(root, path)
  const parent = findNodeAtLocation(root, path.slice(0, -1))!
  if (node === undefined) return insertValue(text, parent, path, value)
  if (value === undefined) return removeChild(text, parent, parent.type === 'object' ? node.parent! : node)
  return splice(text, node.offset, endOf(node), layOut(text, value, path.length))
}

/**
 * Inserts a key at the beginning of its object, where it does not come between the other keys and their comments.
 * Inserts an element at the end of its list.
 */
function insertValue(text: string, parent: Node, path: JSONPath, value: unknown): string {
  const siblings = parent.children ?? []
  const last = parent.type === 'array' ? siblings.at(-1) : undefined
  const offset = last === undefined ? parent.offset + 1 : endOf(last)
  const isInline = siblings.length > 0 && !/^\s*(\/[/*]|\r?\n)/.test(text.slice(offset))
  const newLine = (depth: number) => endOfLine(text) + indentOf(text).repeat(depth)
  const key = parent.type === 'object' ? `${JSON.stringify(path.at(-1))}: ` : ''
  const entry = key + (isInline ? JSON.stringify(value) : layOut(text, value, path.length))
  if (last !== undefined)
    return splice(text, offset, offset, `,${isInline ? ' ' : newLine(path.length)}${entry}`)
  if (isInline) return splice(text, offset, offset, `${entry}, `)
  const comma = siblings.length > 0 ? ',' : ''
  const tail = /^ *[}\]]/.test(text.slice(offset)) ? newLine(path.length - 1) : ''
  return splice(text, offset, offset, newLine(path.length) + entry + comma + tail)
}

/** Removes an entry with the white space before it and one comma. */
function removeChild(text: string, parent: Node, child: Node): string {
  const previous = parent.children![parent.children!.indexOf(child) - 1]
  const comma = commaBehind(text, endOf(child))
  const end = comma ?? endOf(child)
  if (comma === undefined && previous && /^,\s*$/.test(text.slice(endOf(previous), child.offset)))
    return splice(text, endOf(previous), end, '')
  // If text follows on the same line, the line break before the entry stays. Without it, that text would become part of
  // a `//` comment in the line above.
  const isLine = /^[ \t]*\r?\n/.test(text.slice(end))
  const start = isLine ? text.slice(0, child.offset).trimEnd().length : child.offset
  const rest = splice(text, start, isLine || text[end] !== ' ' ? end : end + 1, '')
  const before = previous && comma === undefined ? commaBehind(text, endOf(previous)) : undefined
  return before === undefined ? rest : splice(rest, before - 1, before, '')
}

/** The offset after the next comma, if only white space and comments come before it; otherwise undefined. */
function commaBehind(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true)
  scanner.setPosition(offset)
  scanner.scan()
  return text[scanner.getTokenOffset()] === ',' ? scanner.getTokenOffset() + 1 : undefined
}

function layOut(text: string, value: unknown, depth: number): string {
  const indent = indentOf(text)
  return JSON.stringify(value, undefined, indent).replaceAll('\n', endOfLine(text) + indent.repeat(depth))
}

function indentOf(text: string): string {
  return /\n([ \t]+)[^ \t\r\n]/.exec(text)?.[1] ?? '  '
}

function endOfLine(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

function endOf({ offset, length }: Node): number {
  return offset + length
}

function splice(text: string, start: number, end: number, inserted: string): string {
  return text.slice(0, start) + inserted + text.slice(end)
}
