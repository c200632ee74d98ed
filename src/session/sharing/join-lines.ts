import { parseJson } from '../../text/json.ts'

/**
 * Joins two versions of a file of JSON lines, such as messages.jsonl, that two machines have made of the version `base`.
 * Every line of both is in the result once: first the lines of `theirs`, then what only `ours` has, in its order. A line
 * that one side has changed or removed since `base`, as pruning and redaction do, is as on that side; where both have
 * changed it, as in `theirs`. Lines are compared by their `id`, and those without one by their text.
 */
export function joinLines(base: string, ours: string, theirs: string): string {
  const [before, here, there] = [base, ours, theirs].map(linesOf) as [Lines, Lines, Lines]
  const joined: string[] = []
  for (const [key, line] of there) {
    const [own, old] = [here.get(key), before.get(key)]
    // Two messages with one id and other words are two messages.
    if (own !== undefined && old === undefined && own !== line) joined.push(line, own)
    else if (own === undefined ? old !== line : own === old || line !== old) joined.push(line)
    else if (own !== undefined) joined.push(own)
  }
  for (const [key, line] of here) if (!there.has(key) && before.get(key) !== line) joined.push(line)
  return joined.map((line) => `${line}\n`).join('')
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
