/**
 * Measures the redaction over the product of names, signs, values and wrappings (test/redact/product/): each text is a
 * message of `cortext append`, and what the built program wrote is searched for the secret. `--cells` prints each of
 * the combinations, `--missed` that many texts of which the secret is left, `--group` only those of one group.
 */
import { parseArgs } from 'node:util'
import { kept } from '../redact/product/kept.ts'
import { type Case, harmlessCases, isGone, secretCases, staysOut } from '../redact/product/product.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cell: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    cells: { type: 'boolean', default: false },
    missed: { type: 'string', default: '0' },
    group: { type: 'string' },
  },
})
const [program = ''] = positionals
const [perCell, seed] = [Number(values.cell), Number(values.seed)]

const secrets = [...secretCases(perCell, seed)]
measure(
  'secrets that are gone',
  secrets.filter(({ cell }) => !staysOut(cell)),
  isGone,
)
measure(
  'secrets that stay out, and are gone all the same',
  secrets.filter(({ cell }) => staysOut(cell)),
  isGone,
)
measure(
  'harmless texts that are unchanged',
  [...harmlessCases(perCell, seed)],
  ({ text }, after) => text === after,
)

function measure(title: string, all: Case[], holds: (one: Case, after: string) => boolean) {
  const after = kept(
    program,
    all.map(({ text }) => text),
  )
  const rows = all.map((one, n) => ({
    ...one.cell,
    one,
    good: holds(one, after[n] ?? ''),
    after: after[n] ?? '',
  }))
  print(`# ${title}: ${share(rows)} of ${rows.length}\n`)
  table(rows, 'sign', 'value')
  table(rows, 'wrapping', 'name')
  table(rows, 'sign', 'wrapping')
  table(rows, 'value', 'name')
  list('case of the name', rows, ({ one }) => one.written)
  list('single sign', rows, ({ one }) => `${one.cell.sign} ${one.number}`)
  if (values.cells)
    list('cell', rows, ({ name, sign, value, wrapping }) => `${name} | ${sign} | ${value} | ${wrapping}`)
  const bad = rows.filter(
    ({ good, one }) =>
      !good && (values.group === undefined || Object.values(one.cell).includes(values.group)),
  )
  const step = Math.max(1, bad.length / Number(values.missed))
  for (let n = 0; n < bad.length && Number(values.missed) > 0; n += step) {
    const row = bad[Math.floor(n)]
    if (row !== undefined)
      print(
        `${Object.values(row.one.cell).join(' | ')} ${row.one.number}\n${JSON.stringify(row.one.text)}\n${JSON.stringify(row.after)}\n`,
      )
  }
}

type Row = Record<'name' | 'sign' | 'value' | 'wrapping', string> & { one: Case; good: boolean }

function table(rows: Row[], down: 'sign' | 'wrapping' | 'value', across: 'value' | 'name' | 'wrapping') {
  const heads = [...new Set(rows.map((row) => row[across]))]
  const line = (cells: string[]) => print(`| ${cells.join(' | ')} |`)
  line(['', ...heads, 'all'])
  line(['---', ...heads.map(() => '---:'), '---:'])
  for (const [head, inRow] of groups(rows, (row) => row[down]))
    line([head, ...heads.map((name) => share(inRow.filter((row) => row[across] === name))), share(inRow)])
  line(['all', ...heads.map((name) => share(rows.filter((row) => row[across] === name))), share(rows)])
  print('')
}

function list(title: string, rows: Row[], by: (row: Row) => string) {
  print(`${title}:`)
  for (const [name, some] of groups(rows, by)) print(`  ${share(some).padStart(6)}  ${name} (${some.length})`)
  print('')
}

function groups(rows: Row[], by: (row: Row) => string): Map<string, Row[]> {
  const found = new Map<string, Row[]>()
  for (const row of rows) {
    const group = found.get(by(row))
    if (group === undefined) found.set(by(row), [row])
    else group.push(row)
  }
  return found
}

function share(rows: Row[]): string {
  return rows.length === 0 ? '' : ((rows.filter(({ good }) => good).length / rows.length) * 100).toFixed(1)
}

function print(line: string) {
  process.stdout.write(`${line}\n`)
}
