import { join } from 'node:path'
import { expect, test } from 'vitest'
import { applyVisibility } from '../../src/workspace/visibility.ts'
import { tempRepository } from '../helpers/repository.ts'

test.each(['we[i]rd', 'a*b', '!not', '#no-comment', 'ends in a space ', 'w?y', 'back\\slash'])(
  'a private workspace in the folder %j hides its own files, and no others',
  (name) => {
    const { root, git, write } = tempRepository({ 'README.md': 'x' })
    const others = ['weird', 'axb', 'not', 'no-comment', 'ends in a space', 'why', 'backslash']
    for (const folder of [name, ...others]) write(`${folder}/notes/a.md`, 'x')
    write(`${name}/mine.md`, 'x')
    applyVisibility(join(root, name), 'private', { folders: ['notes/'], files: [] })
    const seen = git('-c', 'core.quotePath=false', 'status', '--porcelain', '-z', '--untracked-files=all')
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => line.slice(3))
    expect(seen.sort()).toEqual([`${name}/mine.md`, ...others.map((folder) => `${folder}/notes/a.md`)].sort())
  },
)

test('a folder of a type whose name contains patterns is hidden, and no other', () => {
  const { root, git, write } = tempRepository({ 'README.md': 'x' })
  for (const folder of ['talks [ours]', 'talks o']) write(`${folder}/a.md`, 'x')
  applyVisibility(root, 'private', { folders: ['talks [ours]/'], files: [] })
  expect(git('status', '--porcelain', '-z', '--untracked-files=all')).toBe('?? talks o/a.md\0')
})
