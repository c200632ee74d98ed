import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { putProgram } from '../helpers/stand-ins.ts'
import { BIN, filesBelow, type Lab, workspaceLab } from '../helpers/workspace-lab.ts'

interface Listing {
  conversations: { id: string; workspace: string; title: string; message_count: number }[]
  broken: { path: string }[]
  unread: { workspace: string; message: string }[]
}

describe('the list of workspaces', () => {
  // promise: the list of your workspaces, and compiled code
  // promise: A workspace is known from its `init` on
  // promise: `everywhere`: the paths of your workspaces
  // promise: has the paths of your workspaces and nothing else, readable by you only.
  // promise: `uninstall` takes it off.
  test('S4-P4-6 init puts the path of a workspace on the list, once, readable only by this user; uninstall removes it', async () => {
    const { lab, machine } = await machineWith('shop', 'notes')
    expect(machine.list()).toEqual([machine.at('shop'), machine.at('notes')])
    await lab.json(['init', '--json'], { cwd: machine.at('shop') })
    expect(machine.list()).toEqual([machine.at('shop'), machine.at('notes')])
    expect(statSync(machine.file).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(machine.file)).mode & 0o777).toBe(0o700)
    await lab.json(['uninstall', '--json'], { cwd: machine.at('shop') })
    expect(machine.list()).toEqual([machine.at('notes')])
    expect(statSync(machine.file).mode & 0o777).toBe(0o600)
  })

  // promise: A workspace is known from
  // promise: other hooks and verbs that only read do not
  test('S4-P4-6 the next verb that records puts an older workspace on the list, and one that only reads does not', async () => {
    const { lab, machine } = await machineWith('clone')
    await machine.said('clone', 'Someone else', 'Words of somebody else')
    rmSync(machine.file)
    const cwd = machine.at('clone')
    for (const args of [['list'], ['search', 'words'], ['show', '001'], ['context', '001'], ['resume'], []])
      await lab.cortext(args, { cwd })
    await lab.cortext(['resume', '001', '--print', '--in', 'claude'], { cwd })
    await lab.cortext(['hook', 'claude', 'Stop'], { cwd, input: '{}' })
    expect(existsSync(machine.file)).toBe(false)
    expect(await machine.titles()).toEqual([])
    await lab.json(['save', '001', '--json'], { cwd })
    expect(machine.list()).toEqual([cwd])
  })

  // promise: other hooks and verbs
  test('S4-P4-6 a folder that is gone, or is not a workspace any more, is skipped and dropped', async () => {
    const { lab, machine } = await machineWith('shop', 'notes', 'old', 'moved')
    for (const name of ['shop', 'notes', 'old', 'moved']) await machine.said(name, name, 'Words')
    rmSync(machine.at('notes'), { recursive: true })
    rmSync(join(machine.at('old'), '.workspace'), { recursive: true })
    renameSync(machine.at('moved'), machine.at('shop/below'))
    const run = await lab.cortext(['list', '--everywhere'], { cwd: machine.elsewhere })
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(await machine.titles()).toEqual(['shop'])
    expect(machine.list()).toEqual([machine.at('shop')])
  })

  test('S4-P4-6 a verb that promises to change nothing drops nothing', async () => {
    const { lab, machine } = await machineWith('shop', 'notes')
    await machine.said('shop', 'Outbox', 'Words')
    rmSync(machine.at('notes'), { recursive: true })
    const before = filesBelow(lab.home)
    const run = await lab.cortext(['resume', 'outbox', '--print', '--in', 'claude'], {
      cwd: machine.elsewhere,
    })
    expect(run.stdout).toContain('/ Outbox')
    expect(filesBelow(lab.home)).toEqual(before)
  })

  // promise: A workspace is known from
  // promise: its conversations are not offered in other folders
  test('S4-P4-6 a workspace with "everywhere": false is not on the list', async () => {
    const { lab, machine } = await machineWith('shop', 'diary')
    await machine.said('shop', 'Outbox', 'Words')
    await machine.said('diary', 'Dear diary', 'Words')
    writeFileSync(join(machine.at('diary'), '.workspace/config.json'), '{"everywhere":false}')
    expect(await machine.titles()).toEqual(['Outbox'])
    expect(machine.list()).toEqual([machine.at('shop')])
    await lab.json(['save', '001', '--json'], { cwd: machine.at('diary') })
    expect(machine.list()).toEqual([machine.at('shop')])
    // Whoever stands in it sees it.
    expect(await machine.titles(machine.at('diary'))).toEqual(['Dear diary', 'Outbox'])
  })

  test('S4-P4-6 a workspace that cannot be read is named in a line, and hides no other one', async () => {
    const { lab, machine } = await machineWith('shop', 'broken', 'linked', 'torn')
    for (const name of ['shop', 'broken', 'linked', 'torn']) await machine.said(name, name, 'Words')
    writeFileSync(join(machine.at('broken'), '.workspace/config.json'), '{"redact":')
    renameSync(join(machine.at('linked'), '.workspace'), join(machine.at('linked'), 'real'))
    symlinkSync('real', join(machine.at('linked'), '.workspace'))
    const [torn] = machine.sessionFiles('torn')
    writeFileSync(torn!, '{')
    for (const args of [['list'], ['search', 'words'], ['resume', '--list']]) {
      const run = await lab.cortext([...args, '--everywhere'], { cwd: machine.elsewhere })
      expect(run.code).toBe(0)
      expect(run.stdout).toContain('shop')
      const told = run.stderr.split('\n').filter((line) => line.startsWith('left out: '))
      expect(told).toEqual([
        expect.stringMatching(/^left out: ~\/broken: .*config\.json is not valid JSON/),
        expect.stringMatching(/^left out: ~\/linked: its \.workspace is a link/),
      ])
    }
    const { unread, broken } = await machine.listing()
    expect(unread.map(({ workspace }) => workspace)).toEqual([machine.at('broken'), machine.at('linked')])
    expect(broken.map(({ path }) => path)).toEqual([torn])
    expect(machine.list()).toHaveLength(4)
  })

  // promise: opens each listed folder by
  test('S4-P4-6 a workspace above a listed folder, or behind a link in its place, is not mistaken for it', async () => {
    const { machine } = await machineWith('shop', 'shop/inner', 'other')
    for (const name of ['shop', 'shop/inner', 'other']) await machine.said(name, name, 'Words')
    rmSync(join(machine.at('shop/inner'), '.workspace'), { recursive: true })
    const places = async () => (await machine.listing()).conversations.map(({ workspace }) => workspace)
    // What lay in it belongs to the one around it now.
    expect(await places()).toEqual([machine.at('other'), machine.at('shop'), machine.at('shop')])
    expect(machine.list()).toEqual([machine.at('shop'), machine.at('other')])
    rmSync(machine.at('shop'), { recursive: true })
    symlinkSync(machine.at('other'), machine.at('shop'))
    expect(await places()).toEqual([machine.at('other')])
    expect(machine.list()).toEqual([machine.at('other')])
  })

  test('S4-P4-6 a line that is not a path, and a missing list, do no harm', async () => {
    const { lab, machine } = await machineWith('shop')
    await machine.said('shop', 'Outbox', 'Words')
    writeFileSync(machine.file, `shop\n"shop"\n"/"\n{\n\n7\n${JSON.stringify(machine.at('shop'))}\n`)
    expect(await machine.titles()).toEqual(['Outbox'])
    rmSync(machine.file)
    for (const args of [['list'], ['search', 'words']]) {
      const none = await lab.cortext([...args, '--everywhere'], { cwd: machine.elsewhere })
      expect([none.code, none.stdout]).toEqual([
        0,
        expect.stringContaining('No workspaces are known here yet'),
      ])
    }
    expect(await lab.cortext(['resume'], { cwd: machine.elsewhere })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no workspace at or above'),
    })
  })
})

test('list and search outside of a workspace name the command that looks into the workspaces of this machine', async () => {
  const { lab, machine } = await machineWith('shop')
  await machine.said('shop', 'Outbox', 'Words')
  for (const [args, fix] of [
    [['list'], 'cortext list --everywhere'],
    [['search', 'words', 'here'], "cortext search 'words here' --everywhere"],
  ] as const) {
    const run = await lab.cortext([...args], { cwd: machine.elsewhere })
    expect([run.code, run.stderr]).toEqual([
      1,
      `error: no workspace at or above ${machine.elsewhere}\nfix: ${fix}\n`,
    ])
    const agent = await lab.cortext(['agent', ...args], { cwd: machine.elsewhere })
    expect(agent.stderr).toContain('fix: cortext init')
  }
  rmSync(machine.file)
  expect((await lab.cortext(['list'], { cwd: machine.elsewhere })).stderr).toContain('fix: cortext init')
})

describe('list --everywhere', () => {
  test('S4-P4-6 lists the conversations of every workspace, private ones too, newest first, each with its folder', async () => {
    const { lab, machine } = await machineWith('work/shop', 'play/shop', 'notes')
    await machine.said('work/shop', 'Outbox', 'Words')
    await machine.said('notes', 'Garden', 'Words', 'plan')
    await machine.said('play/shop', 'Robots', 'Words')
    const { stdout } = await lab.cortext(['list', '--everywhere'], { cwd: machine.elsewhere })
    expect(stdout.split('\n')).toEqual([
      'WORKSPACE  ID  STATUS  LAST ACTIVE  CONVERSATION',
      'play/shop  1   active  just now     [chat] Robots',
      'notes      1   active  just now     [plan] Garden',
      'work/shop  1   active  just now     [chat] Outbox',
      '',
      'play/shop  ~/play/shop',
      'notes      ~/notes',
      'work/shop  ~/work/shop',
      '',
    ])
    expect(await machine.titles(machine.elsewhere, '--type', 'plan')).toEqual(['Garden'])
    const { conversations } = await machine.listing()
    expect(conversations[0]).toMatchObject({
      ...{ id: '001-chat-robots', workspace: machine.at('play/shop'), title: 'Robots', message_count: 1 },
    })
    // In a workspace it is the same list, and `list` alone is about that workspace.
    expect(await machine.titles(machine.at('notes'))).toEqual(['Robots', 'Garden', 'Outbox'])
    const { conversations: own } = await lab.json<Listing>(['list', '--json'], { cwd: machine.at('notes') })
    expect(own.map(({ title, workspace }) => [title, workspace])).toEqual([['Garden', undefined]])
  })

  // promise: Other workspaces are only read
  // promise: opens each listed folder by
  test('S4-P4-6 changes nothing in the other workspaces, and finds what is not saved yet', async () => {
    const { lab, machine } = await machineWith('notes')
    await lab.json(['init', '--shared', '--json'])
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.brainstorm', 'API Design')
    await claude.turn('Do zebras need an API?')
    const before = filesBelow(lab.root)
    expect(await machine.titles()).toEqual(['API Design'])
    const found = await lab.json<{ hits: { workspace: string; title: string }[] }>(
      ['search', '--everywhere', 'zebras', '--json'],
      { cwd: machine.elsewhere },
    )
    expect(found.hits).toMatchObject([{ workspace: lab.root, title: 'API Design' }])
    expect(filesBelow(lab.root)).toEqual(before)
  })

  // promise: Its titles are printed on one line, without what a terminal obeys.
  test('S4-P4-6 names of folders and titles are printed on one line, without escape sequences', async () => {
    const { lab, machine } = await machineWith('a\u001b[2Jb\nc')
    await machine.said('a\u001b[2Jb\nc', 'x\u001b[2Jy', 'Words')
    const { stdout } = await lab.cortext(['list', '--everywhere'], { cwd: machine.elsewhere })
    expect(stdout).toContain('\nab c ')
    expect(stdout).not.toContain('\u001b')
    const found = await lab.cortext(['search', '--everywhere', 'words'], { cwd: machine.elsewhere })
    expect(found.stdout).toContain('cd <…> && cortext show')
    expect(found.stdout).not.toContain('\u001b')
  })
})

describe('search --everywhere', () => {
  test('S4-P4-6 ranks as in one workspace, and says where each conversation is and how to open it', async () => {
    const { lab, machine } = await machineWith('shop', 'notes', 'all')
    const said: [string, string, string][] = [
      ['shop', 'Delivery', 'An outbox table, and idempotent consumers behind the outbox.'],
      ['shop', 'Tests', 'The consumers are slow, and the table is large.'],
      ['notes', 'Garden', 'The table under the apple tree needs paint.'],
      ['notes', 'Kitchen', 'A table for six, and an outbox for letters.'],
    ]
    for (const [where, title, text] of said) {
      await machine.said(where, title, text)
      await machine.said('all', title, text)
    }
    const search = async (cwd: string, ...flags: string[]) =>
      (
        await lab.json<{ hits: { title: string; workspace: string; score: number }[] }>(
          ['search', 'outbox', 'table', '--json', ...flags],
          { cwd },
        )
      ).hits
    const together = (await search(machine.at('all'))).map(({ title, score }) => ({ title, score }))
    writeFileSync(join(machine.at('all'), '.workspace/config.json'), '{"everywhere":false}')
    const everywhere = await search(machine.elsewhere, '--everywhere')
    expect(everywhere.map(({ title, score }) => ({ title, score }))).toEqual(together)
    expect(new Set(everywhere.slice(0, 2).map(({ workspace }) => workspace))).toEqual(
      new Set([machine.at('shop'), machine.at('notes')]),
    )

    const { stdout } = await lab.cortext(['search', '--everywhere', 'outbox', 'consumers'], {
      cwd: machine.elsewhere,
    })
    expect(stdout).toMatch(/^\[chat\] Delivery {2}\(~\/shop, just now\) {2}\(sure\)$/m)
    const [, open] = /→ (cd .*)$/m.exec(stdout)!
    const shown = await machine.shell(open!)
    expect(shown).toContain('Delivery')
    // Where the person stands, nothing has to be changed to.
    const here = await lab.cortext(['search', '--everywhere', 'outbox'], { cwd: machine.at('shop') })
    expect(here.stdout).toMatch(/→ cortext show 1 --at/)
    expect(here.stdout).toMatch(/→ cd \S+\/notes && cortext show 2 --at/)
  })
})

describe('resume outside of a workspace', () => {
  // promise: offer all of them, and start the client in the workspace of the one that you choose
  test('S4-P4-6 S4-P4-2 Q-11 S0-M2 starts the client in the workspace of the conversation that a title or its talk names', async () => {
    const { lab, machine } = await machineWith('shop', 'notes')
    await machine.said('shop', 'Delivery', 'An outbox table with idempotent consumers.')
    await machine.said('notes', 'Garden', 'The apple tree needs paint.')
    const PATH = machine.client()
    for (const [words, name] of [
      [['garden'], 'notes'],
      [['001-chat-delivery'], 'shop'],
      [['idempotent', 'consumers'], 'shop'],
    ] as const) {
      const run = await lab.cortext(['resume', ...words], { cwd: machine.elsewhere, env: { PATH } })
      expect(run.code, run.stderr).toBe(3)
      expect(run.stderr).toContain(`In ~/${name}:`)
      expect(readFileSync(join(lab.home, 'started-in'), 'utf8').trim()).toBe(machine.at(name))
    }
    const last = await lab.cortext(['resume', '--last'], { cwd: machine.elsewhere, env: { PATH } })
    expect(last.stderr).toContain('the only conversations here are those of agent loops')
  })

  test('S4-P4-6 several matches without a terminal: a list with their folders, exit 1, and how to open one of them', async () => {
    const { lab, machine } = await machineWith('shop', 'notes')
    await machine.said('shop', 'Plan of the shop', 'Words')
    await machine.said('notes', 'Plan of the garden', 'Words')
    await machine.said('notes', 'Else', 'Words')
    const options = { cwd: machine.elsewhere, env: { PATH: machine.client() } }
    const run = await lab.cortext(['resume', 'plan'], options)
    expect(run.code).toBe(1)
    expect(run.stdout).toMatch(/^shop .*Plan of the shop$/m)
    expect(run.stdout).toMatch(/^notes .*Plan of the garden$/m)
    expect(run.stdout).not.toContain('Else')
    expect(run.stderr).toMatch(/^fix: cd \S+\/(?:notes|shop) && cortext resume \d$/m)
    const [, number] = /^notes +(\S+)/m.exec(run.stdout)!
    const there = { ...options, cwd: machine.at('notes') }
    expect((await lab.cortext(['resume', number!, '--dry-run'], there)).stdout).toContain(
      '/ Plan of the garden',
    )
    const all = await lab.cortext(['resume'], options)
    expect([all.code, all.stdout]).toEqual([1, expect.stringContaining('Else')])
    const none = await lab.cortext(['resume', 'qqqqqq'], options)
    expect(none).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('no conversation') })
    expect(existsSync(join(lab.home, 'started-in'))).toBe(false)
  })

  // promise: offer all of them,
  test('S4-P4-6 Q-11 inside a workspace a resume knows only that one, except with --everywhere', async () => {
    const { lab, machine } = await machineWith('shop', 'notes')
    await machine.said('shop', 'Plan of the shop', 'Words')
    await machine.said('notes', 'Plan of the garden', 'Words')
    const from = (cwd: string, ...args: string[]) =>
      lab.cortext(['resume', ...args, '--dry-run', '--in', 'claude'], { cwd })
    expect((await from(machine.at('shop'), 'plan')).stdout).toContain('/ Plan of the shop')
    expect((await from(machine.at('shop'), 'garden')).code).toBe(1)
    expect((await from(machine.at('shop'), 'garden', '--everywhere')).stdout).toContain(
      '/ Plan of the garden',
    )
    const list = await lab.cortext(['resume', '--list'], { cwd: machine.at('shop') })
    expect(list.stdout).not.toContain('garden')
    const all = await lab.cortext(['resume', '--list', '--everywhere'], { cwd: machine.at('shop') })
    expect(all.stdout).toContain('Plan of the garden')
    expect((await lab.cortext(['resume', '--new', '--everywhere'], { cwd: machine.at('shop') })).code).toBe(2)
  })

  test('S4-P4-6 cortext without a verb lists the conversations of all workspaces too', async () => {
    const { lab, machine } = await machineWith('shop')
    await machine.said('shop', 'Delivery', 'Words')
    const { stdout } = await lab.cortext([], { cwd: machine.elsewhere })
    expect(stdout).toMatch(/^shop +1 +active +just now +\[chat\] Delivery$/m)
    expect(await lab.json<Listing>(['--json'], { cwd: machine.elsewhere })).toMatchObject({
      conversations: [{ title: 'Delivery', workspace: machine.at('shop') }],
    })
  })
})

// promise: Agents do not get this
// promise: reads what conversations of this workspace say
// promise: No call that runs unasked
test('S4-P4-6 the calls that an agent may make unasked reach no other workspace', async () => {
  const { lab, machine } = await machineWith('shop', 'notes')
  await machine.said('shop', 'Delivery', 'Words')
  const env = { CLAUDECODE: '1' }
  for (const args of ['list', 'search words', 'resume', 'resume delivery', 'show 001', 'context 001']) {
    const run = await lab.cortext(['agent', ...args.split(' ')], { cwd: machine.elsewhere, env })
    expect(run, args).toMatchObject({ code: 1, stdout: '' })
    expect(run.stderr, args).toContain('no workspace at or above')
  }
  for (const args of ['list --everywhere', 'search words --everywhere', 'resume --everywhere']) {
    const run = await lab.cortext(['agent', ...args.split(' ')], { cwd: machine.at('notes'), env })
    expect(run, args).toMatchObject({ code: 2, stdout: '' })
  }
})

/** A person's machine with some workspaces, and a folder that is none. */
async function machineWith(...names: string[]) {
  const lab = await workspaceLab({ git: 'empty', init: 'none' })
  const at = (name: string) => join(lab.home, name)
  const machine = machineOf(lab, at)
  mkdirSync(machine.elsewhere)
  for (const name of names) {
    mkdirSync(at(name), { recursive: true })
    await lab.json(['init', '.', '--private', '--json'], { cwd: at(name) })
  }
  return { lab, machine }
}

function machineOf(lab: Lab, at: (name: string) => string) {
  const elsewhere = at('elsewhere')
  const file = at('.local/state/cortext/everywhere')
  const listing = (cwd = elsewhere, ...flags: string[]) =>
    lab.json<Listing>(['list', '--everywhere', '--json', ...flags], { cwd })
  return {
    at,
    elsewhere,
    file,
    listing,
    list: () =>
      readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    titles: async (...args: [cwd?: string, ...flags: string[]]) =>
      (await listing(...args)).conversations.map(({ title }) => title),
    said: (name: string, title: string, content: string, type = 'chat') =>
      lab.json(['append', '--key', title, '--type', type, '--json'], {
        cwd: at(name),
        input: JSON.stringify({ role: 'user', content }),
      }),
    sessionFiles: (name: string) =>
      readdirSync(at(name), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('session.json'))
        .map((path) => join(at(name), path)),
    /** A PATH with a client that notes where it was started, and ends. */
    client: () => {
      const bin = putProgram(at('bin'), 'claude', 'pwd > "$HOME/started-in"\nexit 3')
      return [bin, lab.env.PATH].join(delimiter)
    },
    /** What a line prints that was copied into a shell. */
    shell: async (line: string) => {
      const bin = putProgram(at('bin'), 'cortext', `exec ${process.execPath} ${BIN} "$@"`)
      const { stdout } = await lab.cortext([], {
        cwd: elsewhere,
        env: { PATH: [bin, lab.env.PATH].join(delimiter) },
        wrap: ['sh', '-c', line],
      })
      return stdout
    },
  }
}
