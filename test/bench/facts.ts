// `npm run facts -- <folder> [--every n] [--json | --list]`: of what the next agent needs from real sessions of Claude
// Code, how much a context keeps. README.md says what counts as a fact. `--list` prints each fact as a line of JSON
// with the budgets at which cortext keeps it, to look at what is lost; nothing of it may be published.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { o200k } from '../../src/context/tokens/index.ts'
import { KINDS } from './facts/fact.ts'
import { type Measured, measure, type Recall, recall } from './facts/measure.ts'
import { BUDGETS, METHODS, type Method, OWN_SUMMARY } from './facts/methods.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    every: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
})
const [folder] = positionals
if (folder === undefined)
  throw new Error('Name a folder of transcripts: npm run facts -- <folder> [--every n] [--json | --list]')

const tokenizer = await o200k()
const measured: Measured[] = []
let skipped = 0
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.jsonl'))
  .sort()
for (const [place, name] of files.entries()) {
  if (place % Number(values.every) !== 0) continue
  const one = measure(readFileSync(join(folder, name)), tokenizer)
  if (one === undefined) skipped += 1
  else if (values.list) list(name, one)
  else measured.push(one)
}
if (!values.list) print()

function list(transcript: string, { facts, kept }: Measured): void {
  for (const [place, fact] of facts.entries()) {
    const own = kept.filter((one) => one.method === 'cortext' && one.facts[place])
    process.stdout.write(
      `${JSON.stringify({ transcript, ...fact, keptAt: own.map(({ budget }) => budget) })}\n`,
    )
  }
}

function print(): void {
  const compacted = measured.filter((one) => one.compacted)
  const all = tableOf(measured, METHODS)
  const own = tableOf(compacted, [...METHODS, OWN_SUMMARY])
  const counts = Object.fromEntries(KINDS.map((kind) => [kind, countOf(kind)]))
  if (values.json) {
    const document = { transcripts: measured.length, skipped, facts: counts, all, compacted: own }
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
    return
  }
  const sum = Object.values(counts).reduce((a, b) => a + b, 0)
  process.stdout.write(`${measured.length} transcripts, ${skipped} skipped, ${sum} facts\n\n`)
  for (const method of METHODS) process.stdout.write(`${byKind(method, all, counts)}\n\n`)
  process.stdout.write(`Mean over the kinds:\n\n${means(METHODS, all)}\n\n`)
  process.stdout.write(
    `The same in the ${compacted.length} transcripts that the client has compacted:\n\n${means([...METHODS, OWN_SUMMARY], own)}\n`,
  )
}

function countOf(kind: string): number {
  return measured.reduce((sum, { facts }) => sum + facts.filter((fact) => fact.kind === kind).length, 0)
}

function tableOf(from: readonly Measured[], methods: readonly Method[]): Recall[] {
  return methods.flatMap((method) => BUDGETS.map((budget) => recall(from, method, budget)))
}

function byKind(method: Method, all: readonly Recall[], counts: Record<string, number>): string {
  const own = all.filter((one) => one.method === method)
  return table(
    [method, 'facts', ...BUDGETS.map((budget) => `${budget}`)],
    [
      ...KINDS.map((kind) => [kind, `${counts[kind]}`, ...own.map(({ kinds }) => percent(kinds[kind]))]),
      ['mean over the kinds', '', ...own.map(({ mean }) => percent(mean))],
      ['all facts together', '', ...own.map(({ all }) => percent(all))],
      ['tokens used', '', ...own.map(({ tokens }) => `${tokens}`)],
    ],
  )
}

function means(methods: readonly Method[], all: readonly Recall[]): string {
  const rows = methods.map((method) => [
    method,
    ...all.filter((one) => one.method === method).map(({ mean }) => percent(mean)),
  ])
  return table(['method', ...BUDGETS.map((budget) => `${budget}`)], rows)
}

function table(head: readonly string[], rows: readonly string[][]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, n) => (n === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}

function percent(ratio: number | undefined): string {
  return ratio === undefined ? '–' : `${(ratio * 100).toFixed(1)} %`
}
