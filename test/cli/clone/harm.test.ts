import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Run } from '../../helpers/workspace-lab.ts'
import { sessionFile, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'
import { conversation, failed, SAID, stopped } from '../bad-world.ts'
import { CANARY, copyOf, filesWithCanary, ID, makeBase, outsideOf, put, remove, Verbs } from './world.ts'

let base: string
let verbs: Verbs
let conversationPath: string
beforeAll(async () => {
  base = await makeBase()
  verbs = await Verbs.builtIn(base)
  const [day] = readdirSync(join(base, 'project/conversations'))
  conversationPath = `conversations/${day}/${ID}`
})
afterAll(() => {
  verbs?.close()
  if (base !== undefined) remove(base)
})

/** A workspace with a conversation, beside a home with a secret in it. */
function clone() {
  const world = copyOf(base)
  onTestFinished(() => remove(world.folder))
  const secret = join(world.home, '.aws/credentials')
  return {
    ...world,
    secret,
    path: conversationPath,
    place: (path: string) => join(world.root, path),
    /** A verb that hangs fails the test. */
    cortext: async (...args: string[]): Promise<Run> => {
      const told = await verbs.run(world, args)
      if (told === 'hangs') throw new Error(`cortext ${args.join(' ')} hangs`)
      return told
    },
    /** Puts a link in the place of a file or folder of the workspace. */
    link: (path: string, to: string): string => {
      const place = join(world.root, path)
      rmSync(place, { recursive: true, force: true })
      mkdirSync(dirname(place), { recursive: true })
      symlinkSync(to, place)
      return place
    },
    outside: () => outsideOf(world.folder),
    /** Nothing of outside is printed, and nothing of it lies in the workspace, in git, or in what this machine keeps. */
    untold: (...runs: Run[]): void => {
      for (const { stdout, stderr } of runs) expect(stdout + stderr).not.toContain(CANARY)
      expect(filesWithCanary(world.root)).toEqual([])
    },
  }
}

describe('no verb follows a link in a cloned workspace', () => {
  // promise: have a file outside of the workspace read, copied, committed, printed, changed or removed
  // promise: The verb stops and names the path
  test.each([
    ['a template', '.workspace/templates/plan.md', ['start', 'plan', 'X']],
    ['a command', '.workspace/commands/workspace.plan.md', ['start', 'plan', 'X']],
    ['commands/', '.workspace/commands', ['start', 'plan', 'X']],
    ['a command that is rendered', '.workspace/commands/workspace.plan.md', ['init']],
    ['the constitution', '.workspace/memory/constitution.md', ['init']],
    ['the settings', '.workspace/config.json', ['list']],
  ])('%s: not read, not copied, not committed; its path is named', async (_, name, args) => {
    const { link, folder, cortext, untold } = clone()
    const place = link(name, join(folder, 'mirror', name))
    const run = await cortext(...args, '--json')
    failed(run, 'unsafe-path', place)
    untold(run, await cortext('stop', ID))
  })

  test('the document of a conversation: a fork does not copy it, and a context does not name it', async () => {
    const { link, path, secret, cortext, untold, place } = clone()
    const days = readdirSync(place(dirname(path)))
    const document = link(`${path}/brainstorm.md`, secret)
    const fork = await cortext('fork', ID, '--json')
    failed(fork, 'unsafe-path', document)
    untold(fork, await cortext('context', ID))
    expect(readdirSync(place(dirname(path)))).toEqual(days)
  })

  test('archive/: a restore moves nothing into its target and deletes nothing there', async () => {
    const { link, home, path, cortext, untold, outside } = clone()
    const before = outside()
    const place = link(`${path}/.session/archive`, join(home, '.claude/projects/x'))
    const runs = [
      await cortext('prune', ID, '--restore', '--json'),
      await cortext('show', ID, '--messages', '--json'),
    ]
    for (const run of runs) failed(run, 'unsafe-path', place)
    untold(...runs, await cortext('search', CANARY.slice(0, 6)))
    expect(outside()).toEqual(before)
  })

  test.each([
    '.claude/settings.local.json',
    '.gitignore',
    '.gitattributes',
    '.claude/commands/workspace.plan.md',
    '.opencode/plugins/cortext.js',
  ])('%s: init and doctor write through none, and nothing else either', async (name) => {
    const { link, home, cortext, outside, place } = clone()
    const linked = link(name, join(home, name.endsWith('json') ? '.claude/settings.json' : '.bashrc'))
    put(place('.workspace/commands/workspace.learn.md'), 'New.\n')
    const rendered = () => readFileSync(place('.claude/commands/workspace.learn.md'), 'utf8')
    const before = [rendered(), outside()]
    failed(await cortext('init', '--shared', '--json'), 'unsafe-path', linked)
    const doctor = await cortext('doctor', '--fix')
    expect(doctor.stdout + doctor.stderr).toContain(linked)
    expect([rendered(), outside()]).toEqual(before)
  })

  test('conversations/: a delete of a conversation that this machine knows removes nothing behind the link', async () => {
    const { link, home, cortext, place, path } = clone()
    const elsewhere = join(home, 'conversations')
    renameSync(place('conversations'), elsewhere)
    const linked = link('conversations', elsewhere)
    failed(await cortext('delete', ID, '--yes', '--json'), 'unsafe-path', linked)
    expect(existsSync(join(home, path, '.session/session.json'))).toBe(true)
  })
})

describe('a crafted session.json', () => {
  const crafted = (file: string) => {
    const session = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, JSON.stringify({ ...session, conversation_type: '../../../../notes' }))
  }

  test('its type is not used as a path: no document outside is named, copied or opened', async () => {
    const { folder, path, cortext, untold, place } = clone()
    put(join(folder, 'notes.md'), CANARY)
    crafted(place(`${path}/.session/session.json`))
    expect((await cortext('context', ID)).stdout).toContain(`Document: ${path}/brainstorm.md`)
    untold(await cortext('fork', ID), await cortext('doctor'))
  })

  test('its type is not used as a path in the instructions to an agent', async () => {
    const lab = await workspaceLab()
    const { claude, path } = await conversation(lab)
    await lab.json(['save', '--json'], { env: claude.env })
    crafted(sessionFile(lab, path))
    await lab.json(['save', '--json'], { env: claude.env })
    const again = await lab.json(['start', 'brainstorm', '--json'], { env: claude.env })
    expect(again.document).toBe(`${path}/brainstorm.md`)
  })
})

describe('no verb waits for a pipe, or for a file that is too large', () => {
  test.each(['a pipe', '600 MB'])(
    '%s as session.json: it is named, and the other conversations are listed',
    async (what) => {
      const { cortext, place, path } = clone()
      const file = place(`${path}/.session/session.json`)
      replace(file, what)
      const list = await cortext('list', '--all')
      expect(list.code).toBe(0)
      expect(list.stdout).toContain('Other')
      expect(list.stderr).toContain(file)
      const { stdout } = await cortext('doctor')
      expect(stdout).toContain(`${file} ${what === 'a pipe' ? 'is not a regular file' : 'has 600 MB'}`)
      for (const args of [
        ['show', ID],
        ['save', ID],
        ['resume', ID, '--print'],
      ])
        expect((await cortext(...args)).code).toBe(1)
    },
  )

  test.each(['.workspace/config.json', '.workspace/registry.json', '.claude/settings.local.json'])(
    'a pipe as %s',
    async (name) => {
      const { cortext, place } = clone()
      replace(place(name), 'a pipe')
      for (const args of [['list'], ['resume', ID, '--dry-run']]) await cortext(...args)
      const { stdout, stderr } = await cortext('doctor')
      expect(stdout + stderr).toContain(`${place(name)} is not a regular file`)
      failed(await cortext('init', '--json'), 'unsafe-path', place(name))
    },
  )

  test.each(['summaries/0123456789abcdef.json', 'messages.jsonl'])('a pipe as %s', async (name) => {
    const { cortext, place, path } = clone()
    const file = place(`${path}/.session/${name}`)
    replace(file, 'a pipe')
    for (const args of [
      ['show', ID],
      ['search', 'topic'],
      ['context', ID],
      ['view', ID],
      ['save', ID],
    ])
      await cortext(...args)
    expect((await cortext('doctor')).stdout).toContain(file)
  })

  // promise: whole files are read up
  test('a pipe as config.json: a hook still works, and the turn is recorded', async () => {
    const lab = await workspaceLab()
    const { claude } = await conversation(lab)
    const config = join(lab.root, '.workspace/config.json')
    const before = readFileSync(config, 'utf8')
    replace(config, 'a pipe')
    claude.say('meanwhile')
    const payload = { session_id: claude.id, transcript_path: claude.transcript, cwd: lab.root }
    const input = JSON.stringify({ ...payload, hook_event_name: 'Stop' })
    expect(await lab.cortext(['hook', 'claude'], { timeout: 20_000, input })).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    })
    rmSync(config)
    writeFileSync(config, before)
    expect(talk(await shown(lab, '001'))).toContain('user: meanwhile')
  })
})

describe('a clone on the list of workspaces, seen from another folder', () => {
  // promise: opens each listed folder by the same checks as when you are in it, and only reads it.
  test.each([
    ['a link', '.workspace/config.json'],
    ['a link', '.session/session.json'],
    ['a link', '.session/messages.jsonl'],
    ['a pipe', '.workspace/config.json'],
    ['a pipe', '.workspace/registry.json'],
    ['a pipe', '.session/session.json'],
    ['a pipe', '.session/messages.jsonl'],
    ['600 MB', '.session/messages.jsonl'],
  ])(
    'S4-P4-6 with %s as %s: no verb waits, nothing outside is printed, and the others are listed',
    async (what, name) => {
      const world = clone()
      const { link, folder, home, root, path, place, untold, outside } = world
      const other = copyOf(base)
      onTestFinished(() => remove(other.folder))
      put(
        join(home, '.local/state/cortext/everywhere'),
        `${JSON.stringify(root)}\n${JSON.stringify(other.root)}\n`,
      )
      const inside = name.startsWith('.session') ? `${path}/${name}` : name
      if (what === 'a link') link(inside, join(folder, 'mirror', inside))
      else replace(place(inside), what)
      const before = outside()
      const elsewhere = join(folder, 'outside/empty')
      for (const args of [
        ['list', '--everywhere'],
        ['search', '--everywhere', 'turn'],
        ['resume', '--list'],
        ['resume'],
        [],
      ]) {
        const run = await verbs.run(world, args, elsewhere)
        if (run === 'hangs') throw new Error(`cortext ${args.join(' ')} hangs`)
        untold(run)
        expect(run.stdout, args.join(' ')).toContain(args[0] === 'search' ? other.root : 'API')
      }
      expect(outside()).toEqual(before)
    },
  )
})

// promise: may be reached through links, and a worktree is a workspace like any other
test('a workspace that is reached through a link, and one in a worktree, work as usual', async () => {
  const lab = await workspaceLab()
  await stopped(lab)
  const [way, tree] = [join(lab.home, 'way'), join(lab.home, 'tree')]
  symlinkSync(lab.root, way)
  expect(talk(await shown(lab, '001', { cwd: way }))).toEqual(SAID)
  expect((await lab.cortext(['fork', '001'], { cwd: way })).code).toBe(0)
  lab.git('worktree', 'add', '--quiet', tree)
  expect(talk(await shown(lab, '001-brainstorm-topic', { cwd: tree }))).toEqual(SAID)
  expect((await lab.cortext(['init', '--shared'], { cwd: tree })).code).toBe(0)
})

function replace(file: string, what: string): void {
  rmSync(file, { force: true })
  if (what === 'a pipe') return void execFileSync('mkfifo', [file])
  writeFileSync(file, '')
  truncateSync(file, 600 * 1024 * 1024)
}
