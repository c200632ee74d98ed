import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type SearchFilter,
  type SearchResult,
  searchSources,
  sourcesOf,
} from '../../../src/journeys/finding/search.ts'
import { extendIndexes, knownFiles } from '../../../src/journeys/finding/word-index.ts'
import { parseQuery } from '../../../src/search/parse-query.ts'
import { localFiles } from '../../../src/store/layout.ts'
import { forgetWords, openVolumes } from '../../../src/store/machine/indexes/word-index.ts'
import { openWorkspace, type Workspace } from '../../../src/workspace/open.ts'
import { runs, TIME_FOR_RUNS } from '../../helpers/long.ts'
import { type Lab, workspaceLab } from '../../helpers/workspace-lab.ts'

let lab: Lab
let ws: Workspace
beforeEach(async () => {
  lab = await workspaceLab()
  ws = openWorkspace(lab.environment)
  // A file is indexed only when it has been left alone for a while.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

/** What a search finds, with every number that ranks it. */
async function found(query: string, narrowed: SearchFilter, usesIndex: boolean) {
  const { open, archived } = await sourcesOf(ws, { archived: true, ...narrowed })
  const local = join(lab.root, 'nowhere')
  const sources = usesIndex ? open : open.map((one) => ({ ...one, local }))
  const searched = searchSources({ open: sources, archived }, query, narrowed, {})
  return searched && inNumbers(searched)
}

function inNumbers({ found }: SearchResult) {
  return found.map(({ candidate: { path, messages, count, headings }, scores, score, fit, covered }) => ({
    ...{ path, messages, count, headings, scores, score, fit, covered },
  }))
}

async function extend(max: number): Promise<void> {
  const { open } = await sourcesOf(ws, { archived: true, subagents: true })
  extendIndexes(open, new Map(), { min: 0, max })
}

const volumes = () => {
  const { words } = localFiles(ws.local)
  return existsSync(words) ? readdirSync(words).map((name) => join(words, name)) : []
}

const WORDS = [
  ...[
    'commit',
    'committed',
    'planResume',
    'ENT-163',
    'src/search/rank.ts',
    'the',
    'of',
    'error',
    'zebra',
    '2026',
  ],
  ...[
    'naïve',
    'Straße',
    'größer',
    'ﬁle',
    'x²',
    'µm',
    'ａｂ',
    'Москва',
    'Σίσυφος',
    'tiếng',
    '日本語',
    '検索の',
    'ภาษา',
  ],
  ...[
    '—',
    '🙂',
    '“quoted”',
    '\\u00e9t\\u00e9',
    'a'.repeat(135),
    'snake_case_name',
    '#4711',
    'e\u0301',
    '\u001b[2J',
  ],
  ...['line\nzebra', 'tab\terror', 'C:\\new\\zebra', '\\\\nerror', 'zebra zebra ZEBRA Zebras', 'zebraLine'],
]
/** The name of the whole text of results that are cut. */
const WHOLE = 'a'.repeat(64)

const word = fc.constantFrom(...WORDS)
const text = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '))
const asEscapes = (line: string) =>
  line.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

let ids = 0
const nextId = () => {
  ids += 1
  return ids
}
const message = (role: string, content: unknown, more: object = {}) =>
  JSON.stringify({
    id: `m${nextId()}`,
    role,
    content,
    timestamp: `2026-01-0${1 + (ids % 9)}T10:00:00Z`,
    ...more,
  })
const line = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom('user', 'assistant', 'tool'), text)
      .map(([role, said]) => message(role, said)),
  },
  text.map((said) =>
    message('assistant', said, { tool_calls: [{ id: 'c', name: 'Bash', arguments: { command: said } }] }),
  ),
  text.map((said) =>
    message('assistant', [
      { type: 'text', text: said },
      { type: 'text', content: said },
    ]),
  ),
  text.map((said) => message('tool', said, { truncated: { bytes: 10, sha256: WHOLE } })),
  text.map((said) => asEscapes(message('user', said))),
  text.map((said) =>
    JSON.stringify({
      content: said,
      client: 'zebra',
      id: `z${nextId()}`,
      role: 'user',
      timestamp: '2026-01-02T10:00:00Z',
    }),
  ),
  fc.constantFrom(
    '',
    'no JSON: zebra commit',
    '{"content":"zebra',
    `{"id":"q","role":"user","content":"zebra","content":"commit"}`,
  ),
)
const lines = fc.array(line, { minLength: 1, maxLength: 30 })

const at = fc.nat({ max: 3 })
const change = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('write' as const), at, lines, end: fc.constantFrom('\n', '') }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('extend' as const), max: fc.constantFrom(1, 3_000, 1e6) }),
  },
  fc.record({ kind: fc.constant('append' as const), at, lines }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('attach' as const), at, text }) },
  fc.record({ kind: fc.constant('archive' as const), at, lines }),
  fc.record({ kind: fc.constantFrom('remove' as const, 'rename' as const), at }),
  fc.record({ kind: fc.constant('damage' as const), byte: fc.nat(), at }),
  fc.record({
    kind: fc.constantFrom('cut' as const, 'lose' as const, 'of another version' as const),
    byte: fc.constant(0),
    at,
  }),
)
const query = fc.oneof(
  fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')),
  word.map((one) => one.slice(0, 4)),
  word.map((one) => `"${one} error"`),
  fc.constantFrom('comit', 'zebar', '—', 'nothing of this', 'PLANRESUME', 'missing zebra', '検', 'truncated'),
)
const narrowed = fc.constantFrom<SearchFilter>(
  {},
  {},
  {},
  { role: 'user' },
  { since: new Date('2026-01-05') },
  { subagents: true },
)

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

async function apply(one: Change): Promise<void> {
  if (one.kind === 'extend') return extend(one.max)
  const of = volumes()
  const volume = of[one.at % Math.max(of.length, 1)]
  if ('byte' in one) {
    if (volume === undefined) return
    const bytes = readFileSync(volume)
    if (one.kind === 'lose') rmSync(volume)
    else if (one.kind === 'cut') writeFileSync(volume, bytes.subarray(0, bytes.length / 2))
    else if (one.kind === 'of another version') writeFileSync(volume, ofAnotherVersion(bytes))
    else {
      bytes[one.byte % bytes.length]! ^= 1
      writeFileSync(volume, bytes)
    }
    return
  }
  const folder = join(lab.root, 'conversations/2026-01-02', `00${one.at}-plan-x`)
  const record = join(folder, '.session/messages.jsonl')
  if (one.kind === 'write') {
    const session = {
      ...{
        version: '1.0',
        conversation_id: `00${one.at}-plan-x`,
        conversation_type: 'plan',
        title: 'X',
        status: 'paused',
      },
      ...{
        created_at: '2026-01-02T10:00:00Z',
        last_active: '2026-01-09T10:00:00Z',
        message_count: 3,
        context_summary: '',
      },
    }
    file(
      join(folder, '.session/session.json'),
      JSON.stringify({ ...session, agent_config: { client: 'claude' } }),
    )
    file(record, `${one.lines.join('\n')}${one.end}`)
  } else if (!existsSync(record)) return
  else if (one.kind === 'append') appendFileSync(record, `${one.lines.join('\n')}\n`)
  else if (one.kind === 'attach') file(join(folder, '.session/attachments', WHOLE), one.text)
  else if (one.kind === 'archive')
    file(join(folder, '.session/archive/pruned-1.jsonl'), `${one.lines.join('\n')}\n`)
  else if (one.kind === 'remove') rmSync(folder, { recursive: true })
  else if (!existsSync(`${folder}-moved`)) renameSync(folder, `${folder}-moved`)
  // The clock of a file system may have steps of some milliseconds.
  await new Promise((resolve) => setTimeout(resolve, 8))
}

/** The bytes of a volume that another build has written. */
function ofAnotherVersion(volume: Buffer): Buffer {
  const bytes = Buffer.from(volume)
  bytes.write('?', bytes.indexOf('{"format":["') + '{"format":["'.length)
  bytes.writeUInt32LE(crc32(bytes.subarray(4)))
  return bytes
}

function file(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

describe('a search with the index', () => {
  test(
    'finds what a search without it finds, in the same order with the same scores, after any changes',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(change, { minLength: 2, maxLength: 14 }),
          fc.array(fc.tuple(query, narrowed), { minLength: 3, maxLength: 6 }),
          async (changes, queries) => {
            rmSync(join(lab.root, 'conversations'), { recursive: true, force: true })
            rmSync(localFiles(ws.local).words, { recursive: true, force: true })
            for (const one of changes) await apply(one)
            for (const [asked, filter] of queries)
              expect(await found(asked, filter, true), asked).toEqual(await found(asked, filter, false))
          },
        ),
        runs(60, 2000),
      )
    },
    TIME_FOR_RUNS,
  )

  test('leaves the index of another version alone, and replaces it', async () => {
    await apply({ kind: 'write', at: 1, lines: [message('user', 'a zebra near a pear')], end: '\n' })
    await extend(1e6)
    await apply({ kind: 'of another version', byte: 0, at: 0 })
    const before = volumes()
    // What stands in it elsewhere is not read: it may never end.
    expect([...openVolumes(ws.local)]).toEqual([])
    expect(await found('zebra', {}, true)).toEqual(await found('zebra', {}, false))
    expect(volumes()).toEqual(before)
    await extend(1e6)
    expect(volumes()).toHaveLength(1)
    expect(volumes()).not.toEqual(before)
  })

  test('reads only the lines that the index does not count: with a phrase, a call, or a filter', async () => {
    await apply({
      kind: 'write',
      at: 1,
      lines: [
        message('user', 'a zebra'),
        message('user', 'a pear'),
        message('user', 'a zebra near a pear'),
        message('assistant', 'called', {
          tool_calls: [{ id: 'c', name: 'Bash', arguments: { a: 'zebra' } }],
        }),
      ],
      end: '\n',
    })
    await extend(1e6)
    const { open } = await sourcesOf(ws, {})
    const read = (text: string, reads = false) =>
      [...knownFiles(open, parseQuery(text)!, reads).values()].flatMap(({ asked }) =>
        asked.map(({ number, counts }) => `${number}${counts === undefined ? ' is read' : ''}`),
      )
    expect(read('zebra')).toEqual(['0', '2', '3 is read'])
    expect(read('pear', true)).toEqual(['1 is read', '2 is read'])
    expect(read('nothing')).toEqual([])
    expect((await found('zebra pear', {}, true))![0]).toMatchObject({
      count: 4,
      messages: { lines: [0, 1, 2, 3] },
    })
  })

  test('has no byte of a conversation that was deleted, also if it had another name when it was indexed', async () => {
    await apply({ kind: 'write', at: 1, lines: [message('user', 'a zebra')], end: '\n' })
    await apply({ kind: 'write', at: 2, lines: [message('user', 'a pear')], end: '\n' })
    await extend(1)
    await extend(1)
    expect(volumes()).toHaveLength(2)
    await apply({ kind: 'rename', at: 1 })
    forgetWords(ws.local, 'conversations/2026-01-02/001-plan-x-moved')
    expect(
      volumes()
        .map((path) => readFileSync(path, 'latin1'))
        .join(),
    ).not.toContain('zebra')
    expect(volumes()).toHaveLength(1)
  })

  // promise: `delete` and `redact` remove the words of the conversation from it.
  // promise: is beside the raw copy, readable by you only, where a workspace is large
  test('has no word of what the person deletes or redacts, and is readable by them only', async () => {
    const secret = `AKIA${'Q3ZX7LPD5MVNKR2T'}`
    await apply({ kind: 'write', at: 1, lines: [message('user', `the key ${secret}`)], end: '\n' })
    await apply({ kind: 'write', at: 2, lines: [message('user', 'an okapi')], end: '\n' })
    const words = () =>
      volumes()
        .map((path) => readFileSync(path, 'latin1'))
        .join()
    await extend(1e6)
    expect(words()).toContain(secret)
    for (const path of volumes()) expect(statSync(path).mode & 0o777).toBe(0o600)
    await lab.json(['redact', '001-plan-x', '--apply', '--json'])
    expect(words()).not.toContain(secret)
    await extend(1e6)
    expect(words()).toContain('okapi')
    await lab.json(['delete', '002-plan-x', '--yes', '--json'])
    expect(words()).not.toContain('okapi')
  })
})
