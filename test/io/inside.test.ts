import { execFileSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  copyInside,
  isFileInside,
  isInside,
  listInside,
  MAX_TEXT,
  openInside,
  openToAppendInside,
  pathInside,
  readInside,
  removeEmptyInside,
  removeInside,
  renameInside,
  statInside,
  writeInside,
} from '../../src/io/inside.ts'
import { tempFolder } from '../store/sandbox.ts'

const unsafe = expect.objectContaining({ code: 'unsafe-path', fix: expect.any(String) })

/** A root with a file, a folder, and what a stranger may have put there; `outside` has a file and a folder too. */
function places() {
  const base = tempFolder()
  const [root, outside] = [join(base, 'root'), join(base, 'outside')]
  for (const folder of [join(root, 'folder'), join(outside, 'folder')]) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'file'), 'kept')
  }
  symlinkSync(join(outside, 'folder'), join(root, 'way'))
  symlinkSync(join(outside, 'folder/file'), join(root, 'link'))
  symlinkSync('folder/file', join(root, 'within'))
  symlinkSync(join(outside, 'nothing'), join(root, 'dangling'))
  execFileSync('mkfifo', [join(root, 'pipe')])
  return { root, outside }
}

/** Everything that takes a path of one file, by what it does. */
const DOES: Record<string, (root: string, path: string) => unknown> = {
  pathInside,
  statInside,
  isFileInside,
  openInside,
  readInside,
  listInside: (root, path) => listInside(root, path, ''),
  writeInside: (root, path) => writeInside(root, path, 'new'),
  openToAppendInside,
  copyInside: (root, path) => copyInside({ root, path }, { root, path: 'copy' }),
  'copyInside, to it': (root, path) => copyInside({ root, path: 'folder/file' }, { root, path }),
  removeInside,
  'removeInside, folders': (root, path) => removeInside(root, path, { recursive: true }),
  removeEmptyInside,
}

describe.each(Object.entries(DOES))('%s', (_, does) => {
  // promise: No link below the workspace's root is followed, and nothing enters `.git`.
  test.each(['link', 'within', 'dangling', 'way', 'way/file', 'way/new', 'way/deep/er', 'dangling/x'])(
    'follows no link: %s',
    (path) => {
      const { root, outside } = places()
      expect(() => does(root, path)).toThrow(unsafe)
      expect(() => does(root, path)).toThrow(join(root, path.split('/')[0]!))
      expect(readdirSync(outside)).toEqual(['folder'])
      expect(readdirSync(join(outside, 'folder'))).toEqual(['file'])
      expect(readFileSync(join(outside, 'folder/file'), 'utf8')).toBe('kept')
    },
  )

  test.each([
    '',
    '..',
    '../outside/folder/file',
    'folder/../../outside',
    '/etc/passwd',
    './x',
    'a//b',
    'x\0y',
  ])('refuses what is no path inside: %j', (path) => {
    const { root } = places()
    expect(() => does(root, path)).toThrow(expect.objectContaining({ code: 'unsafe-path' }))
  })

  // promise: No link below the workspace's
  test.each(['.git', '.git/config', 'sub/.GIT/hooks/x'])("keeps out of git's own folder: %s", (path) => {
    const { root } = places()
    expect(() => does(root, path)).toThrow(expect.objectContaining({ code: 'unsafe-path' }))
  })
})

test.each(['readInside', 'openInside', 'writeInside', 'openToAppendInside', 'copyInside'])(
  '%s: a pipe or a folder is no file, and nobody waits',
  (name) => {
    const { root } = places()
    for (const path of ['pipe', 'folder']) expect(() => DOES[name]!(root, path)).toThrow(unsafe)
  },
)

// promise: whole files are read up to 16 MB, files of lines, attachments and documents up to 256 MB
test('the error for a file that is too large names its size, and the file is not read', () => {
  const { root } = places()
  truncateSync(join(root, 'folder/file'), MAX_TEXT)
  expect(readInside(root, 'folder/file')).toHaveLength(MAX_TEXT)
  truncateSync(join(root, 'folder/file'), MAX_TEXT + 1)
  expect(() => readInside(root, 'folder/file')).toThrow('has 17 MB, and at most 16 MB are read')
})

test('plain files are read, written, listed, renamed and removed; a missing file is not an error', () => {
  const { root } = places()
  expect(readInside(root, 'folder/file')).toBe('kept')
  expect([readInside(root, 'no/such'), readInside(root, 'folder/file/x')]).toEqual([undefined, undefined])
  writeInside(root, 'a/b/c', 'one')
  closeSync(openToAppendInside(root, 'a/b/d'))
  expect(listInside(root, 'a/b', '')).toEqual(['c', 'd'])
  expect([listInside(root, 'nowhere', ''), listInside(root, 'a/b/c', '')]).toEqual([[], []])
  renameInside(root, 'a/b/c', 'e')
  expect(readInside(root, 'a/b/e')).toBe('one')
  removeInside(root, 'a/b/e')
  removeInside(root, 'a/b/e')
  removeEmptyInside(root, 'a/b')
  expect(existsSync(join(root, 'a/b/d'))).toBe(true)
})

test('anything can be renamed within its folder; the new name must not be a path', () => {
  const { root, outside } = places()
  renameInside(root, 'pipe', 'pipe.old')
  expect(readdirSync(root)).toContain('pipe.old')
  for (const name of ['../../outside/file', 'way/file', '..'])
    expect(() => renameInside(root, 'folder/file', name)).toThrow()
  expect(readdirSync(outside)).toEqual(['folder'])
})

test('a folder is removed with the links in it, and their targets stay', () => {
  const { root, outside } = places()
  symlinkSync(outside, join(root, 'folder/out'))
  removeInside(root, 'folder', { recursive: true })
  expect(existsSync(join(root, 'folder'))).toBe(false)
  expect(readFileSync(join(outside, 'folder/file'), 'utf8')).toBe('kept')
})

test('the root itself may be reached through a link', () => {
  const { root, outside } = places()
  symlinkSync(root, join(outside, 'project'))
  writeInside(join(outside, 'project'), 'new', 'x')
  expect(readInside(root, 'new')).toBe('x')
})

test('names with dots, spaces and letters of any script are paths inside', () => {
  for (const path of ['..a', 'a..', '...', '.gitignore', 'a b/ü', '.github/x'])
    expect(isInside(path)).toBe(true)
})
