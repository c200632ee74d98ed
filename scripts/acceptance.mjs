// Which tests prove which requirement: every row of docs/acceptance.md with the tests whose titles name its id.
// `--missing` prints only the `in` rows that no test names. Exits 1 when a test names an id that is no row.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const ID = String.raw`(?:CARD|S[0-4]|E|X|Q)-(?:[A-Z]+-?)?\d+(?:-\d+)?[a-z]?`

process.stdout.on('error', onBrokenPipe)
const rows = readRows()
const tests = readdirSync(join(ROOT, 'test'), { recursive: true })
  .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
  .sort()
  .flatMap((path) => titlesOf(join(ROOT, 'test', path)))
const { proofs, strangers } = match(rows, tests)
print()
if (strangers.length > 0) process.exitCode = 1

/** The rows in the order of the table; `status` is `in`, `declined` or `later`. */
function readRows() {
  const text = readFileSync(join(ROOT, 'docs/acceptance.md'), 'utf8')
  let section = ''
  const found = []
  for (const line of text.split('\n')) {
    section = /^##+ (.+)/.exec(line)?.[1] ?? section
    const cells = new RegExp(`^\\| (${ID}) \\| (.+?) \\| (in|(?:declined|later): .+?) \\|$`).exec(line)
    if (cells === null) {
      if (new RegExp(`^\\| ${ID} `).test(line)) throw new Error(`docs/acceptance.md: cannot read: ${line}`)
      continue
    }
    const [, id, requirement, became] = cells
    if (found.some((row) => row.id === id)) throw new Error(`docs/acceptance.md: ${id} stands there twice`)
    found.push({ section, id, requirement, became, status: became.split(':')[0] })
  }
  return found
}

/**
 * Titles of `test('…')`, `describe('…')`, `it.each(…)('…')` and their like: the string in the first place of a call;
 * and the string that begins a row of a table for `each`.
 */
function titlesOf(path) {
  const text = readFileSync(path, 'utf8')
  const call = /(?:(?:\b(?:test|it|describe)(?:\.\w+)*|\))\(|^\s*\[)\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/gm
  return [...text.matchAll(call)].map(([, , title]) => ({ file: relative(ROOT, path), title }))
}

/** `proofs`: id → tests. `strangers`: ids that a title names and the table does not know. */
function match(table, titles) {
  const order = new Map(table.map((row, at) => [row.id, at]))
  const proved = new Map(table.map((row) => [row.id, []]))
  const unknown = []
  for (const test of titles) {
    for (const named of idsIn(test.title)) {
      const between = spread(named, order)
      if (between === undefined) unknown.push({ ...test, id: named.text })
      else
        for (const at of between)
          if (!proved.get(table[at].id).includes(test)) proved.get(table[at].id).push(test)
    }
  }
  return { proofs: proved, strangers: unknown }
}

/** Ids as whole words, and ranges: `S0-D6a..f`, `S0-D5c…k`, `S1-003a–c`, `X-1…X-35`. */
function idsIn(title) {
  const range = String.raw`(?:\s*(?:\.{2,3}|…|–)\s*(${ID}|\d+|[a-z])|-([a-z]))?`
  const pattern = new RegExp(String.raw`(?<![\w-])(${ID})${range}(?![\w-])`, 'g')
  return [...title.matchAll(pattern)].map(([text, from, to, letter]) => ({ text, from, to: to ?? letter }))
}

/** Positions in the table from the first to the last id, in its order; undefined when either is not there. */
function spread({ from, to }, order) {
  const first = order.get(from)
  const last = to === undefined ? first : (order.get(to) ?? order.get(sibling(from, to)))
  if (first === undefined || last === undefined || last < first) return undefined
  return Array.from({ length: last - first + 1 }, (_, step) => first + step)
}

function sibling(id, ending) {
  return id.replace(/^\d/.test(ending) ? /\d+$/ : /[a-z]$/, ending)
}

function print() {
  const wanted = rows.filter((row) => row.status === 'in')
  const missing = wanted.filter((row) => proofs.get(row.id).length === 0)
  if (process.argv.includes('--missing')) printRows(missing)
  else printRows(rows)
  say('')
  say(
    `${rows.length} rows: ${wanted.length} in, ${count('declined')} declined, ${count('later')} later. ` +
      `${wanted.length - missing.length} of the ${wanted.length} in have a test, ${missing.length} have none` +
      `${missing.length > 0 && !process.argv.includes('--missing') ? ' (--missing lists them)' : ''}.`,
  )
  for (const { file, title, id } of strangers)
    say(red(`${id} is no row of docs/acceptance.md: ${file}: ${title}`))
}

function count(status) {
  return rows.filter((row) => row.status === status).length
}

function printRows(some) {
  let section = ''
  for (const row of some) {
    if (row.section !== section) {
      section = row.section
      say('', bold(section))
    }
    const tests = proofs.get(row.id)
    const mark = row.status !== 'in' ? dim('·') : tests.length > 0 ? green('✓') : red('✗')
    say(`${mark} ${row.id.padEnd(9)} ${row.status === 'in' ? row.requirement : dim(row.requirement)}`)
    if (row.status !== 'in') say(dim(`            ${row.became}`))
    if (!process.argv.includes('--missing'))
      for (const { file, title } of tests) say(dim(`            ${file.replace(/^test\//, '')}: ${title}`))
  }
}

function say(...lines) {
  for (const line of lines) process.stdout.write(`${line}\n`)
}

function paint(code) {
  const colour = process.stdout.isTTY && !process.env.NO_COLOR
  return (text) => (colour ? `\x1b[${code}m${text}\x1b[0m` : text)
}
function bold(text) {
  return paint(1)(text)
}
function dim(text) {
  return paint(2)(text)
}
function red(text) {
  return paint(31)(text)
}
function green(text) {
  return paint(32)(text)
}

/** `npm run acceptance | head` is no failure. */
function onBrokenPipe(error) {
  if (error.code !== 'EPIPE') throw error
}
