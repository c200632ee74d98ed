import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findExact, findToRead, namedIn } from '../../src/journeys/finding/find.ts'
import { type Listed, listConversations } from '../../src/journeys/finding/list.ts'
import { sourcesOf } from '../../src/journeys/finding/search.ts'
import { SessionFile } from '../../src/session/schema.ts'
import { writeSession } from '../../src/store/record/session-file.ts'
import { openWorkspace } from '../../src/workspace/open.ts'
import { runs, TIME_FOR_RUNS } from '../helpers/long.ts'
import { type Lab, openLab, workspaceLab } from '../helpers/workspace-lab.ts'
import { asking } from './mcp/asking.ts'

function put(lab: Lab, path: string, more: Partial<SessionFile> = {}): void {
  const folder = join(lab.root, path)
  mkdirSync(folder, { recursive: true })
  const facts = {
    conversation_id: path.split('/').at(-1)!,
    conversation_type: 'plan',
    title: 'Any',
    status: 'paused',
  }
  const times = { created_at: '2026-11-21T10:00:00Z', last_active: '2026-11-21T10:00:00Z' }
  writeSession(folder, SessionFile.parse({ ...facts, ...times, ...more }))
}

/** Two clones that have begun on the same days, an import, folders of a person's own, and a loop. */
const ALIKE: Record<string, Partial<SessionFile>> = {
  'conversations/2026-11-21/001-brainstorm-a': { title: '2' },
  'conversations/2026-11-21/001-plan-b': { title: '11-21/1' },
  'conversations/2026-11-21/001-plan': { title: 'saga' },
  'conversations/2026-11-21/002-plan-b': { title: 'saga', archived_at: '2026-11-22T10:00:00Z' },
  'conversations/2026-11-20/001-plan-b': { title: 'saga', status: 'completed' },
  'conversations/2025-11-20/001-plan-b': { title: '001-plan-b' },
  'conversations/2026-11-20/003-chat-loop': { key: '11-20/1' },
  'notes/2026-11-21/005-debug-x': { title: 'One' },
  'conversations/2026-11-21/005-debug-x': { title: 'One' },
  'conversations/mine/Ideas': { title: 'Ideas' },
}

// promise: The name beside a conversation,
test('S1-003d: the name beside a conversation means it alone, in every list, error and client', async () => {
  const lab = await workspaceLab()
  for (const [path, more] of Object.entries(ALIKE)) put(lab, path, more)
  const { conversations } = await lab.json<{ conversations: { id: string; name: string; path: string }[] }>([
    ...['list', '--all', '--json'],
  ])
  expect(conversations).toHaveLength(Object.keys(ALIKE).length)
  const names = Object.fromEntries(conversations.map(({ path, name }) => [path, name]))
  expect(names).toEqual({
    'conversations/2026-11-21/001-brainstorm-a': '11-21/1-brainstorm',
    'conversations/2026-11-21/001-plan-b': '11-21/1-plan-b',
    'conversations/2026-11-21/001-plan': '11-21/1-plan',
    'conversations/2026-11-21/002-plan-b': '2',
    'conversations/2026-11-20/001-plan-b': '2026-11-20/1',
    'conversations/2025-11-20/001-plan-b': '2025-11-20/1',
    'conversations/2026-11-20/003-chat-loop': '3',
    'notes/2026-11-21/005-debug-x': 'notes/2026-11-21/005-debug-x',
    'conversations/2026-11-21/005-debug-x': 'conversations/2026-11-21/005-debug-x',
    'conversations/mine/Ideas': 'Ideas',
  })
  for (const { id, name, path } of conversations)
    for (const typed of [id, name]) {
      expect(await lab.json(['show', typed, '--json'])).toMatchObject({ path, name })
      expect(await lab.json(['edit', typed, '--tag', 'seen', '--json'])).toMatchObject({ path })
    }

  const all = new Set(Object.values(names))
  const firstWords = (text: string) => text.split('\n').map((line) => line.split(' ')[0])
  const tableNames = (text: string) => new Set(firstWords(text).filter((word) => all.has(word!)))
  const inside = { env: { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'b6ed5ba5-9b1c-4a1c-8d4e-9d4bd8d1c3a0' } }
  for (const verb of [
    ['list', '--all'],
    ['agent', 'list', '--all'],
    ['list', '--all', '--long'],
  ])
    expect(tableNames((await lab.cortext(verb, inside)).stdout), verb.join(' ')).toEqual(all)
  const left = ['2', '2026-11-20/1', '3']
  const open = new Set([...all].filter((name) => !left.includes(name)))
  const listed = (await lab.cortext(['agent', 'resume'], inside)).stdout
  expect(new Set([...listed.matchAll(/^(\S+)\. \[/gm)].map(([, name]) => name))).toEqual(open)
  expect(tableNames((await lab.cortext([])).stdout)).toEqual(open)

  const { call } = await asking(lab)
  const answered = await call('list_conversations')
  expect(tableNames(answered)).toEqual(new Set([...all].filter((name) => name !== '2')))

  // Candidates: each can be typed, and the fix is one of them.
  const saga = await lab.cortext(['resume', 'saga', '--dry-run'])
  expect(firstWords(saga.stdout).slice(1, -1)).toEqual(['2', '11-21/1-plan', '2026-11-20/1'])
  expect(saga.stderr).toMatch(/^fix: cortext resume 2$/m)
  const several = await lab.cortext(['delete', '11-21/1', '--yes'])
  expect(several.stderr).toContain('"11-21/1" means 3 conversations:')
  for (const name of ['11-21/1-brainstorm', '11-21/1-plan', '11-21/1-plan-b'])
    expect(several.stderr).toContain(`  ${name} "`)
  expect(await lab.json(['delete', '11-21/1-plan', '--yes', '--json'])).toMatchObject({
    deleted: 'conversations/2026-11-21/001-plan',
  })
})

// promise: It leaves out what is archived, completed, quiet for 30 days or beyond the newest 50, and says
test('a list says in one sentence how many it leaves out, why, and what shows them', async () => {
  const lab = await workspaceLab()
  for (const [path, more] of Object.entries(ALIKE)) put(lab, path, more)
  for (const day of ['01', '02', '03'])
    put(lab, `conversations/2025-01-${day}/001-plan-x`, { last_active: `2025-01-${day}T10:00:00Z` })
  const inside = { env: { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'b6ed5ba5-9b1c-4a1c-8d4e-9d4bd8d1c3a1' } }
  for (const verb of [['list'], [], ['resume'], ['agent', 'list'], ['agent', 'resume']]) {
    const { stdout, stderr } = await lab.cortext(verb, verb[0] === 'agent' ? inside : {})
    const [, sum, reasons] =
      /^(\d+) not shown: (.*)\. All of them: cortext list --all/m.exec(stdout + stderr) ?? []
    // A list shows the conversations of agent loops; what is offered for a resume does not.
    const loops = verb.includes('list') ? [] : ['1 of agent loops']
    expect(sum, verb.join(' ')).toBe(String(5 + loops.length))
    expect(reasons!.split(', ').sort()).toEqual([
      '1 archived',
      '1 completed',
      ...loops,
      '3 quiet for 30 days',
    ])
  }
  expect((await lab.cortext(['list', '--type', 'debug'])).stderr).not.toContain('not shown')
  expect((await lab.cortext(['list', '--all'])).stderr).not.toContain('not shown')
})

// promise: In `--json` the field `name` has it, and `id` a longer one with the words.
test('import --json names each conversation that it made, also where several sessions have one title', async () => {
  const lab = await workspaceLab()
  const files = ['1', '2'].map((digit) => {
    const file = join(lab.home, `${digit}.jsonl`)
    const sessionId = `${digit.repeat(8)}-1111-4111-8111-111111111111`
    const line = { sessionId, cwd: lab.root, timestamp: `2026-03-0${digit}T10:00:00Z`, version: '2.1.0' }
    const lines = [
      {
        ...line,
        type: 'user',
        uuid: 'a',
        parentUuid: null,
        message: { role: 'user', content: 'The same words' },
      },
      {
        ...{ ...line, type: 'assistant', uuid: 'b', parentUuid: 'a' },
        message: { id: 'm', role: 'assistant', model: 'x', content: [{ type: 'text', text: 'Yes.' }] },
      },
    ]
    writeFileSync(file, lines.map((one) => `${JSON.stringify(one)}\n`).join(''))
    return file
  })
  const { imported } = await lab.json<{ imported: { id: string; name: string; path: string }[] }>([
    ...['import', 'claude', '--file', ...files, '--json'],
  ])
  expect(imported.map(({ name }) => name)).toEqual(['03-01/1', '03-02/1'])
  for (const { id, name, path } of imported)
    for (const typed of [id, name]) expect(await lab.json(['show', typed, '--json'])).toMatchObject({ path })
})

const DAYS = ['2026-11-21', '2026-11-20', '2025-11-21', 'old']
const day = fc.constantFrom(DAYS[0]!, ...DAYS)
const above = fc.constantFrom('conversations/', 'conversations/', 'conversations/', 'notes/deep/', '')
const type = fc.constantFrom('plan', 'debug', 'Plan')
const slug = fc.constantFrom('', '-a', '-a-b', '-plan', '-x', '-ä', '-7')
const id = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.constantFrom('001', '002', '0010'), type, slug)
      .map(([n, t, s]) => `${n}-${t}${s}`),
  },
  fc.constantFrom('notes', '7', '001', 'two words'),
)
const drawn = fc.record({
  ...{ above, day, id },
  key: fc.option(fc.constantFrom('1', '11-21/1', '11-21/1-plan', '001-plan', 'conversations'), {
    nil: undefined,
    freq: 8,
  }),
  title: fc.constantFrom('1', '11-21/1', '11-21/1-plan', '001-plan', 'notes', 'Any'),
  state: fc.constantFrom<Partial<SessionFile>>(
    {},
    {},
    { status: 'completed' },
    { archived_at: '2026-11-22T10:00:00Z' },
  ),
})

let world: Lab
beforeAll(async () => {
  world = await openLab()
})
afterAll(() => world.remove())

// promise: The name beside a conversation,
test(
  'law: in a random workspace, from any folder, the name of each conversation finds it alone',
  async () => {
    const ws = openWorkspace(world.environment)
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(drawn, {
          ...{ minLength: 1, maxLength: 10 },
          selector: ({ above, day, id }) => `${above}${day}/${id}`.toLowerCase(),
        }),
        async (some) => {
          for (const folder of ['conversations', 'notes', ...DAYS])
            rmSync(join(world.root, folder), { recursive: true, force: true })
          for (const { above, day, id, key, title, state } of some)
            put(world, `${above}${day}/${id}`, { ...state, title, ...(key === undefined ? {} : { key }) })
          const { conversations } = listConversations(ws)
          expect(conversations).toHaveLength(some.length)
          const searched = new Map(
            (await sourcesOf(ws, { archived: true })).open.map(({ path, names }) => [
              path,
              names.nameOf(path),
            ]),
          )
          for (const { name, ownId, path, folder } of conversations) {
            for (const cwd of [world.root, join(folder, '..'), folder])
              for (const typed of [name, ownId])
                expect(namedIn(typed, conversations, cwd).map((one) => one.path)).toEqual([path])
            expect(searched.get(path)).toBe(name)
          }
          const [{ name, path }] = conversations as [Listed]
          expect(findExact(ws, name).path).toBe(path)
          expect(findToRead(ws, name)).toEqual({ one: expect.objectContaining({ path }) })
        },
      ),
      runs(20, 1000),
    )
  },
  TIME_FOR_RUNS,
)
