import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { type Lab, openLab, saved, sessionFile, workspaceLab } from '../helpers/workspace-lab.ts'

describe('with four conversations', () => {
  let lab: Lab
  beforeAll(async () => {
    lab = await openLab()
    for (const [type, title] of [
      ['brainstorm', 'API Design'],
      ['plan', 'Release plan'],
      ['debug', 'Slow queries in the API gateway'],
    ] as const)
      await lab.json(['start', type, title, '--json'])
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.learn', 'Rust lifetimes')
    await claude.turn('what about the borrow checker and zebras?')
    await lab.json(['stop', '004', '--json'])
    await lab.json(['edit', '002', '--summary', 'Ship on a Tuesday, never before holidays', '--json'])
  })
  afterAll(() => lab.remove())

  test.each([
    ['S1-004a S1-004e S2-5 an id', ['001-brainstorm-api-design'], 'API Design'],
    ['S0-D4g E-5 a title with a typing error', ['api desing'], 'API Design'],
    ['S1-004d words of a title', ['release', 'plan'], 'Release plan'],
    ['S1-004d words of a summary', ['tuesday', 'holidays'], 'Release plan'],
    ['X-17 the number', ['2'], 'Release plan'],
    ['X-17 the number as it is written', ['002'], 'Release plan'],
    ['E-13 words that were said', ['zebras'], 'Rust lifetimes'],
  ])('%s finds it', async (_, words, title) => {
    const { code, stdout, stderr } = await lab.cortext(['resume', ...words, '--print'])
    expect(code, stderr).toBe(0)
    expect(stdout).toContain('[RESUMED CONVERSATION]')
    expect(stdout).toMatch(new RegExp(`^Conversation: \\w+ / ${title}$`, 'm'))
  })

  test('S1-004f E-27 several matches without a terminal: a list on stdout, exit 1, and a fix', async () => {
    const { code, stdout, stderr } = await lab.cortext(['resume', 'api', '--print'])
    expect(code).toBe(1)
    const names = stdout.split('\n').map((line) => line.split(' ')[0])
    expect(names).toEqual(['ID', '3', '1', ''])
    expect(stderr).toMatch(/^error: 2 conversations to choose from\nfix: cortext resume 3$/m)
  })

  test('S1-004g no match: the nearest are suggested, exit 1', async () => {
    const run = await lab.cortext(['resume', 'relaese xyzzyplan', '--print'])
    expect(run).toMatchObject({ code: 1, stdout: '' })
    expect(run.stderr).toMatch(/^error: no conversation matches "relaese xyzzyplan"/)
    expect(run.stderr).toMatch(
      /^the nearest:\n {2}2 "Release plan" \(\d{4}-\d\d-\d\d\)\nfix: cortext resume --list$/m,
    )
    expect(await lab.cortext(['resume', 'qqqqqqqq', '--print'])).toMatchObject({ code: 1, stdout: '' })
  })

  test('E-1 they are found from any folder below the workspace', async () => {
    const deep = join(lab.root, 'src', 'deep', 'er')
    mkdirSync(deep, { recursive: true })
    for (const cwd of [deep, join(lab.root, '.workspace'), join(lab.root, 'conversations')])
      expect((await lab.cortext(['resume', '001', '--print'], { cwd })).stdout).toContain('API Design')
  })

  // promise: Every verb that reads has
  test.each([
    [['list', '--all']],
    [['resume', '--list']],
    [['show', '004']],
    [['show', '004', '--messages']],
    [['search', 'zebras']],
    [['resume', '004', '--print']],
    [['resume', '004', '--dry-run']],
    [[]],
  ])('E-27 S0-ST1 %j --json is one document on stdout and nothing else', async (args) => {
    const { code, stdout, stderr } = await lab.cortext([...args, '--json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual(expect.any(Object))
  })

  test('export --format json is one document', async () => {
    const { stdout, stderr } = await lab.cortext(['export', '004', '--format', 'json'])
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toMatchObject({ session: { title: 'Rust lifetimes' } })
  })

  // promise: Exit codes: 0 done, 1
  test.each([
    ['not-found', 1, ['show', 'qqqqqqqq']],
    ['not-found', 1, ['resume', 'qqqqqqqq', '--print']],
    ['ambiguous', 1, ['show', 'api']],
    ['refused', 1, ['delete', '004']],
    ['usage', 2, ['list', '--status', 'sleeping']],
    ['usage', 2, ['list', '--since', 'someday']],
    ['usage', 2, ['list', '--since', '7']],
    ['not-found', 1, ['show', '004', '--at', 'x']],
    ['usage', 2, ['edit', '004']],
    ['usage', 2, ['edit', '004', '--tag', ' ']],
    ['usage', 2, ['resume', '004', '--budget', 'much']],
  ])('E-27 error %s: exit %i, {error: {code, message, fix}} alone on stdout', async (code, exit, args) => {
    const run = await lab.cortext([...args, '--json'])
    expect(run).toMatchObject({ code: exit, stderr: '' })
    const { error, ...rest } = JSON.parse(run.stdout)
    expect(error).toEqual({ code, message: expect.any(String), fix: expect.any(String) })
    expect(rest).toEqual({})
    const plain = await lab.cortext(args)
    expect(plain.code).toBe(exit)
    expect(plain.stderr).toMatch(/^error: .+/)
    expect(plain.stderr).toMatch(/^fix: .+/m)
  })
})

test('E-11 X-17 the same id on two days: the id alone lists both by date, date/id names one', async () => {
  const lab = await workspaceLab()
  const { path } = await saved(lab, 'brainstorm', 'API Design')
  const earlier = 'conversations/2025-01-02/001-brainstorm-api-design'
  cpSync(join(lab.root, path), join(lab.root, earlier), { recursive: true })
  const session = JSON.parse(readFileSync(sessionFile(lab, path), 'utf8'))
  writeFileSync(sessionFile(lab, earlier), JSON.stringify({ ...session, created_at: '2025-01-02T10:00:00Z' }))
  const again = await lab.json<{ conversations: { path: string }[] }>(['list', '--all', '--json'])
  const paths = again.conversations.map((one) => one.path)
  expect(paths).toContain(path)
  expect(paths).toContain('conversations/2025-01-02/001-brainstorm-api-design')
  expect(paths).toHaveLength(2)

  const several = await lab.cortext(['show', '001-brainstorm-api-design'])
  expect(several.code).toBe(1)
  expect(several.stderr).toContain('01-02/1 "API Design" (2025-01-02)')
  const one = await lab.json<{ path: string }>(['show', '2025-01-02/001-brainstorm-api-design', '--json'])
  expect(one.path).toBe('conversations/2025-01-02/001-brainstorm-api-design')
})

test('X-2 a conversation is found wherever its .session/ is', async () => {
  const lab = await workspaceLab()
  const { path } = await saved(lab, 'brainstorm', 'Moved')
  mkdirSync(join(lab.root, 'old', 'brainstorm'), { recursive: true })
  renameSync(join(lab.root, path), join(lab.root, 'old', 'brainstorm', 'moved-by-hand'))
  writeFileSync(join(lab.root, 'README.md'), 'x')
  const { path: found } = await lab.json<{ path: string }>(['show', 'brainstorm/moved-by-hand', '--json'])
  expect(found).toBe('old/brainstorm/moved-by-hand')
  expect(readFileSync(sessionFile(lab, found), 'utf8')).toContain('Moved')
  const { conversations } = await lab.json<{ conversations: object[] }>(['list', '--all', '--json'])
  expect(conversations, 'it is not also listed where it was').toHaveLength(1)
})

test.each([[[]], [['--last']]])(
  'S1-003q S1-003r E-27 S4-P4-3 with nothing to resume `resume` %j says so and how to begin',
  async (args) => {
    const lab = await workspaceLab()
    const run = await lab.cortext(['resume', ...args])
    expect(run).toMatchObject({ code: 1, stdout: '' })
    expect(run.stderr).toContain('No resumable conversations exist')
    expect(run.stderr).toContain('/workspace.brainstorm')
  },
)

test('S1-003q S1-003r with nothing to resume, the list in a client says so', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  const { stdout } = await lab.cortext(['agent', 'resume', '--query', ''], { env: claude.env })
  expect(stdout).toMatch(/^No resumable conversations exist\.\nStart a new one with \/workspace\.brainstorm /)
})

// promise: Only `resume --last`, the picker and `/workspace.resume` offer the conversations of people
test('S1-003a conversations of agent loops are listed, and are chosen only by name: not by -c, nor in the list of a resume', async () => {
  const lab = await workspaceLab()
  const input = '{"role":"user","content":"ping"}\n'
  await lab.cortext(['append', '--key', 'cli:default'], { input })
  const alone = await lab.cortext(['resume', '--last', '--dry-run'])
  expect(alone.code).toBe(1)
  expect(alone.stderr).toContain('the only conversations here are those of agent loops')
  expect((await lab.cortext([])).stdout).toContain('cli:default')
  const claude = new ClaudeSession(lab)
  claude.say('Why does checkout fail?')
  await lab.json(['import', 'claude', claude.id, '--json'])
  await lab.cortext(['append', '--key', 'cli:default'], { input })
  expect((await lab.cortext(['resume', '--last', '--dry-run'])).stdout).toContain('Why does checkout fail?')
  const note = '1 not shown: 1 of agent loops. All of them: cortext list --all'
  const picker = await lab.cortext([])
  expect(picker.stdout).not.toContain('cli:default')
  expect(picker.stderr).toContain(note)
  const inside = await lab.cortext(['agent', 'resume'], { env: claude.env })
  expect(inside.stdout).not.toContain('cli:default')
  expect(inside.stdout).toContain(note)
  expect((await lab.cortext(['list'])).stdout).toContain('cli:default')
  expect((await lab.cortext(['resume', 'cli:default', '--print'])).stdout).toContain('ping')
})
