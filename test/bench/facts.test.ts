import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Fact, haystack, holds, KINDS, type Needle } from './facts/fact.ts'
import { findFacts } from './facts/find.ts'
import { MadeSession } from './facts/made-session.ts'
import type { Recall } from './facts/measure.ts'
import { readTalk } from './facts/talk.ts'

/** A session with one fact of each kind, and with what looks like facts and is none. */
function session(): MadeSession {
  const made = new MadeSession()
  made.typed('Export quarterly invoices as spreadsheets for accountants')
  made.record({
    type: 'user',
    isSidechain: true,
    message: { content: 'Subagents never type requests for people' },
  })
  made.called(
    'Agent',
    { prompt: 'look' },
    'Some preface.\n\nInvoices already carry currency, taxes, discounts.',
  )
  made.called('AskUserQuestion', {}, 'User has answered your questions.', {
    copy: { answers: { 'Which delimiter separates spreadsheet columns?': 'Semicolon' } },
  })
  made.called(
    'ExitPlanMode',
    { plan: '# Streaming invoice export pipeline\n\n1. Write rows' },
    'User has approved your plan.\n\n## Approved Plan (edited by user):\n# Streaming invoice export pipeline\n\n1. Write rows\n2. Benchmark memory against gigabyte ledgers',
  )
  const refused =
    "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nkeep legacy importer untouched meanwhile"
  made.called('Edit', { file_path: '/work/importer.ts' }, refused, { failed: true })
  made.called('Read', { file_path: '/work/notes.txt' }, `Notes:\n${refused} never`)
  made.called('Edit', { file_path: '/work/src/ledger.ts' }, 'The file was updated.')
  made.called('Write', { file_path: '/tmp/scratch.ts' }, 'Created.')
  made.called(
    'Bash',
    { command: 'git commit -m "x"' },
    '[topic/export abc1234] Stream invoices through worksheets\n 1 file changed',
  )
  made.called('Bash', { command: 'cd app && npm test 2>&1 | tail -5' }, '41 passed')
  made.called('Bash', { command: 'npm run build' }, '')
  made.called('Bash', { command: 'ls test' }, 'ok')
  made.called('Bash', { command: 'gh pr create --fill' }, 'https://forge.example/team/app/pull/77\n')
  made.said('Rounding differs between locales.\n\nShould decimals follow banker rounding everywhere?')
  const asked = made.typed('yes, please')
  made.said('This turn vanishes because somebody rewound afterwards.')
  made.typed('Rewound words concern penguins, glaciers, snowstorms')
  made.backTo(asked)
  made.said('Done: decimals follow that convention throughout.')
  made.typed('Never truncate customer addresses when wrapping')
  made.called(
    'TodoWrite',
    {
      todos: [
        { content: 'Translate column captions into Portuguese', status: 'pending' },
        { content: 'Collect sample ledgers quickly somewhere', status: 'completed' },
      ],
    },
    'ok',
  )
  made.called(
    'Bash',
    { command: 'docker compose up' },
    'Exit code 1\nfatal: postgres socket permission denied',
    { failed: true },
  )
  made.called('Bash', { command: 'curl localhost' }, 'Exit code 7\nfatal: curl cannot reach localhost yet', {
    failed: true,
  })
  made.called('Bash', { command: 'curl localhost' }, 'hello')
  made.branch = 'topic/export'
  made.typed(
    '<command-name>/ship</command-name><command-args>Publish tonight using ledger_sync_v2 behind feature toggles</command-args>',
  )
  made.said('Nothing published yet.\n\nPublishing waits until postgres accepts connections.')
  return made
}

function factsOf(made: MadeSession): Fact[] {
  return findFacts(readTalk(made.jsonl())!)
}

/** The needles of each kind, each as its words in the order of the alphabet. */
function byKind(facts: readonly Fact[]): Record<string, string[]> {
  const text = ({ exact = [], words = [], oneOf = [] }: Needle): string =>
    [...exact, ...words.toSorted(), ...oneOf.slice(0, 2)].join(' ')
  return Object.fromEntries(
    KINDS.map((kind) => [
      kind,
      facts.filter((fact) => fact.kind === kind).map(({ needles }) => needles.map(text).join(' + ')),
    ]),
  )
}

const FOUND = {
  'first request': ['accountants export for invoices quarterly spreadsheets'],
  'later requests': [
    'addresses customer never truncate when wrapping',
    'behind feature ledger publish sync toggles tonight using',
  ],
  constraints: ['addresses customer never truncate when wrapping'],
  'answers to questions': ['Semicolon columns delimiter separates spreadsheet which'],
  'words of refusals': ['importer keep legacy meanwhile untouched'],
  'edits of plans': ['against benchmark gigabyte ledgers memory'],
  'names that were given': ['ledger_sync_v2'],
  'open tasks': ['captions column into portuguese translate'],
  'files edited': ['ledger.ts'],
  commits: ['abc1234 invoices stream through worksheets'],
  branch: ['topic/export'],
  'results of checks': ['npm test ok pass'],
  'issues and pull requests': ['https://forge.example/team/app/pull/77 #77'],
  'last answers': [
    'banker decimals everywhere follow rounding should',
    'convention decimals done follow that throughout',
    'accepts connections postgres publishing until waits',
  ],
  'accepted plans': ['export invoice pipeline streaming'],
  'reports of subagents': ['already carry currency discounts invoices taxes'],
  'what a short answer answers': ['banker decimals everywhere follow rounding should'],
  'unresolved errors': ['denied fatal permission postgres socket'],
}

test('the finder finds one fact of each kind in a made session, and nothing that was rewound, refused or resolved', () => {
  expect(byKind(factsOf(session()))).toEqual(FOUND)
})

test('a check that failed is told by its command and the line that says why, until it passes', () => {
  const made = new MadeSession()
  made.typed('Run everything before shipping anything tonight')
  const red = 'Exit code 1\n> test\nFAIL src/ledger.test.ts rounding of negative totals'
  made.called('Bash', { command: 'npx vitest run' }, red, { failed: true })
  const failed = byKind(factsOf(made))['results of checks']
  expect(failed).toEqual(['npx vitest run + fail ledger negative rounding src test totals'])
  made.called('Bash', { command: 'npx vitest run' }, 'Tests  4 passed')
  expect(byKind(factsOf(made))['results of checks']).toEqual(['npx vitest run ok pass'])
})

test('tasks are open until they are completed, and an amended commit takes the place of the one before', () => {
  const made = new MadeSession()
  made.typed('Work through these tasks please')
  made.called('TaskCreate', { subject: 'Draft migration' }, 'Task #1 created', {
    copy: { task: { id: '1' } },
  })
  made.called('TaskCreate', { subject: 'Delete columns' }, 'Task #2 created', { copy: { task: { id: '2' } } })
  made.called('TaskUpdate', { taskId: '1', status: 'completed' }, 'Updated task #1')
  made.called('Bash', { command: 'git commit -m x' }, '[main 1111111] Drop unused ledger columns')
  made.called('Bash', { command: 'git commit --amend' }, '[main 2222222] Drop unused ledger columns')
  const found = byKind(factsOf(made))
  expect(found['open tasks']).toEqual(['Delete columns'])
  expect(found.commits).toEqual(['2222222 columns drop ledger unused'])
})

test('the talk goes on behind a compaction, whose text is no request', () => {
  const made = new MadeSession()
  made.typed('Alphabetical sorting confuses everybody using filters')
  made.said('Sorted by relevance.')
  made.backTo('a record that is not there')
  made.record({ type: 'system', subtype: 'compact_boundary' })
  made.record({ type: 'user', isCompactSummary: true, message: { content: 'Summary of things before now' } })
  made.typed('Continue towards pagination improvements afterwards')
  const talk = readTalk(made.jsonl())!
  expect(talk.said.map(({ text }) => text.split(' ')[0])).toEqual(['Alphabetical', 'Sorted', 'Continue'])
  expect(talk.compactions).toEqual([{ text: 'Summary of things before now', said: 2 }])
})

test('seven in ten words within four hundred characters are enough; fewer, or further apart, are not', () => {
  const words = ['amber', 'birch', 'cedar', 'dogwood']
  const fact: Fact = { kind: 'last answers', needles: [{ words }] }
  expect(holds(haystack('Cedar and\nbirch, AMBER'), fact)).toBe(true)
  expect(holds(haystack('cedar and birch, ambers'), fact)).toBe(false)
  expect(holds(haystack(`cedar and birch ${'far '.repeat(100)} amber`), fact)).toBe(false)
  expect(holds(haystack(`cedar ${'far '.repeat(100)} cedar, birch and amber`), fact)).toBe(true)
})

test('what is looked for as it is stands there as a whole word', () => {
  const fact: Fact = { kind: 'files edited', needles: [{ exact: ['data.ts'] }] }
  expect(holds(haystack('in src/data.ts.'), fact)).toBe(true)
  expect(holds(haystack('in metadata.ts and data.tsx'), fact)).toBe(false)
})

test('npm run facts reads a folder, skips what is no transcript, and tells what each way of filling a budget keeps', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cortext-facts-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'made.jsonl'), session().jsonl())
  writeFileSync(join(folder, 'other.jsonl'), '{\n"messages": []\n}\n')
  const program = join(import.meta.dirname, 'facts.mjs')
  const { stdout, stderr } = spawnSync(process.execPath, [program, folder, '--json'], { encoding: 'utf8' })
  expect(stderr).toBe('')
  const { transcripts, skipped, facts, all } = JSON.parse(stdout)
  expect({ transcripts, skipped }).toEqual({ transcripts: 1, skipped: 1 })
  expect(facts).toEqual(
    Object.fromEntries(Object.entries(FOUND).map(([kind, found]) => [kind, found.length])),
  )
  const largest = (method: string): Recall =>
    all.find((one: Recall) => one.method === method && one.budget === 20_000)
  expect(largest('cortext').kinds['first request']).toBe(1)
  // What only a call told is not in the talk.
  expect(largest('tail').kinds).toMatchObject({ 'later requests': 1, commits: 0 })
  expect(largest('tail with tool calls').kinds.commits).toBe(1)
})
