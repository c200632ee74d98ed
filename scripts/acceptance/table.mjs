const ID = String.raw`(?:CARD|S[0-4]|E|X|Q)-(?:[A-Z]+-?)?\d+(?:-\d+)?[a-z]?`

/** The rows of docs/acceptance.md in their order; `status` is `in`, `declined` or `later`. Throws on one it cannot read. */
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
 * The ids that a title names, ranges spelled out in the order of the table: `S0-D6a..f`, `S0-D5c…k`, `S1-003a–c`,
 * `X-1…X-35`. `strangers`: what looks like one and is no row.
 */
export function idsIn(title, rows) {
  const order = new Map(rows.map(({ id }, at) => [id, at]))
  const ids = new Set()
  const strangers = []
  const range = String.raw`(?:\s*(?:\.{2,3}|…|–)\s*(${ID}|\d+|[a-z])|-([a-z]))?`
  const pattern = new RegExp(String.raw`(?<![\w-])(${ID})${range}(?![\w-])`, 'g')
  for (const [text, from, to, letter] of title.matchAll(pattern)) {
    const between = spread(from, to ?? letter, order)
    if (between === undefined) strangers.push(text)
    else for (const { id } of rows.slice(...between)) ids.add(id)
  }
  return { ids: [...ids], strangers }
}

/** Places in the table, from the first to behind the last; undefined when either is not there. */
function spread(from, to, order) {
  const first = order.get(from)
  const last = to === undefined ? first : (order.get(to) ?? order.get(sibling(from, to)))
  return first === undefined || last === undefined || last < first ? undefined : [first, last + 1]
}

function sibling(id, ending) {
  return id.replace(/^\d/.test(ending) ? /\d+$/ : /[a-z]$/, ending)
}
