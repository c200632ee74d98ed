import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { publish } from '../../src/conversation/publish.ts'
import type { Published } from '../../src/conversation/publishing/write.ts'
import { readConversation } from '../../src/conversation/read.ts'
import { importSession } from '../../src/journeys/importing/import.ts'
import { sessionInFile } from '../../src/journeys/importing/named-file.ts'
import { openWorkspace, type Workspace } from '../../src/workspace/open.ts'
import { type Fixture, fixturesOf } from '../clients/fixtures.ts'
import { LONG } from '../helpers/long.ts'
import { workspaceLab } from '../helpers/workspace-lab.ts'
import { PATH, put, unpublished } from './unpublished.ts'

/** A conversation with one session, of which nothing is published yet. */
async function recorded(
  client: string,
  { raw }: Fixture,
  how: 'start' | 'import',
  title: string,
): Promise<Workspace> {
  const { nativeId, bytes, sideFiles, readSideFile } = raw
  const ws = await unpublished(client, nativeId, {
    ...{ title, how, ...(how === 'import' && { to: bytes.length }) },
  })
  const journal = join(ws.local, 'journal', client, nativeId)
  put(`${journal}.jsonl`, bytes)
  for (const path of sideFiles) put(join(`${journal}.d`, path), readSideFile(path) ?? '')
  return ws
}

/** Every file of the record, by its path. */
function recordOf(ws: Workspace, path = PATH): Record<string, string> {
  const folder = join(ws.root, path)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort()
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, path), 'latin1')]))
}

/** What a save and an import say of what was read. */
function accountOf({ appended, contents, session: { message_count } }: Published) {
  return {
    appended,
    message_count,
    contents: contents.map(({ report, redacted, taken, settled }) => ({ report, redacted, taken, settled })),
  }
}

const FIXTURES = ['claude', 'codex', 'gemini', 'opencode'].flatMap((client) =>
  [...fixturesOf(client), ...(client === 'claude' ? [withSubagents()] : [])].map((fixture) => ({
    ...{ client, fixture, name: `${client} ${fixture.name}` },
  })),
)

/** Turns with a subagent each, whose talk is in the session's own file, as older versions of Claude Code wrote it. */
function withSubagents(): Fixture {
  const nativeId = '44444444-2222-4333-8444-555555555555'
  const lines: object[] = []
  const add = (type: string, uuid: string, fields: object) => {
    const time = new Date(Date.UTC(2025, 0, 1) + lines.length * 1000).toISOString()
    const parentUuid = (lines.at(-1) as { uuid?: string } | undefined)?.uuid ?? null
    const common = {
      uuid,
      parentUuid,
      timestamp: time,
      isSidechain: false,
      userType: 'external',
      cwd: '/work',
    }
    lines.push({ type, ...common, sessionId: nativeId, version: '2.1.39', ...fields })
  }
  const message = (id: string, content: object[]) => ({
    message: { id, type: 'message', role: 'assistant', model: 'claude-x', content, stop_reason: 'end_turn' },
  })
  for (let n = 0; n < 24; n += 1) {
    add('user', `u${n}`, { message: { role: 'user', content: `Prompt ${n}. ${'words '.repeat(30)}` } })
    const input = { description: 'look', prompt: `Look around, ${n}`, subagent_type: 'Explore' }
    add('assistant', `a${n}`, message(`m${n}`, [{ type: 'tool_use', id: `t${n}`, name: 'Task', input }]))
    for (const [part, role] of ['user', 'assistant'].entries())
      add('progress', `p${n}-${part}`, {
        data: {
          ...{ type: 'agent_progress', agentId: `agent${n}`, prompt: input.prompt },
          message: {
            ...{ type: role, uuid: `s${n}-${part}`, timestamp: '2025-01-01T00:00:00.000Z' },
            message: { id: `sm${n}`, role, content: [{ type: 'text', text: `Subagent ${n}, ${part}` }] },
          },
        },
        ...{ parentToolUseID: `t${n}`, toolUseID: `agent_msg_${n}` },
      })
    const result = { type: 'tool_result', tool_use_id: `t${n}`, content: `Found ${n}` }
    add('user', `r${n}`, { message: { role: 'user', content: [result] } })
    add('assistant', `b${n}`, message(`n${n}`, [{ type: 'text', text: `Answer ${n}` }]))
  }
  const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return {
    name: 'made, with subagents',
    raw: { nativeId, bytes, sideFiles: [], readSideFile: () => undefined },
  }
}

const PARTS = Array.from({ length: 60 }, (_, index) => index + 2)

/** The fixtures that were never read as a whole. */
const inPieces = new Set<string>()

test.each(FIXTURES)(
  'published in pieces of any size, the record and the account are the same: $name',
  async ({ client, fixture, name }) => {
    for (const [how, title] of [
      ['start', 'Untitled'],
      ['import', 'Growing'],
    ] as const) {
      const whole = await recorded(client, fixture, how, title)
      const account = accountOf(await publish(whole, PATH))
      for (const part of LONG ? PARTS : [40, 12, 3]) {
        const ws = await recorded(client, fixture, how, title)
        const pieceBytes = Math.max(300, Math.floor(fixture.raw.bytes.length / part))
        const published = await publish(ws, PATH, { pieceBytes })
        if (published.contents.every(({ stamp }) => stamp === undefined)) inPieces.add(name)
        expect(recordOf(ws), `${how}, a ${part}th`).toEqual(recordOf(whole))
        expect(accountOf(published), `${how}, a ${part}th`).toEqual(account)
        expect(readConversation(ws, PATH).plan.append).toEqual([])
      }
    }
  },
)

test.each(FIXTURES.filter(({ client }) => client === 'claude'))(
  'imported in pieces of any size, the record and the account are the same: $name',
  async ({ client, fixture: { raw } }) => {
    const { home } = await workspaceLab({ git: 'none' })
    const file = join(home, 'aside', `${raw.nativeId}.jsonl`)
    put(file, raw.bytes)
    for (const path of raw.sideFiles)
      put(join(home, 'aside', raw.nativeId, path), raw.readSideFile(path) ?? '')
    const imported = async (pieceBytes?: number) => {
      const lab = await workspaceLab({ git: 'none' })
      const now = () => new Date('2026-11-20T10:00:00Z')
      const ws = openWorkspace({ ...lab.environment, now })
      const session = sessionInFile(client, file)
      const done = await importSession(ws, session, { type: 'brainstorm', pieceBytes }).catch((error) => {
        if (error.code !== 'refused') throw error
      })
      return done && { path: done.path, record: recordOf(ws, done.path), account: accountOf(done) }
    }
    const whole = await imported()
    for (const part of LONG ? PARTS : [40, 7])
      expect(await imported(Math.max(300, Math.floor(raw.bytes.length / part))), `a ${part}th`).toEqual(whole)
  },
)

// promise: A long transcript of Claude Code is saved and imported four megabytes at a time.
test('long talks were published in pieces', () => {
  const names = [
    ...['2.1.197/recorded', '2.1.330/recorded', 'headless-main-1111', 'made, with subagents'],
    'tui-before-rewind',
  ]
  expect([...inPieces].sort()).toEqual(names.map((name) => `claude ${name}`))
})
