import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ensureFolder } from '../../src/io/ensure-folder.ts'
import { program, run, tempFolder } from '../store/sandbox.ts'

const unsafe = expect.objectContaining({ code: 'unsafe-path' })

describe('ensureFolder', () => {
  test('makes missing folders with the mode, and accepts existing ones', () => {
    const root = join(tempFolder(), 'root')
    ensureFolder(root, join(root, 'a/b'), 0o700)
    ensureFolder(root, join(root, 'a/b/c'))
    ensureFolder(root, root)
    expect(statSync(join(root, 'a/b')).mode & 0o777).toBe(0o700)
    expect(existsSync(join(root, 'a/b/c'))).toBe(true)
  })

  test('a symlink or a file on the way is refused by name; nothing is made below it', () => {
    const root = tempFolder()
    mkdirSync(join(root, 'elsewhere'))
    symlinkSync(join(root, 'elsewhere'), join(root, 'link'))
    symlinkSync(join(root, 'nowhere'), join(root, 'dangling'))
    writeFileSync(join(root, 'file'), 'kept')
    for (const name of ['link', 'dangling', 'file']) {
      expect(() => ensureFolder(root, join(root, name, 'x'))).toThrow(unsafe)
      expect(() => ensureFolder(root, join(root, name))).toThrow(join(root, name))
    }
    expect(readdirSync(join(root, 'elsewhere'))).toEqual([])
    expect(readFileSync(join(root, 'file'), 'utf8')).toBe('kept')
  })

  test('the root may be reached through a symlink', () => {
    const folder = tempFolder()
    mkdirSync(join(folder, 'real'))
    symlinkSync(join(folder, 'real'), join(folder, 'root'))
    ensureFolder(join(folder, 'root'), join(folder, 'root/a'))
    expect(existsSync(join(folder, 'real/a'))).toBe(true)
  })

  test('S4-P1-15: makes nothing outside the root', () => {
    const root = join(tempFolder(), 'root')
    for (const folder of [join(root, '..'), join(root, '../other'), '/'])
      expect(() => ensureFolder(root, folder)).toThrow(unsafe)
    ensureFolder(root, join(root, '..dots'))
    expect(readdirSync(root)).toEqual(['..dots'])
  })

  test('several processes can make a folder at once', async () => {
    const folder = tempFolder()
    const maker = program(
      folder,
      `import { ensureFolder } from './io/ensure-folder.ts'
       for (let i = 0; i < 100; i++) ensureFolder(process.argv[2], process.argv[2] + '/' + i + '/a/b')`,
    )
    const ended = await Promise.all([1, 2, 3, 4].map(() => run(maker, [join(folder, 'root')])))
    expect(ended.map(({ stderr }) => stderr).join('')).toBe('')
  })
})
