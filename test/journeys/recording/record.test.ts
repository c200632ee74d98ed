import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commandHash } from '../../../src/workspace/pack/commands.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { filesBelow, type Lab, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

/** A conversation of three turns, one with a tool, stopped in the client as a person would. */
async function held(options: Parameters<typeof workspaceLab>[0] = {}) {
  const lab = await workspaceLab(options)
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API Design Discussion')
  await claude.turn('we need to be simple', 'Then REST.')
  claude.user('look at the file')
  claude.assistant(
    [{ type: 'tool_use', id: 'toolu_x', name: 'Read', input: { file_path: '/a' } }],
    'tool_use',
  )
  claude.user([{ type: 'tool_result', tool_use_id: 'toolu_x', content: 'line\n"quoted" \u0007 é 🎈\r\nend' }])
  claude.assistant([{ type: 'text', text: 'Seen.' }])
  await claude.hook('Stop')
  const [found] = (await lab.json<{ conversations: { path: string; id: string }[] }>(['list', '--json']))
    .conversations
  const { path, id } = found!
  const folder = join(lab.root, path)
  return { lab, claude, path, id, folder }
}

const stop = (lab: Lab, claude: ClaudeSession) =>
  claude.command('workspace.stop-conversation', '', () =>
    lab.cortext(['stop', '--summary-stdin'], { env: claude.env, input: 'Leaning toward REST.\n' }),
  )

const read = (folder: string) => JSON.parse(readFileSync(join(folder, '.session/session.json'), 'utf8'))
const lines = (folder: string) =>
  readFileSync(join(folder, '.session/messages.jsonl'), 'utf8').trimEnd().split('\n')

describe('where the record lies', () => {
  test('CARD-4, S0-D1a–f, S1-001b, S1-001i, S1-001k, S2-1, X-2, X-35: beside the document, below the day', async () => {
    const { lab, claude, path, folder } = await held()
    await stop(lab, claude)
    expect(path).toMatch(/^conversations\/\d{4}-\d{2}-\d{2}\/001-brainstorm-api-design-discussion$/)
    expect(readdirSync(folder).sort()).toEqual(['.session', 'brainstorm.md'])
    expect(readdirSync(join(folder, '.session')).sort()).toEqual(['messages.jsonl', 'session.json'])
    expect(filesBelow(lab.home)).not.toHaveProperty('.cortext')
    expect(readFileSync(join(folder, 'brainstorm.md'), 'utf8')).toContain('# API Design Discussion')
  })

  test('X-2, S0-D1i: a conversation is found wherever its .session/ lies, without any central list', async () => {
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
  test('S0-D2a–h, S1-001h, S4-P1-10, S4-DS-3, S0-R4a, S0-G4, X-9, X-10, X-32, E-8: one JSON object a line, with role, content and time', async () => {
    const { lab, claude, folder } = await held()
    await stop(lab, claude)
    const messages = lines(folder).map((line) => JSON.parse(line))
    for (const message of messages) {
      expect(message).toMatchObject({
        id: expect.any(String),
        role: expect.stringMatching(/^(user|assistant|tool|system)$/),
      })
      expect(typeof message.content === 'string' || Array.isArray(message.content)).toBe(true)
      expect(message.timestamp).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/)
    }
    const said = messages.filter(
      (one) => one.event === undefined && (one.role === 'user' || one.role === 'assistant'),
    )
    expect(read(folder).message_count).toBe(said.length)
    expect(messages.find((one) => one.role === 'tool').content).toBe('line\n"quoted" \u0007 é 🎈\r\nend')
  })

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

  test('S0-D6g, X-3, S0-G4: git sees nothing while people talk, and one appended line a message at a save', async () => {
    const { lab, claude, path, id } = await held()
    lab.git('add', '--all')
    lab.git('commit', '--quiet', '--message=all')
    await claude.turn('quietly')
    expect(lab.git('status', '--porcelain')).toBe('')
    await lab.cortext(['save', id])
    lab.git('add', '--all')
    lab.git('commit', '--quiet', '--message=saved')
    await claude.turn('once more')
    await lab.cortext(['save', id])
    const [changed] = lab.git('diff', '--numstat', '--', `${path}/.session/messages.jsonl`).split('\n')
    expect(changed).toMatch(/^2\t0\t/)
  })
})

describe('session.json', () => {
  test('CARD-3, S0-M1, S0-D3a–p, S1-001c–g, S2-2, S2-4, S2-9, S0-R2b, Q-13, S3-P5: every fact is there and is real', async () => {
    const { lab, claude, id, folder } = await held()
    await stop(lab, claude)
    const session = read(folder)
    const command = readFileSync(join(lab.root, '.workspace/commands/workspace.brainstorm.md'), 'utf8')
    expect(session).toMatchObject({
      version: '1.0',
      conversation_id: id,
      conversation_type: 'brainstorm',
      title: 'API Design Discussion',
      status: 'paused',
      context_summary: 'Leaning toward REST.',
      agent_config: {
        client: 'claude',
        command: '/workspace.brainstorm',
        system_prompt_hash: commandHash(command),
        model: 'claude-x',
        tools: [],
      },
      agent_sessions: [{ client: 'claude', native_id: claude.id }],
    })
    expect(session.message_count).toBe(7)
    expect(session.token_count).toBeGreaterThan(0)
    expect(Date.parse(session.last_active)).toBeGreaterThanOrEqual(Date.parse(session.created_at))
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

  test('S0-D3f: last_active moves on with what is said', async () => {
    const { lab, claude, id, folder } = await held()
    await lab.cortext(['save', id])
    const before = read(folder).last_active
    await new Promise((done) => setTimeout(done, 30))
    await claude.turn('later')
    const record = JSON.parse(readFileSync(claude.transcript, 'utf8').trimEnd().split('\n').at(-2)!)
    const said = { role: 'user', content: 'and later' }
    const timestamp = new Date(Date.now() + 1000).toISOString()
    appendFileSync(
      claude.transcript,
      `${JSON.stringify({ ...record, uuid: 'later', message: said, timestamp })}\n`,
    )
    await lab.cortext(['save', id])
    expect(Date.parse(read(folder).last_active)).toBeGreaterThan(Date.parse(before))
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

describe('with and without a session', () => {
  test('S0-RB1, S0-RB2, S2-14: without .session/ the conversation is a folder with a document, and every verb works', async () => {
    const { lab, claude, folder, id } = await held()
    await stop(lab, claude)
    rmSync(join(folder, '.session'), { recursive: true })
    rmSync(join(lab.root, '.git/cortext'), { recursive: true })
    expect(existsSync(join(folder, 'brainstorm.md'))).toBe(true)
    for (const args of [['list'], ['resume', '--list'], ['search', 'REST'], ['init']])
      expect((await lab.cortext(args)).code).toBe(0)
    const gone = await lab.cortext(['show', id])
    expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining('fix: ')])
  })

  test('S3-P1, S4-0-1, S4-P5-1, S4-P5-2, S4-P5-11, S3-C2, S3-C3, S2-8: what was said is there after the machine stopped, with no save by anybody', async () => {
    const { lab, id } = await held()
    expect(talk(await shown(lab, id))).toEqual([
      'user: /workspace.brainstorm API Design Discussion',
      'assistant: answer to /workspace.brainstorm API Design Discussion',
      'user: we need to be simple',
      'assistant: Then REST.',
      'user: look at the file',
      'assistant: ',
      'assistant: Seen.',
    ])
  })

  test('S3-P2: two sessions at once never share a conversation', async () => {
    const { lab, claude, id } = await held()
    const other = new ClaudeSession(lab)
    await other.command('workspace.debug', 'Token expiry')
    await Promise.all([claude.turn('for the first'), other.turn('for the second')])
    expect(talk(await shown(lab, id)).join()).not.toContain('for the second')
    expect(talk(await shown(lab, '002')).join()).not.toContain('for the first')
  })

  test('S0-C2, X-22, X-27, S0-NG4: the client’s own files are read, never written, and nothing is run again', async () => {
    const { lab, id } = await held()
    const before = filesBelow(join(lab.home, '.claude'))
    for (const args of [
      ['save', id],
      ['show', id, '--messages'],
      ['resume', id, '--print'],
      ['resume', id, '--dry-run'],
      ['export', id],
    ])
      await lab.cortext(args)
    expect(filesBelow(join(lab.home, '.claude'))).toEqual(before)
  })
})
