import { describe, expect, test } from 'vitest'
import { changesSince } from '../../../src/workspace/git/changes-since.ts'
import { hasRemote, ignoredAmong, repositoryState } from '../../../src/workspace/git/index.ts'
import { gitEnvironment } from '../../../src/workspace/git/own-settings.ts'
import { gitEnv, tempFolder, tempRepository, treeAt } from '../../helpers/repository.ts'

describe('repositoryState', () => {
  test('E-28 a folder without git has no repository state', async () => {
    const folder = tempFolder()
    expect(await repositoryState(treeAt(folder, gitEnv(folder)))).toBeUndefined()
  })

  test('E-28 before the first commit there is a branch and no head', async () => {
    const { root, env } = tempRepository()
    expect(await repositoryState(treeAt(root, env))).toEqual({ branch: 'trunk', dirty: false })
  })

  test('E-28 a detached HEAD has a head and no branch', async () => {
    const { root, env, git } = tempRepository({ 'a.txt': 'a' })
    git('checkout', '--quiet', '--detach')
    expect(await repositoryState(treeAt(root, env))).toEqual({
      head: git('rev-parse', 'HEAD').trim(),
      dirty: false,
    })
  })

  test('dirty means a tracked file that differs', async () => {
    const { root, env, write } = tempRepository({ 'a.txt': 'a' })
    write('new.txt', 'untracked')
    expect(await repositoryState(treeAt(root, env))).toMatchObject({ dirty: false })
    write('a.txt', 'b')
    expect(await repositoryState(treeAt(root, env))).toMatchObject({ dirty: true })
  })

  test('without git on PATH there is no state, and no failure', async () => {
    const { root, env } = tempRepository({ 'a.txt': 'a' })
    expect(await repositoryState(treeAt(root, { ...env, PATH: tempFolder() }))).toBeUndefined()
  })
})

describe('changesSince', () => {
  test('counts commits and names the given paths that changed', async () => {
    const { root, env, git, write } = tempRepository({ 'src/api.ts': '1', 'b ä.ts': '1', 'c.ts': '1' })
    const head = git('rev-parse', 'HEAD').trim()
    write('src/api.ts', '2')
    git('commit', '--quiet', '--all', '--message=second')
    write('b ä.ts', '2')
    const paths = ['src/api.ts', 'b ä.ts', 'c.ts', '../outside.ts']
    expect(await changesSince(treeAt(root, env), { head, paths })).toEqual({
      commits: 1,
      changed: ['b ä.ts', 'src/api.ts'],
    })
    expect(await changesSince(treeAt(root, env), { head, dirty: true, paths })).toEqual({
      commits: 1,
      changed: ['src/api.ts'],
    })
  })

  test('paths are relative to a workspace in a subfolder, and may be above it', async () => {
    const { root, env, git, write } = tempRepository({ 'sub/a.ts': '1', 'top.ts': '1' })
    const head = git('rev-parse', 'HEAD').trim()
    write('sub/a.ts', '2')
    write('top.ts', '2')
    const changes = await changesSince(treeAt(`${root}/sub`, env), { head, paths: ['a.ts', '../top.ts'] })
    expect(changes).toEqual({ commits: 0, changed: ['a.ts', '../top.ts'] })
  })

  test('for a commit that this clone does not have, nothing is known', async () => {
    const { root, env } = tempRepository({ 'a.ts': '1' })
    expect(await changesSince(treeAt(root, env), { head: 'f'.repeat(40), paths: ['a.ts'] })).toBeUndefined()
    // A name or an option is not the name of a commit.
    expect(await changesSince(treeAt(root, env), { head: 'HEAD', paths: ['a.ts'] })).toBeUndefined()
  })
})

test('hasRemote', async () => {
  const { root, env, git } = tempRepository()
  expect(await hasRemote(treeAt(root, env))).toBe(false)
  git('remote', 'add', 'origin', 'https://example.org/x.git')
  expect(await hasRemote(treeAt(root, env))).toBe(true)
})

test('X-20 ignoredAmong returns the paths that git ignores, and never tracked ones', async () => {
  const { root, env, write } = tempRepository({ 'kept/.session/a.json': '{}' })
  write('.gitignore', '.session/\n')
  const paths = ['kept/.session/a.json', 'other/.session/', 'a.md']
  expect(await ignoredAmong(treeAt(root, env), paths)).toEqual(['other/.session/'])
  expect(await ignoredAmong(treeAt(root, env), ['a.md'])).toEqual([])
})

test("variables for git from a client or a hook around us are removed, the person's identity is not", () => {
  const clean = gitEnvironment({
    PATH: '/bin',
    GIT_CONFIG_COUNT: '8',
    GIT_CONFIG_KEY_0: 'core.hooksPath',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_DIR: '/elsewhere',
    GIT_INDEX_FILE: 'x',
    GIT_ASKPASS: '',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_COMMITTER_DATE: '2026-01-01',
    SSH_ASKPASS: 'x',
    PAGER: 'less',
  })
  expect(clean).toEqual({ PATH: '/bin', GIT_AUTHOR_NAME: 'Ada', GIT_COMMITTER_DATE: '2026-01-01' })
})
