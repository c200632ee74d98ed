import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeFileAtomic } from '../../src/io/atomic-write.ts'
import { firstWords, program, run, start, syncsOf, tempFolder } from '../store/sandbox.ts'

describe('writeFileAtomic', () => {
  test('replaces the content and leaves nothing else; permissions stay or are as asked', () => {
    const folder = tempFolder()
    const file = join(folder, 'settings.json')
    writeFileAtomic(file, 'one')
    expect(statSync(file).mode & 0o111).toBe(0)
    chmodSync(file, 0o640)
    writeFileAtomic(file, new Uint8Array([0x74, 0x77, 0x6f]))
    expect(readFileSync(file, 'utf8')).toBe('two')
    expect(statSync(file).mode & 0o777).toBe(0o640)
    writeFileAtomic(file, 'three', { mode: 0o600, durable: false })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['settings.json'])
  })

  test('E-17: survives a power cut: the new content is on the disk before its name is, and then the name', async () => {
    const write = (options: string) => `
      import { writeFileAtomic } from './io/atomic-write.ts'
      writeFileAtomic(process.argv[2] + '/file', 'content', ${options})`
    const folder = tempFolder()
    expect(await syncsOf(folder, write('{}'))).toEqual(['synced *', 'renamed * file', 'synced .'])
    expect(await syncsOf(folder, write('{ durable: false }'))).toEqual(['renamed * file'])
  })

  test('E-17: kill -9 at any moment leaves an old or a new file, whole', async () => {
    const folder = tempFolder()
    const file = join(folder, 'file')
    const writer = program(
      folder,
      `import { writeFileAtomic } from './io/atomic-write.ts'
       for (let i = 0; ; i++) { writeFileAtomic(process.argv[2], String(i % 10).repeat(300000)); if (i === 0) console.log('going') }`,
    )
    for (let round = 0; round < 4; round++) {
      const child = start(writer, [file])
      await firstWords(child)
      await new Promise((resolve) => setTimeout(resolve, 15 * round))
      child.kill('SIGKILL')
      await once(child, 'exit')
      expect(readFileSync(file, 'utf8')).toMatch(/^(\d)\1{299999}$/)
    }
  })

  test('a symlink is followed to its target, or refused with `refuseSymlink`', () => {
    const folder = tempFolder()
    mkdirSync(join(folder, 'dotfiles'))
    writeFileSync(join(folder, 'dotfiles/settings.json'), 'old')
    symlinkSync('dotfiles/settings.json', join(folder, 'link'))
    const refused = () => writeFileAtomic(join(folder, 'link'), 'new', { refuseSymlink: true })
    expect(refused).toThrow(
      expect.objectContaining({ code: 'unsafe-path', message: expect.stringContaining('link') }),
    )
    expect(readFileSync(join(folder, 'dotfiles/settings.json'), 'utf8')).toBe('old')
    writeFileAtomic(join(folder, 'link'), 'new')
    expect(readFileSync(join(folder, 'dotfiles/settings.json'), 'utf8')).toBe('new')
    expect(readdirSync(folder)).toEqual(['dotfiles', 'link'])
    expect(readdirSync(join(folder, 'dotfiles'))).toEqual(['settings.json'])
  })

  test('the error for a failed write has the path and a fix, and the old file stays', () => {
    const folder = tempFolder()
    writeFileSync(join(folder, 'file'), 'old')
    mkdirSync(join(folder, 'folder'))
    const fix = expect.stringContaining('ls -ld')
    for (const [path, code] of [
      ['missing/file', 'unwritable'],
      ['file/below', 'unsafe-path'],
      ['folder', 'unsafe-path'],
    ] as const)
      expect(() => writeFileAtomic(join(folder, path), 'new')).toThrow(
        expect.objectContaining({ code, message: expect.stringContaining(join(folder, path)), fix }),
      )
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('old')
    expect(readdirSync(folder)).toEqual(['file', 'folder'])
  })
})

const WRITER = `
  import { writeFileAtomic } from './io/atomic-write.ts'
  process.on('SIGXFSZ', () => {})
  try { writeFileAtomic(process.argv[2], 'x'.repeat(20000)) } catch (e) { console.log(JSON.stringify({ ...e, message: e.message })) }
`

describe('a failing write leaves the old file and no temporary one', () => {
  test('disk-full', async () => {
    const folder = tempFolder()
    const target = join(folder, 'target')
    mkdirSync(target)
    writeFileSync(join(target, 'file'), 'old')
    const limited = ['sh', '-c', 'ulimit -f 8; exec "$@"', 'sh']
    const { stdout } = await run(program(folder, WRITER), [join(target, 'file')], limited)
    expect(JSON.parse(stdout)).toMatchObject({ code: 'disk-full', message: expect.stringContaining(target) })
    expect(readFileSync(join(target, 'file'), 'utf8')).toBe('old')
    expect(readdirSync(target)).toEqual(['file'])
  })

  test('a folder that may not be written', async () => {
    const folder = tempFolder()
    const target = join(folder, 'target')
    mkdirSync(target)
    writeFileSync(join(target, 'file'), 'old')
    chmodSync(folder, 0o755)
    chmodSync(target, 0o555)
    // Root may write everywhere, so root becomes nobody first.
    const wrap =
      process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []
    const { stdout } = await run(program(folder, WRITER), [join(target, 'file')], wrap)
    expect(JSON.parse(stdout)).toMatchObject({
      code: 'unwritable',
      message: expect.stringContaining(`${target}/file: permission denied`),
    })
    expect(readFileSync(join(target, 'file'), 'utf8')).toBe('old')
    chmodSync(target, 0o755)
    expect(execFileSync('ls', ['-A', target], { encoding: 'utf8' })).toBe('file\n')
  })
})

test('anything but a regular file is never replaced: a device, a named pipe, a folder', () => {
  const folder = tempFolder()
  expect(() => writeFileAtomic('/dev/null', 'x')).toThrow('is not a regular file')
  expect(() => writeFileAtomic(folder, 'x')).toThrow('is not a regular file')
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
})
