import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blame, commitsTouching, fromTop, fullNames, textsAt } from '../../../src/workspace/git/blame.ts'
import { tempFolder, tempRepository, treeAt } from '../../helpers/repository.ts'

test('blame follows a file through renames and folders, whatever characters its name contains', async () => {
  const repository = tempRepository({ 'sub/a "b"\tä.txt': 'one\ntwo\n' })
  const { git, root, env, write } = repository
  const sub = join(root, 'sub')
  git('mv', 'sub/a "b"\tä.txt', 'sub/c.txt')
  write('sub/c.txt', 'one\ntwo\nthree\n')
  git('commit', '--quiet', '--all', '--message=more')
  const [first, second] = git('rev-list', '--reverse', 'HEAD').trim().split('\n')
  const blamed = await blame(treeAt(sub, env), 'c.txt')
  expect(blamed!.lines.map(({ commit, line }) => [commit.sha, commit.path, line])).toEqual([
    [first, 'sub/a "b"\tä.txt', 1],
    [first, 'sub/a "b"\tä.txt', 2],
    [second, 'sub/c.txt', 3],
  ])
  const previous = blamed!.lines[2]!.commit.previous!
  expect(previous).toEqual({ sha: first, path: 'sub/a "b"\tä.txt' })
  expect(await textsAt(treeAt(sub, env), [previous, { sha: second!, path: 'sub/none' }])).toEqual([
    'one\ntwo\n',
    undefined,
  ])
  expect(
    (await commitsTouching(treeAt(sub, env), ['sub/c.txt'])).map(({ sha, before }) => [sha, before]),
  ).toEqual([[second, ['']]])
  expect(fromTop(sub, 'c.txt')).toBe('sub/c.txt')
  expect(await fullNames(treeAt(sub, env), [second!.slice(0, 7), '0123abc'])).toEqual(
    new Map([[second!.slice(0, 7), second]]),
  )
})

test('a file that is not UTF-8 is read together with others that are', async () => {
  const { git, root, env, write } = tempRepository({ 'a.txt': 'ä\n' })
  writeFileSync(join(root, 'b.bin'), Buffer.from([0xff, 0xfe, 0x0a, 0xc3]))
  write('empty.txt', '')
  git('add', '--all')
  git('commit', '--quiet', '--message=more')
  const texts = await textsAt(
    treeAt(root, env),
    ['a.txt', 'b.bin', 'empty.txt', 'none'].map((path) => ({ sha: 'HEAD', path })),
  )
  expect(texts).toEqual(['ä\n', expect.stringContaining('\ufffd'), '', undefined])
})

test('blame knows nothing outside git, before the first commit, and about a file that HEAD does not have', async () => {
  const folder = tempFolder()
  const { root, env } = tempRepository({ 'a.txt': 'a' })
  expect(await blame(treeAt(folder, env), 'a.txt')).toBeUndefined()
  expect(await blame(treeAt(root, env), 'none.txt')).toBeUndefined()
  execFileSync('git', ['init', '--quiet'], { cwd: folder, env })
  expect(await blame(treeAt(folder, env), 'a.txt')).toBeUndefined()
})
