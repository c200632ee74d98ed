import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commandHash } from '../../../src/workspace/pack/commands.ts'
import { inPackage } from '../../helpers/ejected.ts'
import { filesBelow, openLab, shown, talk } from '../../helpers/workspace-lab.ts'
import { held, lines, read, stop } from './held.ts'

/** A stopped one for several tests that only look. */
function heldForAll() {
  const shared = {} as Awaited<ReturnType<typeof held>>
  beforeAll(async () => {
    Object.assign(shared, await held({}, openLab))
    await stop(shared.lab, shared.claude)
  })
  afterAll(() => shared.lab.remove())
  return shared
}

describe('the place of the record', () => {
  const shared = heldForAll()

  // promise: A conversation is a folder with a document and `.session/`.
  // promise: documents and `.session/`
  test('CARD-4, S0-D1a–c, S1-001k, S2-1, X-2, X-35: is next to the document, below the day, and nowhere else', () => {
    const { lab, path, folder } = shared
    expect(path).toMatch(/^conversations\/\d{4}-\d{2}-\d{2}\/001-brainstorm-api-design-discussion$/)
    expect(readdirSync(folder).sort()).toEqual(['.session', 'brainstorm.md'])
    // The lists of workspaces hold where they lie, and no word of what was said in them.
    const {
      '.local/state/cortext/workspaces': list,
      '.local/state/cortext/everywhere': everywhere,
      ...inHome
    } = filesBelow(lab.home)
    expect(everywhere).toBe(`${JSON.stringify(lab.root)}\n`)
    expect(list).toBe(`${JSON.stringify(['git', join(lab.root, '.git/cortext')])}\n`)
    expect(Object.keys(inHome).filter((name) => !name.startsWith('.claude/projects/'))).toEqual([])
    expect(readFileSync(join(folder, 'brainstorm.md'), 'utf8')).toContain('# API Design Discussion')
  })

  test('S0-D1d–f, S1-001b, S1-001i: is a folder that ls hides, with the facts in one file and the talk in another', () => {
    const { folder } = shared
    expect(readdirSync(join(folder, '.session')).sort()).toEqual(['messages.jsonl', 'session.json'])
    expect(read(folder)).toHaveProperty('agent_config')
    expect(lines(folder).join()).toContain('we need to be simple')
    expect(execFileSync('ls', [folder], { encoding: 'utf8' })).toBe('brainstorm.md\n')
  })

  test('S0-NG2: another workspace of the same person knows nothing of it', async () => {
    const { lab, id } = shared
    const cwd = join(dirname(lab.root), 'another')
    mkdirSync(cwd)
    expect((await lab.cortext(['init', '--shared'], { cwd })).code).toBe(0)
    expect(await lab.json(['list', '--all', '--json'], { cwd })).toMatchObject({ conversations: [] })
    const found = async (options = {}) => (await lab.cortext(['search', 'simple', '--json'], options)).stdout
    expect(await found({ cwd })).not.toContain(id)
    expect((await lab.cortext(['show', id], { cwd })).code).toBe(1)
    expect(await found()).toContain(id)
  })

  test('X-2, S0-D1i: is found wherever the .session/ of a conversation is, without any central list', async () => {
    const { lab, claude, path } = await held()
    await stop(lab, claude)
    lab.git('mv', path, 'elsewhere')
    rmSync(join(lab.root, '.git/cortext'), { recursive: true })
    const { conversations } = await lab.json<{ conversations: { path: string }[] }>(['list', '--json'])
    expect(conversations.map((one) => one.path)).toEqual(['elsewhere'])
  })

  test('X-1, S0-RB3: the index is a cache: without it everything is listed and shown the same', async () => {
    const { lab, claude, id } = await held()
    await stop(lab, claude)
    const before = await lab.json(['list', '--json'])
    const said = await shown(lab, id)
    for (const name of ['index.json', 'binding-index.json'])
      rmSync(join(lab.root, '.git/cortext', name), { force: true })
    expect(await lab.json(['list', '--json'])).toEqual(before)
    expect(await shown(lab, id)).toEqual(said)
  })

  // promise: Messages are stored in plain text.
  // promise: There is no encryption
  test('S0-D1j, S0-D1k, S0-D2i, S0-C3, S3-W3: plain UTF-8 lines; nothing said is in the document, no instructions in the record', async () => {
    const { lab, claude, folder } = await held()
    await stop(lab, claude)
    expect(readFileSync(join(folder, 'brainstorm.md'), 'utf8')).not.toContain('we need to be simple')
    for (const file of Object.values(filesBelow(folder)))
      expect(Buffer.from(file, 'latin1').toString('utf8')).not.toContain('\ufffd')
    expect(lines(folder).join('\n')).not.toContain('instructions of workspace')
  })
})

describe('messages.jsonl', () => {
  const shared = heldForAll()

  // promise: that both go on
  // promise: Nothing but a JSON parser
  test('S0-D2a, S0-D2f, S0-D2h, S0-R4a, S0-G4, S1-001h, X-10, X-32: one JSON object a line, with role, content and time', () => {
    const messages = lines(shared.folder).map((line) => JSON.parse(line))
    const roles = new Set(messages.map(({ role }) => role))
    expect([...roles].sort()).toEqual(['assistant', 'system', 'tool', 'user'])
    for (const message of messages) {
      expect(message).toMatchObject({ id: expect.any(String), timestamp: expect.any(String) })
      expect(typeof message.content === 'string' || Array.isArray(message.content)).toBe(true)
      expect(message).not.toHaveProperty('version')
    }
    expect(read(shared.folder).version).toBe('1.0')
  })

  test('S0-D2b, S0-D2e, S0-D2g, S4-P1-10, S4-P1-11, S4-DS-3, X-9, E-8: every field is as it was said, and all are counted', () => {
    const messages = lines(shared.folder).map((line) => JSON.parse(line))
    for (const { timestamp } of messages)
      expect(timestamp).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/)
    const said = messages.filter(
      (one) => one.event === undefined && (one.role === 'user' || one.role === 'assistant'),
    )
    expect(read(shared.folder).message_count).toBe(said.length)
    expect(messages.find((one) => one.role === 'tool')).toMatchObject({
      content: 'line\n"quoted" \u0007 é 🎈\r\nend',
      tool_call_id: 'toolu_x',
      tool_name: 'Read',
    })
    expect(messages.find((one) => one.tool_calls !== undefined)).toMatchObject({
      seq: expect.any(Number),
      model: 'claude-x',
      tool_calls: [{ id: 'toolu_x', name: 'Read', arguments: { file_path: '/a' } }],
    })
  })

  // promise: The record is the client's
  // promise: `.session/` is written after every turn
  test('S0-D2c, S0-D2d, X-3: with publish "turn" every turn is a line at once, and earlier bytes never change', async () => {
    const { lab, claude, folder } = await held()
    writeFileSync(
      join(lab.root, '.workspace/config.json'),
      '{"visibility":"shared","capture":{"publish":"turn"}}',
    )
    let before = ''
    for (const words of ['one', 'two', 'three']) {
      await claude.turn(words)
      await claude.hook('Stop')
      const now = readFileSync(join(folder, '.session/messages.jsonl'), 'utf8')
      expect(now.startsWith(before)).toBe(true)
      expect(now).toContain(`"content":"${words}"`)
      before = now
    }
  })

  // promise: What was said comes into `.session/` when you stop, together with its commit, or when you save
  // promise: saves, and goes on
  test('S0-D6g, X-3, S0-G4: git sees nothing while people talk, and one appended line a message at a save', async () => {
    const { lab, claude, path, id } = await held()
    lab.git('add', '--all')
    lab.git('commit', '--quiet', '--message=all')
    const head = lab.git('rev-parse', 'HEAD')
    for (const words of ['quietly', 'and quietly', 'still']) {
      await claude.turn(words)
      expect(lab.git('status', '--porcelain', '--untracked-files=all')).toBe('')
      expect(lab.git('rev-parse', 'HEAD')).toBe(head)
    }
    await lab.cortext(['save', id])
    lab.git('add', '--all')
    lab.git('commit', '--quiet', '--message=saved')
    await claude.turn('once more')
    await lab.cortext(['save', id])
    const [changed] = lab.git('diff', '--numstat', '--', `${path}/.session/messages.jsonl`).split('\n')
    expect(changed).toMatch(/^2\t0\t/)
  })
})

describe('session.json: every fact is there and is real', () => {
  const shared = heldForAll()

  test('CARD-3, S0-M1, S0-D3a–c, S0-D3e, S0-D3g, S0-D3n: which conversation it is', () => {
    const session = read(shared.folder)
    expect(session).toMatchObject({
      version: '1.0',
      conversation_id: shared.id,
      conversation_type: 'brainstorm',
      title: 'API Design Discussion',
      message_count: 7,
    })
    expect(session.created_at).toBe(new Date(session.created_at).toISOString())
    expect(Object.keys(session).slice(0, 8)).toEqual([
      'version',
      'conversation_id',
      'conversation_type',
      'title',
      'status',
      'created_at',
      'last_active',
      'message_count',
    ])
  })

  test('S0-D3d, S0-D3l, S0-D3p, S0-R2b, S1-001c, S4-P1-7, S4-DS-2: how far it came', () => {
    const session = read(shared.folder)
    expect(session).toMatchObject({
      status: 'paused',
      context_summary: 'Leaning toward REST.',
      message_count: 7,
    })
    expect(session.token_count).toBeGreaterThan(0)
    expect(Date.parse(session.last_active)).toBeGreaterThanOrEqual(Date.parse(session.created_at))
  })

  test('S0-D3h–k, S1-001d–f, S2-2: by which command, of which version, with which model and tools', () => {
    const file = inPackage('commands/workspace.brainstorm.md')
    expect(read(shared.folder).agent_config).toMatchObject({
      command: '/workspace.brainstorm',
      system_prompt_hash: commandHash(readFileSync(file, 'utf8')),
      model: 'claude-x',
      tools: [],
    })
  })

  test('S0-D3m, S0-D3o, S2-4, Q-13, S3-P5: in which client, and the session in which it continues', () => {
    const { agent_config, agent_sessions } = read(shared.folder)
    expect(agent_config.client).toBe('claude')
    expect(agent_sessions).toMatchObject([{ client: 'claude', native_id: shared.claude.id }])
  })

  test('S0-D3f: last_active is when the newest message was said, and a save of nothing new leaves it', async () => {
    const { lab, claude, id, folder } = await held()
    const active = async () => {
      await lab.cortext(['save', id])
      return read(folder).last_active
    }
    await active()
    for (const seconds of [60, 120]) {
      const timestamp = new Date(Date.now() + seconds * 1000).toISOString()
      claude.user(`in ${seconds} seconds`, { timestamp })
      claude.assistant([{ type: 'text', text: 'Yes.' }], 'end_turn')
      await claude.hook('Stop')
      expect(await active()).toBe(timestamp)
      expect(await active()).toBe(timestamp)
    }
  })

  test('S0-D3m, S0-RB3, S4-MG-1, X-8: an older file with few keys is read, and unknown keys survive a rewrite', async () => {
    const { lab, folder, id } = await held()
    const old = {
      version: 1,
      conversation_id: id,
      conversation_type: 'brainstorm',
      created_at: '2025-11-22T10:30:00Z',
      last_active: '2999-11-22T10:30:00Z',
      mine: { a: 1 },
    }
    writeFileSync(join(folder, '.session/session.json'), JSON.stringify(old))
    expect((await lab.cortext(['save', id])).code).toBe(0)
    expect(read(folder)).toMatchObject({ mine: { a: 1 }, version: '1.0', message_count: 7 })
  })

  test('S4-MG-2, S4-DS-6: a newer version is listed and read, never written', async () => {
    const { lab, claude, folder, id } = await held()
    await stop(lab, claude)
    const newer = JSON.stringify({ ...read(folder), version: '2.0', title: 'From the future' })
    writeFileSync(join(folder, '.session/session.json'), newer)
    expect((await lab.cortext(['list', '--all'])).stdout).toContain('From the future')
    expect(talk(await shown(lab, id))).toContain('user: we need to be simple')
    const save = await lab.cortext(['save', id])
    expect(save.code).toBe(1)
    expect(save.stderr).toMatch(/newer version.*\n?fix: /s)
    expect(readFileSync(join(folder, '.session/session.json'), 'utf8')).toBe(newer)
  })
})
