import { chmodSync, existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commitMessage, commitPaths } from '../../../src/workspace/git/commit.ts'
import { gitEnv, tempFolder, tempRepository, treeAt } from '../../helpers/repository.ts'

const FOLDER = 'conversations/2026-11-21/001-brainstorm-api'

function repositoryWithConversation() {
  const repository = tempRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
  repository.write(`${FOLDER}/brainstorm.md`, '# API\n')
  repository.write(`${FOLDER}/.session/session.json`, '{}\n')
  const commit = (extra = {}) =>
    commitPaths({ ...treeAt(repository.root, repository.env), paths: [FOLDER], message: 'save', ...extra })
  return { ...repository, commit }
}

describe('commitPaths', () => {
  // promise: cortext never rewrites it, so nothing is redacted in it, and a stop commits it in a shared
  test('S1-006a the markdown and the session go into one commit', async () => {
    const { git, commit } = repositoryWithConversation()
    const outcome = await commit()
    const files = [`${FOLDER}/.session/session.json`, `${FOLDER}/brainstorm.md`]
    expect(outcome).toEqual({ committed: git('rev-parse', 'HEAD').trim(), paths: files, ignored: [] })
    expect(git('show', '--format=', '--name-only').trim().split('\n')).toEqual(files)
    expect(git('status', '--porcelain')).toBe('')
  })

  test('a link in the place of a folder is not followed into the commit', async () => {
    const { root, git, write, commit } = repositoryWithConversation()
    write(`${FOLDER}/.session/summaries/a.json`, '{}\n')
    await commit()
    const outside = tempFolder()
    writeFileSync(join(outside, 'a.json'), '"outside"\n')
    const place = join(root, FOLDER, '.session/summaries')
    rmSync(place, { recursive: true })
    symlinkSync(outside, place)
    write(`${FOLDER}/brainstorm.md`, '# New\n')
    expect(await commit()).toMatchObject({
      notCommitted: expect.stringContaining(`${place} is a symbolic link`),
    })
    expect(git('log', '--format=%s').split('\n')[0]).toBe('save')
    expect(git('show', `HEAD:${FOLDER}/.session/summaries/a.json`)).toBe('{}\n')
    expect(git('status', '--porcelain', '--untracked-files=no')).toContain('summaries/a.json')
  })

  test('E-12 other staged changes stay staged, exactly', async () => {
    const { git, write, commit } = repositoryWithConversation()
    write('a.txt', 'staged\n')
    write('new.txt', 'new\n')
    git('add', 'a.txt', 'new.txt')
    git('rm', '--quiet', 'b.txt')
    write('a.txt', 'staged, then edited\n')
    write('intent.txt', 'x\n')
    git('add', '--intent-to-add', 'intent.txt')
    const before = [git('diff', '--cached'), git('diff')]
    expect(await commit()).toHaveProperty('committed')
    expect([git('diff', '--cached'), git('diff')]).toEqual(before)
    expect(git('show', '--format=', '--name-only')).not.toMatch(/[ab]\.txt|new\.txt/)
  })

  test('E-12 works from a workspace in a subfolder, with names that mean something to git', async () => {
    const { root, env, git, write } = tempRepository({ 'sub/*/a.md': '1', 'sub/x/a.md': '1' })
    write('sub/*/a.md', '2')
    write('sub/x/a.md', '2')
    write('sub/:(top)/ä b.md', '2')
    const outcome = await commitPaths({
      ...treeAt(join(root, 'sub'), env),
      paths: ['*', ':(top)'],
      message: 'm',
    })
    expect(outcome).toMatchObject({ paths: ['*/a.md', ':(top)/ä b.md'] })
    expect(git('status', '--porcelain')).toBe(' M sub/x/a.md\n')
  })

  test('X-20 a file that the person removed from the index and ignores is not committed again', async () => {
    const { git, write, commit } = repositoryWithConversation()
    await commit()
    write('.gitignore', 'brainstorm.md\n')
    git('rm', '--quiet', '--cached', `${FOLDER}/brainstorm.md`)
    write(`${FOLDER}/brainstorm.md`, '# More\n')
    const before = git('status', '--porcelain')
    const outcome = await commit()
    expect(outcome).toMatchObject({ notCommitted: expect.any(String), ignored: [`${FOLDER}/brainstorm.md`] })
    expect(git('status', '--porcelain')).toBe(before)
    expect(before).toContain(`D  ${FOLDER}/brainstorm.md`)
  })

  test('deleted files of a conversation are committed as such', async () => {
    const { root, git, commit } = repositoryWithConversation()
    await commit()
    rmSync(join(root, FOLDER, 'brainstorm.md'))
    expect(await commit()).toMatchObject({ paths: [`${FOLDER}/brainstorm.md`] })
    expect(git('status', '--porcelain')).toBe('')
  })

  test('E-28 the first commit of a repository', async () => {
    const { root, env, git, write } = tempRepository()
    write(`${FOLDER}/brainstorm.md`, '# API\n')
    write('other.txt', 'x')
    git('add', 'other.txt')
    expect(await commitPaths({ ...treeAt(root, env), paths: [FOLDER], message: 'm' })).toHaveProperty(
      'committed',
    )
    expect(git('status', '--porcelain')).toBe('A  other.txt\n')
    expect(git('symbolic-ref', '--short', 'HEAD')).toBe('trunk\n')
  })

  test('a commit without changes is reported, and is not an error', async () => {
    const { git, commit } = repositoryWithConversation()
    await commit()
    const head = git('rev-parse', 'HEAD')
    expect(await commit()).toEqual({ notCommitted: 'nothing to commit', ignored: [] })
    expect(git('rev-parse', 'HEAD')).toBe(head)
  })

  test('X-20 S0-D1g an ignored .session/ is left out and named, never forced in', async () => {
    const { git, write, commit } = repositoryWithConversation()
    write('.gitignore', '.session/\n')
    const outcome = await commit({
      message: (paths: string[]) => commitMessage({ type: 'brainstorm', title: 'API', paths }),
    })
    expect(outcome).toMatchObject({ paths: [`${FOLDER}/brainstorm.md`], ignored: [`${FOLDER}/.session`] })
    expect(git('log', '-1', '--format=%s')).toBe('[conversation] brainstorm: API\n')
    expect(await commit()).toMatchObject({ notCommitted: expect.stringContaining('.session') })
  })

  test('E-28 outside git there is no commit, and the outcome says why', async () => {
    const folder = tempFolder()
    const outcome = await commitPaths({ ...treeAt(folder, gitEnv(folder)), paths: ['x'], message: 'm' })
    expect(outcome).toMatchObject({ notCommitted: expect.stringContaining('not in a git repository') })
  })

  test('E-28 a failing hook is not bypassed; its message is reported and the index is as before', async () => {
    const { root, git, commit } = repositoryWithConversation()
    hook(root, 'pre-commit', 'echo "lint says no" >&2; exit 1')
    const before = [git('status', '--porcelain'), git('ls-files', '--stage')]
    expect(await commit()).toMatchObject({ notCommitted: expect.stringContaining('lint says no') })
    expect([git('status', '--porcelain'), git('ls-files', '--stage')]).toEqual(before)
  })

  test('E-28 a hook that never ends is ended, with what it started', async () => {
    const { root, git, commit } = repositoryWithConversation()
    const mark = join(tempFolder(), 'survived')
    hook(root, 'pre-commit', `sleep 3; touch '${mark}'`)
    const outcome = await commit({ timeout: 300 })
    expect(outcome).toMatchObject({ notCommitted: expect.stringContaining('took longer than 0.3 s') })
    await new Promise((resolve) => setTimeout(resolve, 3200))
    expect(existsSync(mark)).toBe(false)
    rmSync(join(root, '.git/hooks/pre-commit'))
    expect(await commit()).toHaveProperty('committed')
    expect(git('status', '--porcelain')).toBe('')
  })

  test('E-28 a hook that does not want to end is ended all the same', async () => {
    const { root, commit } = repositoryWithConversation()
    hook(root, 'pre-commit', 'trap "" TERM; while :; do sleep 1; done')
    expect(await commit({ timeout: 300 })).toMatchObject({
      notCommitted: expect.stringContaining('took longer'),
    })
  })

  test('E-28 a hook finds no terminal to ask on', async () => {
    const { root, commit } = repositoryWithConversation()
    hook(
      root,
      'pre-commit',
      'if (exec < /dev/tty) 2>/dev/null; then echo "has a terminal"; exit 1; fi; read -r x; exit 0',
    )
    expect(await commit()).toHaveProperty('committed')
  })

  test('E-28 a failure to sign is reported, and the commit is not made unsigned', async () => {
    const { git, commit } = repositoryWithConversation()
    git('config', 'commit.gpgSign', 'true')
    git('config', 'gpg.program', '/bin/false')
    const head = git('rev-parse', 'HEAD')
    expect(await commit()).toMatchObject({ notCommitted: expect.stringMatching(/sign|gpg/) })
    expect(git('rev-parse', 'HEAD')).toBe(head)
  })

  test('E-28 without an identity git is quoted', async () => {
    const { root, git } = repositoryWithConversation()
    git('config', 'user.useConfigOnly', 'true')
    const env = { PATH: process.env.PATH ?? '', HOME: tempFolder() }
    const outcome = await commitPaths({ ...treeAt(root, env), paths: [FOLDER], message: 'm' })
    expect(outcome).toMatchObject({ notCommitted: expect.stringMatching(/identity|email/i) })
  })

  test('E-28 E-9 on a detached HEAD nothing is committed and nothing is switched', async () => {
    const { git, commit } = repositoryWithConversation()
    git('checkout', '--quiet', '--detach')
    const before = git('for-each-ref')
    expect(await commit()).toMatchObject({ notCommitted: expect.stringContaining('detached') })
    expect(git('for-each-ref')).toBe(before)
  })

  test.each(['cherry-pick', 'revert', 'rebase'])(
    'E-12 in the middle of a %s nothing is committed',
    async (doing) => {
      const { git, write, commit } = repositoryWithConversation()
      write('a.txt', 'second\n')
      git('commit', '--quiet', '--message=second', 'a.txt')
      git('branch', 'other', 'HEAD')
      write('a.txt', 'third\n')
      git('commit', '--quiet', '--message=third', 'a.txt')
      // Each of them stops at a conflict.
      if (doing === 'revert') expect(() => git('revert', '--no-edit', 'HEAD~1')).toThrow()
      else {
        git('switch', '--quiet', 'other')
        write('a.txt', 'another third\n')
        git('commit', '--quiet', '--message=another', 'a.txt')
        expect(() => git(doing, 'trunk')).toThrow()
      }
      const before = git('status', '--porcelain')
      expect(await commit()).toMatchObject({
        notCommitted: expect.stringContaining(`a ${doing} is in progress`),
      })
      expect(git('status', '--porcelain')).toBe(before)
    },
  )

  test('E-12 in the middle of a merge nothing is committed', async () => {
    const { git, write, commit } = repositoryWithConversation()
    git('checkout', '--quiet', '-b', 'side')
    write('a.txt', 'side\n')
    git('commit', '--quiet', '--message=side', 'a.txt')
    git('checkout', '--quiet', 'trunk')
    git('merge', '--quiet', '--no-ff', '--no-commit', 'side')
    const before = git('status', '--porcelain')
    expect(await commit()).toMatchObject({ notCommitted: expect.stringContaining('a merge is in progress') })
    expect(git('status', '--porcelain')).toBe(before)
  })

  test('E-10 waits for another git that holds the index', async () => {
    const { root, commit } = repositoryWithConversation()
    const lock = join(root, '.git/index.lock')
    writeFileSync(lock, '')
    setTimeout(() => rmSync(lock), 700)
    expect(await commit()).toHaveProperty('committed')
  })

  test('E-10 commits made at the same moment are all made', async () => {
    const { root, env, git, write } = tempRepository({ 'a.txt': 'a' })
    const folders = ['001-plan-a', '002-plan-b', '003-plan-c', '004-plan-d', '005-plan-e', '006-plan-f']
    for (const folder of folders) write(`conversations/${folder}/plan.md`, folder)
    const outcomes = await Promise.all(
      folders.map((folder) =>
        commitPaths({ ...treeAt(root, env), paths: [`conversations/${folder}`], message: folder }),
      ),
    )
    for (const outcome of outcomes) expect(outcome).toHaveProperty('committed')
    expect(git('rev-list', '--count', 'HEAD')).toBe('7\n')
    expect(git('status', '--porcelain')).toBe('')
  })

  test("a client's injected git configuration does not hide the person's own", async () => {
    const { root, env, git, commit } = repositoryWithConversation()
    hook(root, 'pre-commit', 'echo "the hook ran" >&2; exit 1')
    const injected = {
      ...env,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.hooksPath',
      GIT_CONFIG_VALUE_0: '/dev/null',
      GIT_DIR: '/nowhere',
      GIT_INDEX_FILE: '/nowhere/index',
    }
    expect(await commit({ environment: { env: injected } })).toMatchObject({
      notCommitted: expect.stringContaining('the hook ran'),
    })
    expect(git('log', '--format=%s')).toBe('first\n')
  })
})

describe('commitMessage', () => {
  const about = { type: 'brainstorm', title: 'API Design' }

  test('S1-006b the message says that the session was saved', () => {
    expect(commitMessage({ ...about, paths: ['c/brainstorm.md', 'c/.session/session.json'] })).toBe(
      '[conversation] brainstorm: API Design (session state saved)',
    )
  })

  test('S1-006c S1-006d session files alone are a session update', () => {
    expect(commitMessage({ ...about, paths: ['c/.session/session.json'] })).toBe(
      '[session] session update: API Design',
    )
  })

  test('E-2 a huge title is cut, because a command line cannot contain it', () => {
    const subject = commitMessage({ type: 'plan', title: 'word '.repeat(100_000), paths: ['p.md'] })
    expect(subject).toMatch(/^\[conversation\] plan: (?:word ){20,23}word…$/)
  })

  test('the trailer stands alone in the last paragraph, on one line', () => {
    const paths = ['c/brainstorm.md']
    expect(commitMessage({ ...about, paths, trailer: 'Conversation: 2026-01-02/001-a\nX: y' })).toBe(
      '[conversation] brainstorm: API Design\n\nConversation: 2026-01-02/001-a X: y',
    )
  })

  test('E-2 a title is data, on one line', () => {
    expect(
      commitMessage({ type: 'plan', title: 'a\n\nCo-Authored-By: $(x) `y`\t\u0000z', paths: ['p.md'] }),
    ).toBe('[conversation] plan: a Co-Authored-By: $(x) `y` z')
  })
})

function hook(root: string, name: string, body: string): void {
  const path = join(root, '.git/hooks', name)
  writeFileSync(path, `#!/bin/sh\n${body}\n`)
  chmodSync(path, 0o755)
}
