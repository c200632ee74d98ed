import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { blame } from '../../../src/workspace/git/blame.ts'
import { changesSince } from '../../../src/workspace/git/changes-since.ts'
import { commitPaths } from '../../../src/workspace/git/commit.ts'
import { hasRemote, ignoredAmong, isTracked, repositoryState } from '../../../src/workspace/git/index.ts'
import { commitsOf } from '../../../src/workspace/git/merging.ts'
import { type Repository, tempFolder, tempRepository, treeAt } from '../../helpers/repository.ts'

const SRC = join(import.meta.dirname, '..', '..', '..', 'src')

/** A program that leaves its name, and which git has called it. */
function trap(folder: string, name: string): { program: string; sprung: () => string[] } {
  const [program, traces] = [join(folder, name), join(folder, `${name}.sprung`)]
  writeFileSync(program, `#!/bin/sh\ntr '\\0' ' ' </proc/$PPID/cmdline >>'${traces}'; echo >>'${traces}'\n`)
  chmodSync(program, 0o755)
  return {
    program,
    sprung: () => (existsSync(traces) ? readFileSync(traces, 'utf8').split('\n').filter(Boolean) : []),
  }
}

/** All that cortext ever asks of git, and its commit. */
async function askAll({ env, git, write }: Repository, root: string): Promise<void> {
  const head = git('rev-parse', 'HEAD').trim()
  write('sub/a.txt', 'changed')
  await repositoryState(treeAt(root, env))
  await changesSince(treeAt(root, env), { head, paths: ['a.txt'] })
  await hasRemote(treeAt(root, env)).catch(() => false)
  await isTracked(treeAt(root, env), 'a.txt')
  await ignoredAmong(treeAt(root, env), ['a.txt']).catch(() => [])
  write('sub/new.txt', 'new')
  await commitPaths({ ...treeAt(root, env), paths: ['a.txt', 'new.txt'], message: 'ours' })
}

describe('git that we start runs nothing that the folder names', () => {
  test('nothing runs that a repository among the files names', async () => {
    const repository = tempRepository({ 'sub/a.txt': 'a' })
    const root = join(repository.root, 'sub')
    const { program, sprung } = trap(tempFolder(), 'watch')
    for (const name of ['objects', 'refs']) mkdirSync(join(root, name))
    writeFileSync(join(root, 'HEAD'), 'ref: refs/heads/trunk\n')
    const core = `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = ${program}\n`
    writeFileSync(join(root, 'config'), core)
    await askAll(repository, root)
    expect(sprung()).toEqual([])
  })

  // promise: Every git that cortext starts
  test("nothing runs that the repository's own configuration names", async () => {
    const repository = tempRepository({ 'sub/a.txt': 'a', '.gitattributes': '*.txt diff=x\n' })
    const { git } = repository
    const names = ['core.fsmonitor', 'diff.external', 'diff.x.command', 'diff.x.textconv', 'core.pager']
    const traps = names.map((name) => trap(tempFolder(), name))
    for (const [index, name] of names.entries()) git('config', name, traps[index]!.program)
    await askAll(repository, join(repository.root, 'sub'))
    expect(traps.flatMap(({ sprung }) => sprung())).toEqual([])
    expect(git('log', '-1', '--format=%s')).toBe('ours\n')
  })

  test("the repository's hooks run for the commit, and for no other command of ours", async () => {
    const repository = tempRepository({ 'sub/a.txt': 'a' })
    const hooks = join(repository.root, '.git/hooks')
    mkdirSync(hooks, { recursive: true })
    const [index, before] = ['post-index-change', 'pre-commit'].map((name) => trap(hooks, name))
    await askAll(repository, join(repository.root, 'sub'))
    expect(before!.sprung()).toHaveLength(1)
    const by = index!.sprung().map((line) => /\b(add|commit|update-index|status|diff)\b/.exec(line)?.[1])
    expect(new Set(by)).toEqual(new Set(['commit']))
  })

  test('the log does not check signatures by a program that the repository names', async () => {
    const repository = tempRepository({ 'a.txt': 'a' })
    const { git, root, env } = repository
    const { program, sprung } = trap(tempFolder(), 'gpg')
    git('config', 'gpg.program', program)
    git('config', 'log.showSignature', 'true')
    const signature = '\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n'
    const input = git('cat-file', 'commit', 'HEAD').replace('\n\n', signature)
    const made = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
      cwd: root,
      env,
      input,
    })
    git('update-ref', 'HEAD', made.toString().trim())
    expect(await commitsOf(treeAt(root, env), ['a.txt'])).toEqual(
      new Map([['a.txt', [made.toString().trim()]]]),
    )
    expect(await blame(treeAt(root, env), 'a.txt')).toMatchObject({ lines: [{ line: 1 }] })
    expect(sprung()).toEqual([])
    git('log', '--format=%H')
    expect(sprung()).not.toEqual([])
  })

  // promise: Every git that cortext starts
  test('nothing is fetched of what a partial clone lacks', async () => {
    const far = tempRepository({ 'sub/a.txt': 'a' })
    far.git('config', 'uploadpack.allowFilter', 'true')
    const head = far.git('rev-parse', 'HEAD').trim()
    far.write('sub/a.txt', 'b')
    far.git('commit', '--quiet', '--all', '--message=more')
    const near = join(tempFolder(), 'near')
    const clone = ['clone', '--quiet', '--filter=tree:0', `file://${far.root}`, near]
    execFileSync('git', clone, { env: far.env, stdio: 'ignore' })
    const { program, sprung } = trap(tempFolder(), 'ssh')
    const remote = (key: string, value: string) =>
      execFileSync('git', ['-C', near, 'config', key, value], { env: far.env })
    remote('remote.origin.url', 'ssh://nobody.invalid/x')
    remote('core.sshCommand', program)
    expect(await changesSince(treeAt(near, far.env), { head, paths: ['sub/a.txt'] })).toBeUndefined()
    expect(sprung()).toEqual([])
  })
})

// promise: Every git that cortext starts runs without file watchers
test('every call of git goes through these settings', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  const calls = files.flatMap((path) =>
    [
      ...readFileSync(join(SRC, path), 'utf8').matchAll(
        /(?<!(?:findProgram|pathOf|CortextError)\()'git',\s*(\w+)|pathOf\('git'.*?\),\s*(\w+)|\.raw\((\w+)/g,
      ),
    ].map(([, ...found]) => `${path}: ${found.find(Boolean)}`),
  )
  expect(calls.sort()).toEqual([
    // Of simple-git, to which the last of these calls belongs.
    'workspace/git/run-git.ts: allowEnvironment',
    'workspace/git/run-git.ts: withOwnSettings',
    'workspace/git/run-git.ts: withOwnSettings',
    'workspace/git/run-git.ts: withOwnSettings',
    // This call only checks whether git accepts a repository of another user, and has settings of its own.
    'workspace/repository.ts: args',
  ])
})
