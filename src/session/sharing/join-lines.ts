import { parseJson } from '../../text/json.ts'

/**
 * Joins two versions of a file of JSON lines, such as messages.jsonl, that two machines have made of the version `base`.
 * Every line of both is in the result once. The two may come in either order: two machines that join the same versions
 * at the same moment get the same bytes. First come the lines of the version that went on earlier, then what only the
 * other one has, in its order. A line that one side has changed or removed since `base`, as pruning and redaction do, is
 * as on that side; where both have changed it, as in the first version. Without a base, of a line and the same without
 * its secrets the one without counts. Lines are compared by their `id`, and those without one by their text.
 */
export function joinLines(base: string, one: string, other: string): string {
  const [before, a, b] = [base, one, other].map(linesOf) as [Lines, Lines, Lines]
  const [first, second] = wentOnEarlier(before, a, b) ? [a, b] : [b, a]
  const joined: string[] = []
  for (const [key, line] of first) {
    const [more, old] = [second.get(key), before.get(key)]
    if (more !== undefined && old === undefined && more !== line) joined.push(...bothOf(line, more))
    else if (more === undefined ? old !== line : more === old || line !== old) joined.push(line)
    else if (more !== undefined) joined.push(more)
  }
  for (const [key, line] of second) if (!first.has(key) && before.get(key) !== line) joined.push(line)
  return joined.map((line) => `${line}\n`).join('')
}

/** Two messages with one id and other words are two messages, unless one is the other without its secrets. */
function bothOf(line: string, more: string): string[] {
  if (isWithoutSecrets(line, more)) return [line]
  return isWithoutSecrets(more, line) ? [more] : [line, more]
}

function isWithoutSecrets(clean: string, line: string): boolean {
  const [begin, ...parts] = clean.split(PLACEHOLDER) as [string, ...string[]]
  if (parts.length === 0 || !line.startsWith(begin)) return false
  const last = parts.pop()!
  let at = begin.length
  for (const part of parts) {
    const found = line.indexOf(part, at + 1)
    if (found === -1) return false
    at = found + part.length
  }
  return line.endsWith(last) && line.length - last.length > at
}

/** What redaction leaves of a secret; see redact/placeholder.ts. */
const PLACEHOLDER = /\[REDACTED:[a-z0-9-]{1,40}:[0-9a-f]{2,8}\]/

/**
 * Compares the first new lines that differ, by their times and otherwise by their text. Where only one has pruned, it is
 * the earlier one, so that its event stays before the lines that it left.
 */
function wentOnEarlier(before: Lines, a: Lines, b: Lines): boolean {
  const [newInA, newInB] = [newIn(before, a), newIn(before, b)]
  const [hasPruned, otherHasPruned] = [newInA, newInB].map((lines) => lines.some(isPrune))
  if (hasPruned !== otherHasPruned) return hasPruned!
  const [saidInA, saidInB] = [newInA, newInB].map((lines) => lines.filter((line) => !isPrune(line)))
  return differEarlier(saidInA!, saidInB!) ?? differEarlier([...a.values()], [...b.values()]) ?? true
}

function newIn(before: Lines, lines: Lines): string[] {
  return [...lines].flatMap(([key, line]) => (before.has(key) ? [] : [line]))
}

/** Undefined if all lines are the same. Of two versions of which one has more lines, that is the earlier one. */
function differEarlier(a: readonly string[], b: readonly string[]): boolean | undefined {
  const longer = a.length > b.length ? a : b
  const at = longer.findIndex((_, index) => a[index] !== b[index])
  const [own, other] = [a[at], b[at]]
  if (at === -1) return undefined
  return own === undefined || other === undefined ? other === undefined : isEarlier(own, other)
}

function isEarlier(own: string, other: string): boolean {
  const [before, after] = [timeOf(own), timeOf(other)]
  return before === after ? own < other : before < after
}

function timeOf(line: string): string {
  const { timestamp } = Object(parseJson(line)) as { timestamp?: unknown }
  return typeof timestamp === 'string' ? timestamp : ''
}

function isPrune(line: string): boolean {
  return line.includes('"pruned"') && Object(parseJson(line)).event === 'pruned'
}

/** Adds the lines of `more` to `text` that neither it nor one of the `known` versions has, in their order. */
export function withNewLines(text: string, more: string, known: readonly string[]): string {
  const seen = new Set([text, ...known].flatMap((version) => [...linesOf(version).keys()]))
  const added = [...linesOf(more)].filter(([key]) => !seen.has(key)).map(([, line]) => `${line}\n`)
  return added.length === 0 || text === '' || text.endsWith('\n')
    ? text + added.join('')
    : `${text}\n${added.join('')}`
}

type Lines = Map<string, string>

/** The lines by their ids. Of lines with one id, the second has the number 2, and so on. */
function linesOf(text: string): Lines {
  const lines: Lines = new Map()
  const counts = new Map<string, number>()
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const { id } = Object(parseJson(line)) as { id?: unknown }
    const name = typeof id === 'string' ? `id ${id}` : `line ${line}`
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    lines.set(`${count} ${name}`, line)
  }
  return lines
}
