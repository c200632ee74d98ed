const ID = String.raw`(?:CARD|S[0-4]|E|X|Q)-(?:[A-Z]+-?)?\d+(?:-\d+)?[a-z]?`

/**
 * The rows of docs/acceptance.md in their order; `status` is `in`, `declined` or `later`. Throws for a row that it
 * cannot read.
 */
export function readTable(text) {
  let section = ''
  const rows = []
  for (const line of text.split('\n')) {
    section = /^##+ (.+)/.exec(line)?.[1] ?? section
    const cells = new RegExp(`^\\| (${ID}) \\| (.+?) \\| (in|(?:in|declined|later): .+?) \\|$`).exec(line)
    if (cells === null) {
      if (new RegExp(`^\\| ${ID} `).test(line))
        throw new Error(
          `docs/acceptance.md: cannot read: ${line} (a row is: | id | requirement | in, declined: why, or later: why |)`,
        )
      continue
    }
    const [, id, requirement, became] = cells
    if (rows.some((row) => row.id === id))
      throw new Error(`docs/acceptance.md: ${id} is there twice: remove one of the rows`)
    rows.push({ section, id, requirement, became, status: became.split(':')[0] })
  }
  return rows
}

/**
 * The ids that a title names. Ranges such as `S0-D6a..f`, `S0-D5c…k`, `S1-003a–c` and `X-1…X-35` become all ids between
 * their ends, in the order of the table. `strangers` contains what looks like an id and is not in the table.
 */
export function idsIn(title, rows) {
  const order = new Map(rows.map(({ id }, index) => [id, index]))
  const ids = new Set()
  const strangers = []
  const range = String.raw`(?:\s*(?:\.{2,3}|…|–)\s*(${ID}|\d+|[a-z])|-([a-z]))?`
  const pattern = new RegExp(String.raw`(?<![\w-])(${ID})${range}(?![\w-])`, 'g')
  for (const [text, from, to, letter] of title.matchAll(pattern)) {
    const between = rangeOf(from, to ?? letter, order)
    if (between === undefined) strangers.push(text)
    else for (const { id } of rows.slice(...between)) ids.add(id)
  }
  return { ids: [...ids], strangers }
}

/** The index of the first row of a range, and the index after its last row. Undefined if either row is not there. */
function rangeOf(from, to, order) {
  const first = order.get(from)
  const last = to === undefined ? first : (order.get(to) ?? order.get(sibling(from, to)))
  return first === undefined || last === undefined || last < first ? undefined : [first, last + 1]
}

function sibling(id, ending) {
  return id.replace(/^\d/.test(ending) ? /\d+$/ : /[a-z]$/, ending)
}
