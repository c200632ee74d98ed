import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { findRepository } from '../../src/workspace/repository.ts'
import { gitEnv, tempFolder, tempRepository } from '../helpers/repository.ts'

const LOOSE = ['-c', 'protocol.file.allow=always']

describe('a repository is found as git finds it', () => {
  const asGit = (folder: string) => {
    const question = [
      'rev-parse',
      '--path-format=absolute',
      '--show-toplevel',
      '--git-common-dir',
      '--git-dir',
    ]
    const told = execFileSync('git', question, { cwd: folder, encoding: 'utf8' }).trim().split('\n')
    const [top, common, gitDir] = told.map((path) => realpathSync(path))
    return { top, common, gitDir }
  }

  test('a repository is found from its top, a folder, a worktree, a submodule, and past a .git that is not one', () => {
    const { root, git } = tempRepository({ 'a/b': 'x' })
    const other = join(tempFolder(), 'other')
    git('worktree', 'add', '--quiet', '-b', 'other', other)
    git(...LOOSE, 'submodule', '--quiet', 'add', tempRepository({ c: 'x' }).root, 'sub')
    mkdirSync(join(root, 'a', '.git'))
    for (const folder of [root, join(root, 'a'), other, join(root, 'sub')])
      expect(findRepository(folder), folder).toEqual({ ...asGit(folder), knowsTop: true })
  })

  test('a folder is found whose name contains a line break', () => {
    const [root, other] = [join(tempFolder(), 'a\nb'), join(tempFolder(), 'c\nd')]
    const git = (...args: string[]) => execFileSync('git', args, { env: gitEnv(root) })
    git('init', '--quiet', root)
    git('-C', root, 'commit', '--quiet', '--allow-empty', '--message=x')
    git('-C', root, 'worktree', 'add', '--quiet', '-b', 'other', other)
    const common = join(root, '.git')
    for (const [top, gitDir] of [
      [root, common],
      [other, join(common, 'worktrees', 'c-d')],
    ] as const)
      expect(findRepository(top)).toEqual({ top, common, gitDir, knowsTop: true })
  })

  // promise: Only a repository that git
  test("a repository whose .git is elsewhere gets nothing of this machine's own, though git works there", () => {
    const [root, apart] = [tempFolder(), join(tempFolder(), 'apart')]
    execFileSync('git', ['init', '--quiet', `--separate-git-dir=${apart}`], { cwd: root })
    expect(findRepository(root)).toEqual({ ...asGit(root), knowsTop: false })
  })

  // promise: Only a repository that git
  // promise: Otherwise cortext works as outside git.
  test('a file that leads to no repository hides the repository above it', () => {
    const { root } = tempRepository({ 'a/b': 'x' })
    writeFileSync(join(root, 'a', '.git'), 'gitdir: ../nowhere\n')
    expect(findRepository(join(root, 'a'))).toBeUndefined()
    expect(() => execFileSync('git', ['rev-parse'], { cwd: join(root, 'a'), stdio: 'ignore' })).toThrow()
  })

  // promise: Only a repository that git itself would accept from you is given anything
  test.runIf(process.geteuid?.() === 0)(
    'a repository of another user is found only if git is configured to trust it',
    () => {
      const [named, refused] = [tempRepository({ a: 'x' }).root, tempRepository({ a: 'x' }).root]
      for (const root of [named, refused]) chownSync(join(root, '.git'), 4711, 4711)
      const home = tempFolder()
      writeFileSync(join(home, '.gitconfig'), `[safe]\n\tdirectory = ${named}\n`)
      vi.stubEnv('HOME', home)
      vi.stubEnv('XDG_CONFIG_HOME', '')
      vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1')
      expect(findRepository(named)?.top).toBe(named)
      expect(findRepository(refused)).toBeUndefined()
      vi.unstubAllEnvs()
    },
  )
})
