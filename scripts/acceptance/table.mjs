const ID = String.raw`(?:CARD|S[0-4]|E|X|Q)-(?:[A-Z]+-?)?\d+(?:-\d+)?[a-z]?`

/**
 * The rows of test/acceptance.txt in their order, one for each id; `status` is `in`, `declined` or `later`. Throws for a
 * line that it cannot read.
 */
export function readTable(text) {
  let section = ''
  const rows = []
  for (const line of text.split('\n')) {
    section = /^## (.+)/.exec(line)?.[1] ?? section
    if (!new RegExp(`^${ID}\\b`).test(line)) continue
    const row = new RegExp(`^(${ID}(?: ${ID})*) ([^|]+?)(?: \\| ((?:in|declined|later): .+))?$`).exec(line)
    if (row === null)
      throw new Error(
        `test/acceptance.txt: cannot read: ${line} (a line is: ids, the requirement, and perhaps | in: …, declined: … or later: …)`,
      )
    const [, ids, requirement, became = 'in'] = row
    for (const id of ids.split(' ')) {
      if (rows.some((other) => other.id === id))
        throw new Error(`test/acceptance.txt: ${id} is there twice: remove one of them`)
      rows.push({ section, id, requirement, became, status: became.split(':')[0] })
    }
  }
  return rows
}

/**
 * The ids that a title names. Ranges such as `S0-D6a..f`, `S0-D5c…k`, `S1-003a–c` and `X-1…X-35` become all ids between
 * their ends. `strangers` contains what looks like an id and is not in the table.
 */
export function idsIn(title, rows) {
  const sorted = rows.map(({ id }) => id).sort(new Intl.Collator('en', { numeric: true }).compare)
  const order = new Map(sorted.map((id, index) => [id, index]))
  const ids = new Set()
  const strangers = []
  const range = String.raw`(?:\s*(?:\.{2,3}|…|–)\s*(${ID}|\d+|[a-z])|-([a-z]))?`
  const pattern = new RegExp(String.raw`(?<![\w-])(${ID})${range}(?![\w-])`, 'g')
  for (const [text, from, to, letter] of title.matchAll(pattern)) {
    const between = rangeOf(from, to ?? letter, order)
    if (between === undefined) strangers.push(text)
    else for (const id of sorted.slice(...between)) ids.add(id)
  }
  return { ids: [...ids], strangers }
}

/** The index of the first id of a range, and the index after its last one. Undefined if either is not there. */
function rangeOf(from, to, order) {
  const first = order.get(from)
  const last = to === undefined ? first : (order.get(to) ?? order.get(sibling(from, to)))
  return first === undefined || last === undefined || last < first ? undefined : [first, last + 1]
}

function sibling(id, ending) {
  return id.replace(/^\d/.test(ending) ? /\d+$/ : /[a-z]$/, ending)
}
