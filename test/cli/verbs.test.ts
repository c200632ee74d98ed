import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { verbTable } from '../../src/cli/verb-table.ts'
import { ClaudeSession } from '../helpers/claude-session.ts'
import {
  BIN,
  filesBelow,
  recordLines,
  saved,
  sessionFile,
  shown,
  talk,
  workspaceLab,
} from '../helpers/workspace-lab.ts'

interface List {
  conversations: {
    id: string
    title: string
    status: string
    archived: boolean
    tags: string[]
    type: string
  }[]
}

describe('init and uninstall', () => {
  test('E-30 init again changes no byte and says so; --json is one document', async () => {
    const lab = await workspaceLab({ init: 'none' })
    const first = await lab.json<{ changes: { state: string }[] }>(['init', '--json'])
    expect(first.changes.map((one) => one.state)).toContain('made')
    const before = filesBelow(lab.root)
    const again = await lab.json<{ changes: { state: string }[] }>(['init', '--json'])
    expect(new Set(again.changes.map((one) => one.state))).toEqual(new Set(['unchanged']))
    expect(filesBelow(lab.root)).toEqual(before)
  })

  // promise: takes back everything that `init` wrote, and leaves the conversations
  // promise: The conversations stay, and what
  test.each(['shared', 'private'] as const)(
    'P10 uninstall (%s): git sees what it saw before, and the conversations if they were shared',
    async (init) => {
      const lab = await workspaceLab({ init: 'none' })
      writeFileSync(join(lab.root, 'mine.txt'), 'mine\n')
      mkdirSync(join(lab.root, '.claude'))
      writeFileSync(join(lab.root, '.claude', 'settings.local.json'), '{\n  "model": "opus"\n}\n')
      writeFileSync(join(lab.root, '.gitignore'), 'node_modules\n')
      const status = () => lab.git('status', '--porcelain', '--untracked-files=all')
      const [before, exclude] = [status(), join(lab.root, '.git', 'info', 'exclude')]
      const excluded = readFileSync(exclude, 'utf8')
      await lab.json(['init', `--${init}`, '--json'])
      const claude = new ClaudeSession(lab)
      await claude.command('workspace.brainstorm', 'Kept')
      await claude.turn('not saved yet')
      await lab.json(['uninstall', '--json'])
      expect(
        status()
          .split('\n')
          .filter((line) => !line.includes('conversations/'))
          .join('\n'),
      ).toBe(before)
      expect(readFileSync(join(lab.root, '.claude', 'settings.local.json'), 'utf8')).toBe(
        '{\n  "model": "opus"\n}\n',
      )
      expect(status().includes('conversations/')).toBe(init === 'shared')
      expect(readFileSync(exclude, 'utf8').startsWith(excluded)).toBe(true)
      if (init === 'shared') expect(readFileSync(exclude, 'utf8')).toBe(excluded)
      expect(existsSync(join(lab.root, '.git', 'cortext'))).toBe(false)
      const record = Object.entries(filesBelow(join(lab.root, 'conversations'))).find(([path]) =>
        path.endsWith('messages.jsonl'),
      )
      expect(record?.[1]).toContain('not saved yet')
    },
  )

  test('no workspace: exit 1, and the fix is cortext init', async () => {
    const lab = await workspaceLab({ init: 'none' })
    for (const args of [['list'], ['start', 'plan', 'x'], ['save'], ['resume', 'x'], ['uninstall']]) {
      const run = await lab.cortext(args)
      expect(run.code, args.join(' ')).toBe(1)
      expect(run.stderr).toMatch(/^error: (no|there is no) workspace/)
    }
    expect((await lab.cortext(['list'])).stderr).toContain('fix: cortext init')
    expect(Object.keys(filesBelow(lab.root)).filter((path) => !path.startsWith('.git/'))).toEqual([])
  })
})

describe('start, save and stop without a client', () => {
  // promise: saves and pauses (`--complete`
  test('S1-001a S1-002g S2-7 X-14 S0-NG3 start says that it is not recording, and stop confirms in the words of the requirement', async () => {
    const lab = await workspaceLab()
    const started = await lab.cortext(['start', 'plan', 'Ship', 'it'])
    expect(started).toMatchObject({ code: 0 })
    expect(started.stdout).toContain('001-plan-ship-it')
    expect(started.stderr).toContain('Not recording')
    const [, goOn] = /in your client: cortext (.*)$/m.exec(started.stderr)!
    expect((await lab.cortext([...goOn!.split(' '), '--in', 'claude', '--dry-run'])).stdout).toContain(
      'Ship it',
    )
    expect(await lab.cortext(['save', '001'])).toMatchObject({ code: 0 })
    const stopped = await lab.cortext(['stop', '001', '--summary', 'half done'])
    expect(stopped.stdout).toBe(
      'Session saved.\n\nConversation "Ship it" has been paused.\nYou can continue later with /workspace.resume\n\nSummary: half done\n',
    )
    expect(lab.git('log', '-1', '--format=%s')).toBe('[conversation] plan: Ship it (session state saved)\n')
  })

  test('a stop of a conversation that is stopped already says so, and no save that was none', async () => {
    const lab = await workspaceLab()
    await lab.json(['start', 'plan', 'Ship', 'it', '--json'])
    expect((await lab.cortext(['stop', '1'])).stdout).toContain('Session saved.')
    expect(await lab.cortext(['stop', '1'])).toEqual({
      code: 0,
      stdout: '"Ship it" is paused already, and nothing was said in it since.\n',
      stderr: '',
    })
    expect((await lab.cortext(['stop', '1', '--summary', 'half done'])).stdout).toContain('Session saved.')
    const completed = (await lab.cortext(['stop', '1', '--complete'])).stdout
    expect(completed).toContain('has been completed')
    expect(completed).not.toContain('continue later')
    await lab.json(['append', '--key', 'k', '--json'], { input: '{"role":"user","content":"Hello"}' })
    await lab.json(['edit', '2', '--clear', '--json'])
    expect((await lab.cortext(['stop', '2'])).stdout).not.toContain('nothing was said')
  })

  // promise: conversations are _shared_: git tracks them, and a stop commits them.
  // promise: A commit has only this conversation's files.
  // promise: a stop commits them (only this conversation's files; never a push)
  test('E-12 S1-006a Q-4 X-21 a stop commits only this conversation; what was staged stays staged', async () => {
    const lab = await workspaceLab()
    const { path } = await lab.json<{ path: string }>(['start', 'plan', 'One', '--json'])
    await lab.json(['start', 'plan', 'Other', '--json'])
    writeFileSync(join(lab.root, 'staged.txt'), 'x')
    lab.git('add', 'staged.txt')
    await lab.json(['stop', '001', '--json'])
    const files = lab.git('show', '--name-only', '--format=', 'HEAD').trim().split('\n')
    expect(
      files.filter((file) => !file.startsWith(`${path}/`) && !file.startsWith('.workspace/prompts/')),
    ).toEqual([])
    expect(lab.git('diff', '--cached', '--name-only')).toBe('staged.txt\n')
    await lab.json(['edit', '001', '--summary', 'later', '--json'])
    await lab.json(['save', '001', '--commit', '--json'])
    expect(lab.git('log', '-1', '--format=%s')).toBe('[session] session update: One\n')
  })

  test('S1-005e S1-005f a completed conversation is resumed only with a yes', async () => {
    const lab = await workspaceLab()
    await lab.json(['start', 'plan', 'Done', '--json'])
    await lab.json(['stop', '001', '--complete', '--json'])
    const refused = await lab.cortext(['resume', '001', '--print'])
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('was marked complete')
    expect(refused.stderr).toMatch(/^fix: cortext resume 1 --force$/m)
    const forced = await lab.cortext(['resume', '001', '--print', '--force'])
    expect(forced).toMatchObject({ code: 0 })
    expect(forced.stdout).toContain('[END RESUMED CONTEXT]')
  })
})

describe('edit', () => {
  test('E-25 a renamed title sticks, whatever is said and saved after; the folder keeps its name', async () => {
    const lab = await workspaceLab()
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.brainstorm', '')
    await claude.turn('first words')
    await lab.json(['edit', '001', '--title', 'My title', '--json'])
    await claude.turn('second words')
    await lab.json(['save', '--json'], { env: claude.env })
    await lab.json(['stop', '001', '--json'])
    const { session, path } = await lab.json<{ session: { title: string }; path: string }>([
      'show',
      '001',
      '--json',
    ])
    expect(session.title).toBe('My title')
    expect(existsSync(join(lab.root, path, 'brainstorm.md'))).toBe(true)
    expect((await lab.cortext(['edit', '001', '--title', '  '])).code).toBe(2)
  })

  test('S1-005a S1-005b S2-9 --status makes the allowed transitions; the others are refused and change nothing', async () => {
    const lab = await workspaceLab()
    const { path } = await saved(lab, 'plan', 'T')
    const status = () => JSON.parse(readFileSync(sessionFile(lab, path), 'utf8')).status
    for (const [to, code] of [
      ['paused', 0],
      ['paused', 0],
      ['active', 0],
      ['active', 0],
      ['completed', 0],
      ['paused', 1],
      ['active', 1],
      ['corrupted', 2],
    ] as const) {
      const before = status()
      const run = await lab.cortext(['edit', '001', '--status', to])
      expect(run.code, `${before} → ${to}: ${run.stderr}`).toBe(code)
      expect(status()).toBe(code === 0 ? to : before)
      if (code === 1) expect(run.stderr).toContain(`is completed and cannot become ${to}`)
    }
    await lab.json(['edit', '001', '--status', 'active', '--force', '--json'])
    expect(status()).toBe('active')
  })

  // promise: changes title, type, summary, status or tags
  test('X-6 X-18 sets tags, and archives: hidden from lists, counted, shown with --archived, and back', async () => {
    const lab = await workspaceLab()
    await lab.json(['start', 'plan', 'T', '--json'])
    await lab.json(['edit', '001', '--tag', 'work', 'later', '--json'])
    await lab.json(['edit', '001', '--untag', 'later', '--json'])
    const list = (...args: string[]) => lab.json<List>(['list', ...args, '--json'])
    expect((await list()).conversations[0]?.tags).toEqual(['work'])
    await lab.json(['edit', '001', '--archive', '--json'])
    expect((await list()).conversations).toEqual([])
    expect((await list('--archived')).conversations).toMatchObject([{ archived: true, status: 'active' }])
    expect((await list('--all')).conversations).toHaveLength(1)
    const resumable = await lab.cortext(['resume', '--list'])
    expect(resumable.stdout).not.toContain('001-plan')
    expect(resumable.stderr).toContain('1 archived')
    expect((await list('--status', 'active')).conversations).toEqual([])
    expect((await list('--status', 'active', '--archived')).conversations).toHaveLength(1)
    expect((await list('--status', 'paused', '--archived')).conversations).toEqual([])
    await lab.json(['start', 'plan', 'Other', '--json'])
    expect((await list('--archived')).conversations).toMatchObject([{ id: '001-plan-t' }])
    expect((await list('--all')).conversations).toHaveLength(2)
    const archived = await lab.cortext(['edit', '001', '--archive'])
    expect(archived.stdout).toMatch(/To undo: cortext edit 1 --unarchive$/m)
    await lab.json(['edit', '001', '--unarchive', '--json'])
    expect((await list()).conversations).toHaveLength(2)
  })
})

test('save and stop without a name mean the one active conversation that was started here, and none of an agent loop', async () => {
  const lab = await workspaceLab()
  await lab.json(['start', 'plan', 'One', '--json'])
  expect(await lab.json(['save', '--json'])).toMatchObject({ id: '001-plan-one' })
  await lab.json(['start', 'plan', 'Two', '--json'])
  const unclear = await lab.cortext(['stop'])
  expect(unclear).toMatchObject({ code: 1, stdout: '' })
  expect(unclear.stderr).toMatch(
    /2 conversations are active; say which one to stop:\n {2}\S+002-plan-two\n {2}\S+001-plan-one\nfix: cortext list\n/,
  )
  await lab.json(['stop', '1', '--json'])
  expect(await lab.json(['stop', '--json'])).toMatchObject({ title: 'Two', status: 'paused' })
  await lab.cortext(['append', '--key', 'bot:1'], { input: '{"role":"user","content":"hello"}\n' })
  expect((await lab.cortext(['stop'])).stderr).toContain('no conversation is active here')
})

test('delete is refused without a terminal or --yes; with it the folder and what this machine has of it are gone', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'Secret plans')
  await lab.json(['start', 'plan', 'Stays', '--json'])
  const refused = await lab.cortext(['delete', '001'])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(
    /^fix: cortext delete conversations\/\S+\/001-brainstorm-secret-plans --yes$/m,
  )
  expect(talk(await shown(lab, '001'))).toHaveLength(2)
  await lab.json(['delete', '001', '--yes', '--json'])
  const left =
    JSON.stringify(filesBelow(join(lab.root, '.git', 'cortext'))) +
    JSON.stringify(filesBelow(join(lab.root, 'conversations')))
  expect(left).not.toContain('Secret plans')
  expect((await lab.json<List>(['list', '--all', '--json'])).conversations.map((one) => one.title)).toEqual([
    'Stays',
  ])
  await claude.turn('said after')
  expect((await lab.cortext(['show', '001'])).code).toBe(1)
})

describe('the program', () => {
  test('--version prints only the version', async () => {
    const lab = await workspaceLab({ git: 'none', init: 'none' })
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    for (const flag of ['--version', '-v', '-V'])
      expect(await lab.cortext([flag])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  test.each([
    ['nosuchverb'],
    ['list', '--nosuch'],
    ['show'],
    ['stop', '--summary'],
    ['init', '--shared', '--private'],
  ])('wrong usage is exit 2: %s %s', async (...args) => {
    const lab = await workspaceLab({ git: 'none', init: 'none' })
    const run = await lab.cortext(args.filter((arg) => arg !== undefined))
    expect(run).toMatchObject({ code: 2, stdout: '' })
    expect(run.stderr).toMatch(/^error: /)
  })

  test('S4-P4-1 S4-P4-2 S4-P4-3 S4-P4-4 the bare command takes -c, -r and -n as resume does', async () => {
    const lab = await workspaceLab()
    for (const word of ['one', 'two']) await lab.json(['start', 'plan', word, '--json'])
    const bin = join(lab.home, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho "claude $*"\n', { mode: 0o755 })
    const run = (...args: string[]) => lab.cortext(args, { env: { PATH: `${bin}:${lab.env.PATH}` } })
    const resumed = (title: string) => `Resuming "${title}" in Claude Code`
    for (const last of ['-c', '--last', '--continue'])
      expect((await run(last)).stderr).toContain(resumed('two'))
    expect((await run('-r', '001')).stderr).toContain(resumed('one'))
    expect((await run('--resume', 'one')).stderr).toContain(resumed('one'))
    expect((await run('-r')).stderr).toContain('2 conversations to choose from')
    expect((await run('-n')).stdout).toMatch(/^claude *$/m)
  })

  test('a mistyped verb gets a suggestion; a word that is like no verb does not', async () => {
    const lab = await workspaceLab({ git: 'none', init: 'none' })
    expect(await lab.cortext(['serach', 'x'])).toMatchObject({
      code: 2,
      stderr: 'error: there is no verb "serach"; did you mean search?\nfix: cortext search --help\n',
    })
    for (const [typed, meant] of Object.entries({ lst: 'list', edt: 'edit', shw: 'show', lgo: 'log' }))
      expect((await lab.cortext([typed])).stderr, typed).toContain(`did you mean ${meant}?`)
    expect((await lab.cortext(['xyz'])).stderr).not.toContain('did you mean')
    expect((await lab.cortext(['nosuchverb'])).stderr).toBe(
      'error: there is no verb "nosuchverb"\nfix: cortext --help\n',
    )
  })

  test('--help is one screen: the first step on top, every verb once, in groups', async () => {
    const lab = await workspaceLab({ git: 'none', init: 'none' })
    const { stdout } = await lab.cortext(['--help'])
    const lines = stdout.trimEnd().split('\n')
    expect(
      lines.length,
      'the screen is full: a verb without a line in src/cli/verbs/help/overview.ts is named below the others',
    ).toBeLessThanOrEqual(40)
    expect(lines.slice(0, 5).join('\n')).toContain('cortext init')
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80)
    const more = /^More verbs: (.*)\.$/m.exec(stdout)![1]!.split(', ')
    const options = lines.indexOf('Options:')
    const verbs = lines.slice(0, options).flatMap((line) => /^ {2}(\w+) +\w/.exec(line)?.[1] ?? [])
    expect(verbs).toContain('sync')
    const known = verbTable().verbs.filter(({ hidden }) => !hidden)
    expect([...verbs, ...more].sort()).toEqual(known.map(({ name }) => name).sort())
    for (const group of ['Set up:', 'Talk and go on:', 'Look:', 'Change and share:'])
      expect(lines).toContain(group)
  })

  test.each(['init', 'start', 'resume', 'search', 'stop', 'import', 'export'])(
    '%s --help shows examples',
    async (verb) => {
      const lab = await workspaceLab({ git: 'none', init: 'none' })
      expect((await lab.cortext([verb, '--help'])).stdout).toMatch(
        new RegExp(`\\nExamples:\\n  cortext ${verb} ?.*\\n      \\w`),
      )
    },
  )

  test('`cortext … | head -1` is not a failure', async () => {
    const lab = await workspaceLab()
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.brainstorm', 'Long')
    claude.say('x'.repeat(2_000_000))
    const run = execFileSync(
      'bash',
      ['-c', 'set -o pipefail; "$0" "$1" show 001 --messages | head -1', process.execPath, BIN],
      {
        cwd: lab.root,
        env: lab.env,
        encoding: 'utf8',
      },
    )
    expect(run).toBe('Long\n')
  })

  test('S0-D2c what was published stays byte for byte when more comes', async () => {
    const lab = await workspaceLab()
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.brainstorm', 'Append')
    await claude.turn('one')
    const { path } = await lab.json<{ path: string }>(['save', '--json'], { env: claude.env })
    const before = recordLines(lab, path)
    await claude.turn('two')
    await lab.json(['save', '--json'], { env: claude.env })
    expect(recordLines(lab, path).slice(0, before.length)).toEqual(before)
    expect(recordLines(lab, path)).toHaveLength(before.length + 2)
  })
})
