import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Synced } from '../../../src/journeys/syncing/synced.ts'
import { atTerminal, HAS_TERMINAL } from '../../helpers/at-terminal.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { everything, spoken } from '../../helpers/history-lab.ts'
import { bytesAt, connect, labAt, pathWithKey, say, sync, twoMachines } from '../../helpers/machines.ts'
import { Stranger } from '../../helpers/stranger.ts'
import { filesBelow, type Lab, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

/** What the person has said in a conversation. */
const prompts = async (lab: Lab, id = '1') =>
  talk(await shown(lab, id)).filter((line) => line.startsWith('user: '))

describe('the place', () => {
  test('is not in the project, where git would see it; a new repository and a place that is left are told', async () => {
    const { one, place } = await twoMachines()
    for (const address of ['gti@forge', './conversations', one.root]) {
      const { code, stderr } = await one.cortext(['sync', '--to', address])
      expect({ code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('is in this project'),
      })
    }
    expect(one.git('status', '--porcelain')).toBe('')
    expect((await one.cortext(['sync', '--to', place])).stdout).toContain('a new one was made')
    const { stdout } = await one.cortext(['sync', '--to', `${place}-2.git`])
    expect(stdout).toContain(`No longer to ${place}. What is there stays.`)
    expect((await one.cortext(['sync', '--to', `${place}-2.git`])).stdout).not.toMatch(/new one|No longer/)
  })

  // promise: it is deleted at the place and on your other machines too, which is said before
  test('that has taken something out says so, and a deletion says before and after that it is one there too', async () => {
    const { one, place } = await twoMachines()
    await say(one, 'pears', 'words')
    await connect(place, one)
    const asked = await one.cortext(['delete', '1'])
    const there = `  It is at ${place} too: it is deleted there with the next sync, and on your other machines when they sync`
    expect(asked.stderr).toContain(there)
    expect((await one.cortext(['delete', '--help'])).stdout).toContain('on your other machines')
    if (HAS_TERMINAL) {
      const question = 'Delete it here, at its place and on your other machines?'
      expect((await atTerminal(one, ['delete', '1'], { question, answer: 'n\r' })).screen).toContain(there)
    }
    const { stdout, stderr } = await one.cortext(['delete', '1', '--keep-history', '--yes'])
    expect(stdout).toContain(there)
    expect(stderr).toContain(
      `What was sent of it to ${place} is deleted there too, and on your other machines when they sync. To do it now: cortext sync`,
    )
    await say(one, 'plums', 'never sent')
    expect((await one.cortext(['delete', '1', '--yes'])).stdout).not.toContain(place)
    expect((await one.cortext(['sync'])).stdout).toContain(
      '1 conversation deleted at the place too, also in its history: conversations/',
    )
    expect((await one.cortext(['sync'])).stdout).toContain('Up to date.')
  })

  test.each([
    ['~/stick', 'the shell has not replaced the ~ of this path', 'write it without quotes'],
    ['{home}/file', '{home}/file is a file, and no place', 'name a folder'],
    ['{home}/no/such', '{home}/no/such is not there', 'or correct the path: cortext sync --to'],
    [
      '{home}/no/such.git',
      '{home}/no/such.git is not there',
      'or correct the path; or, for a new repository',
    ],
  ])('with a wrong path, %s, is told', async (text, problem, fix) => {
    const lab = await workspaceLab({ init: 'private' })
    writeFileSync(join(lab.home, 'file'), 'words')
    const whole = (words: string) => words.replaceAll('{home}', lab.home)
    const { code, stderr } = await lab.cortext(['sync', '--to', whole(text)])
    expect(code).not.toBe(0)
    expect(stderr).toContain(`error: ${whole(problem)}`)
    expect(stderr.split('\nfix: ')[1]).toContain(fix)
  })

  // promise: The repository of your project gets nothing of it
  test('is not the project itself, by whatever way it is named', async () => {
    const { one, place } = await twoMachines()
    await say(one, 'loop', 'words')
    const other = join(one.home, 'worktree')
    one.git('worktree', 'add', '--quiet', other)
    const [link, pointer] = [join(one.home, 'link'), join(one.home, 'pointer')]
    symlinkSync(one.root, link)
    mkdirSync(pointer)
    writeFileSync(join(pointer, '.git'), `gitdir: ${join(one.root, '.git')}\n`)
    const ways = [
      one.root,
      join(one.root, '.git'),
      `file://${one.root}/.git`,
      link,
      join(link, 'new'),
      pointer,
      other,
    ]
    const before = one.git('for-each-ref')
    for (const way of ways)
      expect((await one.cortext(['sync', '--to', way])).stderr, way).toContain('is in this project')
    // It becomes one later.
    await connect(place, one)
    rmSync(place, { recursive: true })
    symlinkSync(join(one.root, '.git'), place)
    await say(one, 'loop', 'more')
    expect((await one.cortext(['sync'])).stderr).toContain('is in this project')
    expect(one.git('for-each-ref')).toBe(before)
  })

  test('is not the home folder, of which every folder would be one of a project', async () => {
    const { one } = await twoMachines()
    const { code, stderr } = await one.cortext(['sync', '--to', one.home])
    expect(code).toBe(1)
    expect(stderr).toContain('is your home folder')
    expect(stderr).toContain(`fix: cortext sync --to ${join(one.home, 'conversations')}`)
  })

  test('when it is new, is named with the commands for another machine; what has come is named with its own', async () => {
    const { one, two, place } = await twoMachines()
    await say(one, 'pears', 'words')
    const first = await one.cortext(['sync', '--to', place, '--personal', '--no-auto', '--branch', 'mine'])
    expect(first.stderr).toContain(`On another machine, in a clone of this project or a copy of this folder:
  cortext sync --to ${place} --branch mine --personal --no-auto
`)
    await one.json(['sync', '--to', `${place}-2.git`, '--json'])
    const second = await two.cortext(['sync', '--to', `${place}-2.git`])
    expect(second.stderr).toBe('To go on with one that has come: cortext resume\n')
    expect((await two.cortext(['sync'])).stderr).toBe('')
  })

  // promise: where there is no workspace, it makes a private one, as `cortext init` does
  // promise: it makes the workspace too
  // promise: and so does `cortext sync --to` where there is no workspace yet
  test.each(['text', 'json'])(
    'that a clone without a workspace names makes one: two commands go on with what another machine has sent (%s)',
    async (form) => {
      const { one, two, place } = await twoMachines()
      await say(one, 'pears', 'words')
      await connect(place, one)
      const clone = labAt(two, join(two.home, 'clone'))
      two.git('clone', '--quiet', one.root, clone.root)
      two.git('-C', clone.root, 'remote', 'set-url', 'origin', 'ssh://git@forge.example/me/thing')
      const dry = await clone.cortext(['sync', '--to', place, '--dry-run'])
      expect(dry).toMatchObject({ code: 1, stderr: expect.stringContaining('no workspace') })
      const { stdout, stderr, code } = await clone.cortext([
        'sync',
        '--to',
        place,
        ...(form === 'json' ? ['--json'] : []),
      ])
      expect(code, stderr).toBe(0)
      if (form === 'json')
        expect(JSON.parse(stdout)).toMatchObject({ workspace: clone.root, taken: [expect.anything()] })
      else expect(stdout).toMatch(/^Workspace: .*Private: .*1 conversation new here/s)
      expect((await clone.cortext(['resume', 'pears', '--print'])).stdout).toContain('words')
      expect(existsSync(join(clone.root, '.claude/settings.local.json'))).toBe(true)
      expect(two.git('-C', clone.root, 'status', '--porcelain')).toBe('')
    },
  )

  test('that a folder without a workspace cannot reach makes one, says so, and nothing goes to another place', async () => {
    const { one, two, place } = await twoMachines()
    await one.json(['sync', '--to', `${place}-sealed`, '--seal', '--json'])
    await two.json(['sync', '--to', place, '--personal', '--auto', '--json'])
    const clone = labAt(two, join(two.home, 'clone'))
    two.git('clone', '--quiet', one.root, clone.root)
    const { code, stderr } = await clone.cortext(['sync', '--to', `${place}-sealed`])
    expect(code).toBe(1)
    expect(stderr).toContain(
      `The workspace that was made stays: ${clone.root}. If this was the wrong folder: cortext uninstall, there.`,
    )
    expect(existsSync(join(clone.root, '.git/cortext/place.json'))).toBe(false)
    expect((await clone.cortext(['uninstall'])).code).toBe(0)
    const wrong = await clone.cortext(['sync', '--to', 'https://me:secret@forge.example/x.git'])
    expect(wrong.code).not.toBe(0)
    expect(wrong.stderr).not.toContain('was made')
    expect(existsSync(join(clone.root, '.workspace'))).toBe(false)
    expect(await clone.cortext(['sync'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('fix: in a clone of the project: cortext sync --to <place>'),
    })
  })

  test('that is not certain, or wrong, is corrected with all that was typed', async () => {
    const { one, two, place } = await twoMachines()
    await say(one, 'pears', 'words')
    await connect(place, one)
    two.git('fetch', '--quiet', one.root)
    two.git('reset', '--quiet', '--hard', 'FETCH_HEAD')
    two.git('remote', 'set-url', 'origin', 'https://forge.example/us/thing.git')
    const doubtful = await two.cortext(['sync', '--to', place, '--personal', '--auto'])
    expect(doubtful.stderr).toMatch(
      /--branch \S+ --personal --auto\n.*--branch \S+ --personal --auto \(a new one\)/,
    )
    const wrong = await one.cortext(['sync', '--to', `${place}-typo`, '--personal', '--auto'])
    expect(wrong.stderr).not.toContain('stays the place of')
    const right = await one.cortext(['sync', '--to', place])
    expect(right.stderr).toContain(
      `${place}-typo stays the place of your other private workspaces. To change that too: cortext sync --to ${place} --personal\n`,
    )
    const other = await two.cortext(['sync', '--to', place, '--branch', 'other', '--auto'])
    expect(other.stderr).toContain(
      'To correct it: cortext sync --to <place> --auto\nOther projects are there: thing-',
    )
  })

  // promise: names the secrets in documents that were sent
  test('that gets a document with a secret: it is told, and how it goes from there', async () => {
    const { one, place } = await twoMachines()
    await say(one, 'pears', 'words')
    const path = await pathWithKey(one, 'pears')
    const notes = join(one.root, path, 'notes.md')
    writeFileSync(notes, `the key is ghp_${'Ab1xQ9Zk'.repeat(4)}wZ3q\n`)
    const { stderr } = await one.cortext(['sync', '--to', place])
    expect(stderr).toContain(`documents that were sent:\n  ${path}/notes.md: 1 github-token\n`)
    writeFileSync(notes, 'taken out\n')
    expect((await one.cortext(['sync'])).stderr).toBe('')
    await one.json(['delete', path, '--yes', '--json'])
    expect((await one.cortext(['sync'])).stderr).toBe('')
  })

  test('that a workspace syncs with by itself leaves nothing behind after an uninstall', async () => {
    const { one, place } = await twoMachines()
    await one.json(['sync', '--to', place, '--auto', '--json'])
    await one.json(['sync', '--no-auto', '--json'])
    expect((await one.cortext(['uninstall'])).stdout).not.toContain('edited here')
    expect(existsSync(join(one.root, '.workspace'))).toBe(false)
  })

  test('of a folder without git is named for a copy of it with the branch, which nothing else tells', async () => {
    const { one, two, place } = await twoMachines()
    const plain = labAt(one, join(one.home, 'plain'))
    mkdirSync(plain.root)
    const made = await plain.cortext(['init', '--private', '--in', 'claude'])
    expect(made.stdout).toContain('Private: a repository that you make here gets nothing of it')
    await say(plain, 'pears', 'words')
    const first = await plain.cortext(['sync', '--to', place, '--auto'])
    const [, command] = /^ {2}cortext (sync --to .*)$/m.exec(first.stderr)!
    expect(command).toBe(`sync --to ${place} --branch plain-0-0 --auto`)
    const copy = labAt(two, join(two.home, 'copy'))
    mkdirSync(copy.root)
    expect((await copy.cortext(command!.split(' '))).stdout).toContain('1 conversation new here')
  })

  test('that has nothing of the project, on a machine that has nothing to send, is not called up to date', async () => {
    const { one, two, place } = await twoMachines()
    await say(one, 'pears', 'words')
    await connect(place, one)
    const none = 'No conversation of this project is there yet, and this machine has none to send.\n'
    const look = 'If another machine has sent some, check the address: cortext doctor names it there.'
    const wrong = await two.cortext(['sync', '--to', `${place}-typo`])
    expect(wrong.stdout).toContain(`There was no folder there: a new one was made.\n${none}`)
    expect(wrong.stderr).toContain(look)
    expect(wrong.stderr).toContain(`What was made by mistake at ${place}-typo can be removed.`)
    expect(wrong.stderr).not.toContain('On another machine')
    expect(await two.cortext(['sync'])).toMatchObject({ stdout: none, stderr: expect.stringContaining(look) })
    expect((await two.cortext(['sync', '--to', place])).stdout).toContain('1 conversation new here')
    expect((await one.cortext(['doctor'])).stdout).toContain(place)
  })

  test('of all workspaces is named with the one that is set', async () => {
    const { one, place } = await twoMachines()
    const personal = () => one.cortext(['sync', '--personal', '--auto'])
    expect(await personal()).toMatchObject({
      code: 2,
      stderr: 'error: option --personal needs --to or --stop\nfix: cortext sync --to <place> --personal\n',
    })
    await connect(place, one)
    expect((await personal()).stderr).toContain(`fix: cortext sync --to ${place} --personal --auto\n`)
  })

  // promise: If git says that a place is damaged
  test('that is damaged is told in git’s words, and a new one gets what each machine has', async () => {
    const { one, two, place } = await twoMachines()
    await say(one, 'pears', 'words')
    await connect(place, one, two)
    for (const name of Object.keys(filesBelow(join(place, 'objects')))) {
      chmodSync(join(place, 'objects', name), 0o644)
      writeFileSync(join(place, 'objects', name), 'damaged')
    }
    await say(one, 'plums', 'mine')
    await say(two, 'quinces', 'yours')
    const { code, stderr } = await one.cortext(['sync'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error: git could not (?:read|send to) .*place\.git:/)
    await connect(`${place}-2.git`, one, two)
    await sync(one)
    for (const lab of [one, two])
      for (const words of ['words', 'mine', 'yours']) expect(everything(lab)).toContain(words)
  })

  // promise: An address with a password in it is refused.
  // promise: A password in its address is refused
  test('is refused with a password in its address, or by a program; neither is stored', async () => {
    const lab = await workspaceLab({ init: 'private' })
    for (const address of [
      'https://me:hunter2@forge.example/x.git',
      'https://token@forge.example/x.git',
      'ext::sh -c true',
      '--upload-pack=touch x',
      '',
    ]) {
      const { code, stderr, stdout } = await lab.cortext(['sync', '--to', address])
      expect(code, address).toBe(2)
      expect(stderr + stdout).not.toMatch(/hunter2|token@/)
    }
    expect(JSON.stringify(filesBelow(join(lab.root, '.git')))).not.toContain('hunter2')
  })

  test('in a shared workspace is the project’s own remote', async () => {
    const lab = await workspaceLab()
    const { code, stderr } = await lab.cortext(['sync', '--to', join(lab.home, 'place')])
    expect(code).toBe(1)
    expect(stderr).toContain('git push')
  })

  // promise: Nothing is sent before you have named it
  test('without one, says how to name it, and files of a clone name none', async () => {
    const lab = await workspaceLab({ init: 'private' })
    const place = { address: join(lab.home, 'place'), branch: 'x', toDelete: [], deleted: [], toRedact: [] }
    for (const folder of ['.workspace', '.workspace/local'])
      mkdirSync(join(lab.root, folder), { recursive: true })
    for (const file of ['.workspace/place.json', '.workspace/local/place.json'])
      writeFileSync(join(lab.root, file), JSON.stringify(place))
    const { code, stderr } = await lab.cortext(['sync'])
    expect(code).toBe(1)
    expect(existsSync(place.address)).toBe(false)
    expect(stderr).toContain('cortext sync --to')
  })

  // promise: takes all your projects, each in a branch
  // promise: A project is recognised by the addresses
  // promise: If only the first commit is the same
  test('holds several projects; a fork is not taken for its origin without asking', async () => {
    const { one, two, place } = await twoMachines()
    const other = await workspaceLab({ init: 'private' })
    other.git('commit', '--quiet', '--allow-empty', '--message=another project')
    other.git('remote', 'add', 'origin', 'https://forge.example/me/other')
    await (await spoken(one, 'API', 'of one')).stop()
    await connect(place, one)
    two.git('remote', 'set-url', 'origin', 'https://forge.example/you/thing')
    const { code, stderr } = await two.cortext(['sync', '--to', place])
    expect(code).toBe(1)
    const [command] = /cortext sync --to \S+ --branch [\w-]+/.exec(stderr) ?? []
    expect(command).toBeDefined()
    const answer = await two.json<Synced>([...command!.split(' ').slice(1), '--json'])
    expect(answer.taken).toHaveLength(1)
  })

  test('does not take projects for one because of a remote that is a path', async () => {
    const { one, two, place } = await twoMachines()
    for (const lab of [one, two]) lab.git('remote', 'set-url', 'origin', '../origin.git')
    two.git('commit', '--quiet', '--amend', '--allow-empty', '--message', 'another beginning')
    await say(one, 'loop', 'of one')
    await connect(place, one, two)
    expect((await two.json<{ conversations: unknown[] }>(['list', '--all', '--json'])).conversations).toEqual(
      [],
    )
  })

  test('does not take a folder without git for another one of its name without asking', async () => {
    const [one, two] = await Promise.all([0, 1].map(() => workspaceLab({ git: 'none', init: 'private' })))
    const place = join(one!.home, 'place')
    await say(one!, 'loop', 'of one')
    await connect(place, one!)
    const { code, stderr } = await two!.cortext(['sync', '--to', place])
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('--branch') })
    await two!.json(['sync', '--to', place, '--branch', 'project-0-0', '--json'])
    expect(talk(await shown(two!, '1'))).toContain('user: of one')
    await connect(place, two!)
  })

  // promise: git checks its objects
  test('whose objects are not as git makes them is refused, and nothing of it is taken', async () => {
    const { one, two, place } = await twoMachines()
    await say(one, 'loop', 'words')
    await connect(place, one, two)
    const git = (args: string[], input = '') =>
      execFileSync('git', ['--git-dir', place, ...args], { env: one.env, input, encoding: 'utf8' }).trim()
    const branch = git(['for-each-ref', '--format=%(refname)'])
    const tree = git(
      ['mktree'],
      `${git(['ls-tree', branch])}\n040000 tree ${git(['rev-parse', `${branch}^{tree}`])}\t.git\n`,
    )
    git(['update-ref', branch, git(['commit-tree', tree, '-p', branch, '-m', 'x'])])
    const { code, stderr } = await two.cortext(['sync'])
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('hasDotgit') })
    expect(
      (await two.json<{ conversations: unknown[] }>(['list', '--all', '--json'])).conversations,
    ).toHaveLength(1)
  })

  // promise: What comes from that place is taken as from a clone
  test('runs nothing on this machine', async () => {
    const { one, place } = await twoMachines()
    execFileSync('git', ['init', '--quiet', '--bare', place])
    const sprung = join(one.home, 'sprung')
    mkdirSync(join(place, 'hooks'), { recursive: true })
    for (const hook of [
      'pre-receive',
      'update',
      'post-receive',
      'post-update',
      'reference-transaction',
      'proc-receive',
    ]) {
      writeFileSync(join(place, 'hooks', hook), `#!/bin/sh\ntouch '${sprung}'\n`)
      chmodSync(join(place, 'hooks', hook), 0o755)
    }
    const config = `[core]\n\tfsmonitor = touch ${sprung}\n\talternateRefsCommand = touch ${sprung}\n\tsshCommand = touch ${sprung}\n[uploadpack]\n\tpackObjectsHook = touch ${sprung}\n[receive]\n\tprocReceiveRefs = refs/heads\n`
    writeFileSync(join(place, 'config'), readFileSync(join(place, 'config'), 'utf8') + config)
    await say(one, 'loop', 'words')
    await one.cortext(['sync', '--to', place])
    await say(one, 'loop', 'more')
    await one.cortext(['sync'])
    expect(existsSync(sprung)).toBe(false)
  })

  // promise: Of two documents whose names differ only in upper and lower case
  test.each(['Notes.md', 'notes.md'])(
    'two documents whose names differ only in case stay two where a disk does not tell them apart, which has %s',
    async (known) => {
      const { one, two, place } = await twoMachines()
      await say(one, 'pears', 'words')
      const path = await pathWithKey(one, 'pears')
      const at = (lab: Lab, name: string) => join(lab.root, path, name)
      writeFileSync(at(one, known), `text of ${known}\n`)
      await connect(place, one, two)
      const other = known === 'Notes.md' ? 'notes.md' : 'Notes.md'
      writeFileSync(at(one, other), `text of ${other}\n`)
      await sync(one)
      // As the disks of macOS and Windows do, it has the folder under this name too.
      mkdirSync(join(two.root, '.git/cortext/CONVERSATIONS.GIT'))
      expect((await sync(two)).unread).toEqual([
        { file: `${path}/${other}`, problem: expect.stringContaining('does not tell its name') },
      ])
      expect(existsSync(at(two, other))).toBe(false)
      writeFileSync(at(two, known), 'changed on the other machine\n')
      for (const lab of [two, one, two]) await sync(lab)
      for (const lab of [one, two])
        expect(readFileSync(at(lab, known), 'utf8')).toBe('changed on the other machine\n')
      expect(readFileSync(at(one, other), 'utf8')).toBe(`text of ${other}\n`)
    },
  )

  test.each(['as it was here', 'with later words'])(
    'what is deleted where the disk does not tell its folder from another one, and is at the place %s',
    async (how) => {
      const { one, two, place } = await twoMachines()
      await say(one, 'pears', 'xylophone')
      await say(one, 'plums', 'stays')
      await connect(place, one, two)
      const [path, other] = [await pathWithKey(one, 'pears'), await pathWithKey(one, 'plums')]
      mkdirSync(join(two.root, '.git/cortext/CONVERSATIONS.GIT'))
      renameSync(join(one.root, other), join(one.root, path.replace(/pears$/, 'Pears')))
      if (how === 'with later words') await say(one, 'pears', 'late')
      await sync(one)
      if (how === 'as it was here') await sync(two)
      await two.json(['delete', path, '--yes', '--json'])
      expect((await sync(two)).back).toEqual(how === 'with later words' ? [path] : [])
      for (const lab of [one, two, one]) await sync(lab)
      for (const bytes of [everything(one), bytesAt(place)])
        expect(bytes.includes('xylophone')).toBe(how === 'with later words')
      expect(existsSync(join(one.root, path))).toBe(how === 'with later words')
      expect(talk(await shown(one, await pathWithKey(one, 'plums'))).join()).toContain('stays')
    },
  )

  // promise: `cortext sync --stop` ends it
  test('--stop ends it, and what is there stays', async () => {
    const { one, place } = await twoMachines()
    await say(one, 'loop', 'words')
    await connect(place, one)
    const { stdout } = await one.cortext(['sync', '--stop'])
    expect(stdout).toContain('What is there stays.')
    expect((await one.cortext(['sync'])).code).toBe(1)
    expect(bytesAt(place)).toContain('words')
  })

  // promise: What is being talked about goes at the next sync
  test('what is talked about goes after its stop', async () => {
    const { one, two, place } = await twoMachines()
    await connect(place, one, two)
    const { stop } = await spoken(one, 'API', 'saved words')
    const claude = new ClaudeSession(one)
    await claude.command('workspace.plan', 'Later')
    await claude.turn('not saved yet')
    expect((await sync(one)).sent).toHaveLength(1)
    expect(bytesAt(place)).not.toContain('not saved yet')
    await one.json(['stop', '--json'], { env: claude.env })
    await stop()
    await sync(one)
    expect((await sync(two)).taken).toHaveLength(2)
    expect(everything(two)).toContain('not saved yet')
  })

  // promise: the one of the machine that syncs last stays
  test('a setting that both have changed in the same place stays as it is where the sync comes last, and it says so', async () => {
    const { one, two, place } = await twoMachines()
    await connect(place, one, two)
    for (const [lab, text] of [
      [one, 'of one\n'],
      [two, 'of two\n'],
    ] as const) {
      mkdirSync(join(lab.root, '.workspace/memory'), { recursive: true })
      writeFileSync(join(lab.root, '.workspace/memory/team.md'), text)
    }
    await sync(one)
    const { stderr } = await two.cortext(['sync'])
    expect(stderr).toContain('.workspace/memory/team.md was changed on both machines, in the same place.')
    await sync(one)
    for (const lab of [one, two])
      expect(readFileSync(join(lab.root, '.workspace/memory/team.md'), 'utf8')).toBe('of two\n')
  })

  // promise: both changes are in it too
  // promise: It names each setting that comes from another machine
  test('a text among the settings gets what two machines have changed in it, and each says what has come', async () => {
    const { one, two, place } = await twoMachines()
    const file = '.workspace/memory/constitution.md'
    const textOf = (lab: Lab) => readFileSync(join(lab.root, file), 'utf8')
    const write = (lab: Lab, text: string) => {
      mkdirSync(dirname(join(lab.root, file)), { recursive: true })
      writeFileSync(join(lab.root, file), text)
    }
    write(one, 'first\n\nmiddle\n\nlast\n')
    await say(one, 'talk', 'words')
    await connect(place, one, two)
    write(one, 'first of one\n\nmiddle\n\nlast\n')
    write(two, 'first\n\nmiddle\n\nlast of two\n')
    expect((await one.cortext(['sync'])).stdout).toBe(`1 setting sent: ${file}\n`)
    const second = await two.cortext(['sync'])
    expect(second.stdout).toBe(`1 setting sent: ${file}\n1 setting changed here: ${file}\n`)
    expect(second.stderr).toBe('')
    expect((await one.cortext(['sync'])).stdout).toBe(`1 setting changed here: ${file}\n`)
    for (const lab of [one, two]) expect(textOf(lab)).toBe('first of one\n\nmiddle\n\nlast of two\n')
    expect((await two.cortext(['sync'])).stdout).toBe('Up to date.\n')
  })

  test('a setting that one machine has removed and another one has changed stays', async () => {
    const { one, two, place } = await twoMachines()
    const memory = (lab: Lab) => join(lab.root, '.workspace/memory/team.md')
    mkdirSync(dirname(memory(one)), { recursive: true })
    writeFileSync(memory(one), 'first\n')
    await connect(place, one, two)
    writeFileSync(memory(one), 'first\nchanged\n')
    rmSync(memory(two))
    for (const lab of [one, two, one]) await sync(lab)
    for (const lab of [one, two]) expect(readFileSync(memory(lab), 'utf8')).toBe('first\nchanged\n')
    rmSync(memory(one))
    writeFileSync(memory(two), 'other\n')
    for (const lab of [one, two, one]) await sync(lab)
    for (const lab of [one, two]) expect(readFileSync(memory(lab), 'utf8')).toBe('other\n')
  })

  // promise: makes the repository in it
  // promise: Two syncs at the same moment
  test('a folder becomes a repository, and two machines may sync at the same moment', async () => {
    const { one, two, place } = await twoMachines()
    mkdirSync(place)
    await connect(place, one, two)
    await Promise.all([say(one, 'of-one', 'first'), say(two, 'of-two', 'second')])
    const both = await Promise.all([one, two, one, two].map((lab) => lab.cortext(['sync'])))
    expect(both.map(({ code, stderr }) => `${code} ${stderr}`)).toEqual(['0 ', '0 ', '0 ', '0 '])
    await sync(one)
    await sync(two)
    for (const lab of [one, two])
      expect(
        (await lab.json<{ conversations: unknown[] }>(['list', '--all', '--json'])).conversations,
      ).toHaveLength(2)
  })

  // promise: Sync asks for none
  test('is reached by ssh as GIT_SSH_COMMAND says', async () => {
    const { one, two, place } = await twoMachines()
    execFileSync('git', ['init', '--quiet', '--bare', place])
    const ssh = join(one.home, 'fake-ssh')
    // The last word is what the far side runs.
    writeFileSync(ssh, '#!/bin/sh\n[ "$1" = -G ] && exit 1\nfor last; do :; done\nexec sh -c "$last"\n')
    chmodSync(ssh, 0o755)
    const env = { GIT_SSH_COMMAND: ssh }
    await say(one, 'loop', 'by ssh')
    await one.json(['sync', '--to', `me@host.example:${place}`, '--json'], { env })
    await two.json(['sync', '--to', `ssh://host.example${place}`, '--json'], { env })
    expect(everything(two)).toContain('by ssh')
  })

  // promise: `list`, the picker, `doctor` and a stop in a terminal say
  test('that lacks what was saved since is named by list and by a stop, with the command', async () => {
    const { one, place } = await twoMachines()
    await connect(place, one)
    const unsent = /Not yet sent to your other machines \(last sync just now\): cortext sync/
    expect((await one.cortext(['list'])).stderr).not.toMatch(unsent)
    await spoken(one, 'API', 'words')
    expect((await one.cortext(['list'])).stderr).toMatch(unsent)
    expect((await one.cortext(['stop', '1'])).stderr).toMatch(unsent)
    await sync(one)
    expect((await one.cortext(['list'])).stderr).not.toMatch(unsent)
  })

  // promise: What is merely missing at the place
  test('that was put back to an earlier state, or emptied, takes nothing away', async () => {
    const { one, two, place } = await twoMachines()
    // Each program starts at the beginning of the same second.
    const second = Math.ceil(Date.now() / 1000) * 1000
    const setClocks = () => {
      for (const { env } of [one, two]) env.CLOCK_AHEAD = String(second - Date.now())
    }
    await say(one, 'early', 'said first')
    setClocks()
    await connect(place, one, two)
    const git = (...args: string[]) =>
      execFileSync('git', ['--git-dir', place, ...args], { encoding: 'utf8' }).trim()
    const branch = git('for-each-ref', '--format=%(refname)')
    const early = git('rev-parse', branch)
    await say(one, 'late', 'said later')
    await say(one, 'early', 'said last')
    for (const lab of [one, two]) {
      setClocks()
      await sync(lab)
    }
    for (const before of [() => git('update-ref', branch, early), () => git('update-ref', '-d', branch)]) {
      before()
      for (const lab of [two, one]) await sync(lab)
      for (const lab of [one, two])
        expect(
          (await lab.json<{ conversations: unknown[] }>(['list', '--all', '--json'])).conversations,
        ).toHaveLength(2)
      expect(git('ls-tree', '-r', '--name-only', branch)).toContain('002-chat-late')
      for (const lab of [one, two])
        expect(await prompts(lab)).toEqual(['user: said first', 'user: said last'])
    }
  })

  // promise: What is merely missing at the place
  test.each(['nothing', 'a symbolic link', 'a damaged session.json', 'another origin'])(
    'where somebody has put %s in place of a conversation takes no word of it away',
    async (what) => {
      const { one, two, place } = await twoMachines()
      await say(one, 'talk', 'said first')
      await connect(place, one, two)
      await say(one, 'talk', 'said later')
      await sync(one)
      const stranger = new Stranger(place)
      const file = `${await pathWithKey(one, 'talk')}/.session/session.json`
      const session = stranger.git('show', `${stranger.branch}:${file}`)
      const other = session.replace(/"origin": "\w+"/, '"origin": "abcdefabcdef"')
      const tree = stranger.present()
      if (what === 'a damaged session.json') stranger.with([[file, session.slice(0, 99)]], tree)
      else if (what === 'another origin') stranger.with([[file, other]], tree)
      else tree.delete('conversations')
      if (what === 'a symbolic link') stranger.with([['conversations', { link: '/etc' }]], tree)
      stranger.set(stranger.commit(stranger.tree(tree)))
      // This machine does not have yet what was said later.
      await say(two, 'more', 'another one')
      for (const lab of [two, one, two]) await sync(lab)
      for (const lab of [one, two])
        expect(await prompts(lab, await pathWithKey(lab, 'talk'))).toEqual([
          'user: said first',
          'user: said later',
        ])
    },
  )

  test('with nothing new but a conversation that cannot be read here takes nothing away', async () => {
    const { one, two, place } = await twoMachines()
    await say(one, 'talk', 'said first')
    await connect(place, one, two)
    const folder = dirname(await pathWithKey(one, 'talk'))
    const session = { origin: 'abcdefabcdef', message_count: -5 }
    new Stranger(place).add([[`${folder}/009-chat-x/.session/session.json`, JSON.stringify(session)]])
    await say(two, 'talk', 'said later')
    expect(await sync(two)).toMatchObject({
      sent: [expect.stringContaining('001-chat-talk')],
      unread: [{ problem: 'its session.json cannot be read' }],
    })
    await sync(one)
    for (const lab of [one, two]) expect(await prompts(lab)).toEqual(['user: said first', 'user: said later'])
  })

  // promise: so does what somebody changes there in what was said
  test('in which somebody has changed what was said, with git, changes it here', async () => {
    const { one, two, place } = await twoMachines()
    await say(one, 'talk', 'said first')
    await connect(place, one, two)
    const file = `${await pathWithKey(one, 'talk')}/.session/messages.jsonl`
    const stranger = new Stranger(place)
    const text = stranger.git('show', `${stranger.branch}:${file}`)
    stranger.add([[file, `${text.replace('said first', 'said otherwise')}\n`]])
    await sync(two)
    expect(await prompts(two)).toEqual(['user: said otherwise'])
  })

  test('keeps no conversation here, whatever its files say', async () => {
    const { one, two, place } = await twoMachines()
    await say(one, 'talk', 'said first')
    await connect(place, one, two)
    const path = await pathWithKey(one, 'talk')
    const stranger = new Stranger(place)
    for (const [folder, more] of [
      [path, {}],
      [path.replace('001-chat-talk', '009-chat-new'), { origin: 'abcdefabcdef', title: 'new' }],
    ] as const) {
      const session = JSON.parse(stranger.git('show', `${stranger.branch}:${path}/.session/session.json`))
      const kept = JSON.stringify({ ...session, ...more, keep_here: true })
      stranger.add([[`${folder}/.session/session.json`, kept]])
    }
    await sync(two)
    await say(two, 'talk', 'said later')
    await sync(two)
    expect((await two.cortext(['list', '--all'])).stdout).not.toContain('kept here')
    await sync(one)
    expect(await prompts(one)).toEqual(['user: said first', 'user: said later'])
  })

  test('that is gone takes no setting away', async () => {
    const { one, two, place } = await twoMachines()
    const memory = join(one.root, '.workspace/memory/team.md')
    mkdirSync(dirname(memory), { recursive: true })
    writeFileSync(memory, 'ours\n')
    await say(one, 'talk', 'said first')
    await connect(place, one, two)
    const stranger = new Stranger(place)
    stranger.git('update-ref', '-d', stranger.branch)
    await sync(one)
    expect(readFileSync(memory, 'utf8')).toBe('ours\n')
    expect(stranger.git('ls-tree', '-r', '--name-only', stranger.branch)).toContain(
      '.workspace/memory/team.md',
    )
  })

  test('that has become a sealed one gets nothing in plain text', async () => {
    const { one, two, place } = await twoMachines()
    await say(one, 'talk', 'said first')
    await connect(place, one)
    const stranger = new Stranger(place)
    stranger.git('update-ref', '-d', stranger.branch)
    await two.json(['sync', '--to', place, '--seal', '--json'])
    const { stderr } = await one.cortext(['sync'])
    expect(stderr).toContain('is sealed now')
    expect(stranger.git('for-each-ref', '--format=%(refname)').split('\n')).not.toContain(stranger.branch)
  })

  // promise: in a folder it is removed at once
  test('that a person has made remembers no branch as it was before a deletion', async () => {
    const { one, two } = await twoMachines()
    const place = join(one.home, 'made')
    mkdirSync(place)
    execFileSync('git', ['init', '--quiet', place])
    await say(one, 'talk', 'said first')
    await say(one, 'other', 'stays')
    await connect(place, one, two)
    await one.cortext(['delete', '1', '--yes'])
    await sync(one)
    expect(bytesAt(join(place, '.git'))).not.toContain('said first')
  })

  test('gets what was removed from the settings removed everywhere', async () => {
    const { one, two, place } = await twoMachines()
    const memory = (lab: Lab) => join(lab.root, '.workspace/memory/team.md')
    mkdirSync(join(memory(one), '..'), { recursive: true })
    writeFileSync(memory(one), 'ours\n')
    await connect(place, one, two)
    expect(readFileSync(memory(two), 'utf8')).toBe('ours\n')
    rmSync(memory(two))
    for (const lab of [two, one, two]) await sync(lab)
    expect([existsSync(memory(one)), existsSync(memory(two))]).toEqual([false, false])
  })

  test('with nothing new, is only asked for its branches', async () => {
    const { one, place } = await twoMachines()
    await say(one, 'loop', 'words')
    await connect(place, one)
    const before = filesBelow(join(one.root, '.git/cortext/conversations.git'))
    expect(await sync(one)).toMatchObject({ sent: [], taken: [], joined: [] })
    expect(filesBelow(join(one.root, '.git/cortext/conversations.git'))).toEqual(before)
  })

  test('is named with what git says if it cannot be reached, and nothing is lost', async () => {
    const { one, place } = await twoMachines()
    await say(one, 'loop', 'words')
    await connect(place, one)
    renameSync(place, `${place}-away`)
    const { code, stderr } = await one.cortext(['sync'])
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(place) })
    await say(one, 'loop', 'more')
    renameSync(`${place}-away`, place)
    expect((await sync(one)).sent).toHaveLength(1)
    expect(bytesAt(place)).toContain('more')
  })

  // promise: A clone of a branch is a workspace
  test('a branch can be cloned, and is a workspace', async () => {
    const { one, place } = await twoMachines()
    const { stop } = await spoken(one, 'API', 'words to find')
    await stop()
    await connect(place, one)
    const [branch] = execFileSync('git', ['--git-dir', place, 'for-each-ref', '--format=%(refname:short)'], {
      encoding: 'utf8',
    }).split('\n')
    const clone = join(one.home, 'clone')
    one.git('clone', '--quiet', '--branch', branch!, place, clone)
    expect((await one.cortext(['list'], { cwd: clone })).stdout).toContain('API')
    expect((await one.cortext(['search', 'words to find'], { cwd: clone })).stdout).toContain('words to find')
  })
})
