import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { configurationInTree } from '../../src/workspace/git/programs-it-runs.ts'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { doctorLab } from '../helpers/doctor-lab.ts'
import { gitEnv, tempFolder, treeAt } from '../helpers/repository.ts'
import { putProgram } from '../helpers/stand-ins.ts'
import { shown, talk, workspaceLab } from '../helpers/workspace-lab.ts'
import { SAID } from './bad-world.ts'

test('.git is a link: doctor says where the state is then, and its line brings it into git', async () => {
  const lab = await doctorLab({ init: 'none' })
  renameSync(join(lab.root, '.git'), join(lab.home, 'real.git'))
  symlinkSync(join(lab.home, 'real.git'), join(lab.root, '.git'))
  await lab.json(['init', '--json'])
  const { id } = await lab.json<{ id: string }>(['start', 'plan', 'Here', '--json'])
  const { notes } = await lab.doctor()
  const found = notes.find(({ code }) => code === 'unnamed-folder')
  expect(found?.message).toContain('where git clean -x would delete it')
  execFileSync('sh', ['-c', found!.fix!], { env: lab.env })
  expect((await lab.doctor()).notes.map(({ code }) => code)).not.toContain('unnamed-folder')
  expect(await lab.json(['show', id, '--json'])).toHaveProperty('session.title', 'Here')
  expect(existsSync(join(lab.home, 'real.git/cortext/metadata'))).toBe(true)
  expect(existsSync(join(lab.root, '.workspace/local'))).toBe(false)
  expect(lab.git('status', '--porcelain')).not.toContain('local')
})

test('a line break in the name of the folder hides no configuration that is in the work tree', async () => {
  const root = join(tempFolder(), 'a\nb')
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: existsSync(root) ? root : '/',
      env: gitEnv(tempFolder()),
      encoding: 'utf8',
    })
  git('init', '--quiet', root)
  writeFileSync(join(root, 'mine.config'), '')
  git('config', 'include.path', '../mine.config')
  writeFileSync(join(root, 'mine.config'), '[gpg]\n\tprogram = sh\n')
  expect(await configurationInTree(treeAt(root, gitEnv(tempFolder())))).toContain('mine.config')
})

test('a limit of open files gives an error message, and no stack of the program', async () => {
  const lab = await workspaceLab()
  const wrap = ['sh', '-c', 'ulimit -n 22; exec "$@"', 'sh']
  const { stdout, stderr } = await lab.cortext(['start', 'plan', 'Here'], { wrap })
  expect(stdout).toContain('001-plan-here')
  expect(stderr).not.toMatch(/^\s+at |Unhandled|TypeError|a bug in cortext/m)
})

/** A process asks git only once whether it accepts a repository, so each run is a new one. */
const anew = { wrap: ['env'] }

describe('a repository that git refuses is named with the command that helps', () => {
  test.runIf(process.getuid?.() === 0)(
    'it belongs to another user: what is said meanwhile is there once git accepts it',
    async () => {
      const lab = await workspaceLab()
      execFileSync('chown', ['-R', '4711:4711', lab.root])
      const help = `git config --global --add safe.directory ${lab.root}`
      const claude = new ClaudeSession(lab)
      await claude.command('workspace.brainstorm', 'Topic')
      for (const args of [['init'], ['doctor'], ['list'], ['stop', '1']]) {
        const { stdout, stderr, code } = await lab.cortext(args, anew)
        expect((stdout + stderr).replace(/\n\s+/g, ' '), args.join(' ')).toContain(help)
        expect(code, args.join(' ')).toBe(args[0] === 'doctor' ? 1 : 0)
      }
      expect(existsSync(join(lab.root, '.workspace/local'))).toBe(false)
      execFileSync('sh', ['-c', help], { env: lab.env })
      await lab.json(['save', '1', '--commit', '--json'], anew)
      expect(talk(await shown(lab, '1', anew))).toEqual(SAID)
      expect(lab.git('log', '-1', '--format=%s')).toContain('Topic')
    },
  )

  test.runIf(process.getuid?.() === 0)(
    'it belongs to another user, and this machine has never accepted it: the state moves into git later',
    async () => {
      const lab = await workspaceLab({ init: 'none' })
      execFileSync('chown', ['-R', '4711:4711', lab.root])
      await lab.json(['init', '--shared', '--json'], anew)
      await new ClaudeSession(lab).command('workspace.brainstorm', 'Topic')
      expect(existsSync(join(lab.root, '.git/cortext'))).toBe(false)
      lab.git('config', '--global', '--add', 'safe.directory', lab.root)
      await lab.json(['stop', '1', '--json'], anew)
      expect(talk(await shown(lab, '1', anew))).toEqual(SAID)
      expect(existsSync(join(lab.root, '.git/cortext'))).toBe(true)
    },
  )

  test('the folder of a bare repository is no workspace, and its worktrees are', async () => {
    const lab = await workspaceLab({ git: 'none', init: 'none' })
    const git = (...args: string[]) => lab.git(...args)
    git('clone', '--quiet', '--bare', (await workspaceLab({ init: 'none' })).root, '.bare')
    writeFileSync(join(lab.root, '.git'), 'gitdir: ./.bare\n')
    git('worktree', 'add', '--quiet', 'main', 'trunk')
    const refused = await lab.cortext(['init', '--json'])
    expect(refused.code).toBe(1)
    const { error } = JSON.parse(refused.stdout)
    expect(error).toMatchObject({ code: 'refused', fix: `cd ${join(lab.root, 'main')} && cortext init` })
    expect(readdirSync(lab.root).sort()).toEqual(['.bare', '.git', 'main'])
    const cwd = join(lab.root, 'main')
    expect(await lab.json(['init', '--shared', '--json'], { cwd })).toMatchObject({ root: cwd, git: true })
    await lab.json(['start', 'plan', 'Here', '--json'], { cwd })
    expect(await lab.json(['stop', '1', '--json'], { cwd })).toHaveProperty('committed')
  })

  test('its .git leads nowhere', async () => {
    const lab = await workspaceLab({ git: 'none' })
    writeFileSync(join(lab.root, '.git'), 'gitdir: /nowhere/worktrees/x\n')
    await lab.json(['start', 'plan', 'Here', '--json'])
    for (const args of [['init'], ['doctor'], ['list'], ['stop', '1']]) {
      const { stdout, stderr } = await lab.cortext(args)
      const told = (stdout + stderr).replace(/\n\s+/g, ' ')
      expect(told, args.join(' ')).toContain('leads to no repository (/nowhere/worktrees/x)')
      expect(told, args.join(' ')).toContain(`git worktree repair ${lab.root}`)
    }
  })
})

test('a sparse checkout: what git has is named, keeps its number, and new talk is committed', async () => {
  const lab = await workspaceLab()
  lab.git('add', '--all')
  await lab.json(['start', 'plan', 'Old talk', '--json'])
  await lab.json(['stop', '1', '--json'])
  lab.git('add', '--all')
  lab.git('commit', '--quiet', '--message=set up')
  const clone = join(lab.home, 'clone')
  lab.git('clone', '--quiet', '--no-checkout', lab.root, clone)
  const git = (...args: string[]) => lab.git('-C', clone, ...args)
  git('sparse-checkout', 'set', '--cone', 'apps')
  git('checkout', '--quiet', 'trunk')
  const inClone = { cwd: clone, ...anew }
  const told = async (...args: string[]) => {
    const { stdout, stderr } = await lab.cortext(args, inClone)
    return (stdout + stderr).replace(/\n\s+/g, ' ')
  }
  const help = 'git sparse-checkout add conversations .workspace'
  expect(await told('list')).toContain(`fix: ${help} && cortext init`)
  expect(await told('init', '--shared')).toContain(help)
  expect(await told('list')).toContain(
    `1 conversation that your sparse checkout leaves out. To bring them: ${help}`,
  )
  expect(await told('doctor')).toContain('git sparse-checkout add')
  const { id } = await lab.json<{ id: string }>(['start', 'plan', 'New talk', '--json'], inClone)
  expect(id).toMatch(/^002-/)
  expect(await lab.json(['stop', '2', '--json'], inClone)).toHaveProperty('committed')
  expect(git('ls-tree', '-r', '--name-only', 'HEAD')).toMatch(/001-plan-old-talk(.|\n)*002-plan-new-talk/)
  expect(git('status', '--porcelain', '--', 'conversations')).toBe('')
  execFileSync('sh', ['-c', help], { cwd: clone, env: lab.env })
  expect(await told('list')).toMatch(/Old talk/)
  expect(await told('list')).not.toContain('sparse')
})

test('a workspace in a folder of a repository: init and doctor say that clients started at the top are not recorded', async () => {
  const lab = await workspaceLab({ init: 'none' })
  const cwd = join(lab.root, 'apps')
  mkdirSync(cwd)
  const told = async (...args: string[]) => (await lab.cortext(args, { cwd })).stdout.replace(/\n\s+/g, ' ')
  expect(await told('init')).toContain(`Clients that you start in ${lab.root} are not recorded`)
  expect(await told('doctor')).toContain(`clients that are started in ${lab.root} are not recorded`)
  await lab.json(['init', '--json'])
  expect(await told('doctor')).not.toContain('are not recorded, because')
})

test('without git on PATH, and with a git that is too old, a stop says so and what to do', async () => {
  const lab = await workspaceLab()
  const programs = join(lab.home, 'programs')
  mkdirSync(programs)
  const env = { PATH: programs }
  await lab.json(['start', 'plan', 'Here', '--json'])
  const none = await lab.cortext(['stop', '1'], { env, wrap: ['/usr/bin/env'] })
  expect(none).toMatchObject({ code: 0 })
  expect(none.stderr).toMatch(
    /^Not committed: git is not on PATH\nTo commit it: install git, or put it on PATH; then/m,
  )
  const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim()
  const refuses =
    'case "$*" in *--pathspec-from-file*) echo "error: unknown option \\`pathspec-from-file=-\'" >&2; echo "usage: git commit [<options>]" >&2; exit 129;; esac'
  putProgram(programs, 'git', `${refuses}\nexec ${real} "$@"`)
  const old = await lab.cortext(['save', '1', '--commit'], {
    env: { PATH: `${programs}:${process.env.PATH}` },
  })
  expect(old.stderr).toMatch(/^Not committed: git is too old\nTo commit it: install git 2\.25 or newer/m)
})

test('git’s configuration, its index or its head is damaged: every verb works, and a stop gives git’s words', async () => {
  const lab = await workspaceLab()
  await lab.json(['start', 'plan', 'Here', '--json'])
  for (const name of ['config', 'index', 'HEAD']) {
    const file = join(lab.root, '.git', name)
    const before = existsSync(file) ? readFileSync(file) : undefined
    writeFileSync(file, '[damaged')
    for (const args of [['list'], ['show', '1'], ['save', '1', '--commit'], ['doctor'], ['init']]) {
      const run = await lab.cortext(args, anew)
      expect(run.code, `${name}: ${args.join(' ')}: ${run.stderr}`).toBe(args[0] === 'doctor' ? 1 : 0)
      expect(run.stderr).not.toMatch(/^\s+at |a bug in cortext/m)
    }
    if (before === undefined) rmSync(file)
    else writeFileSync(file, before)
  }
})
