import { appendFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  copySideFiles,
  listSideFiles,
  readCurrentSideFiles,
  readSideFile,
} from '../../../../src/store/machine/journal/side-files.ts'
import { tempFolder } from '../../sandbox.ts'

function places() {
  const folder = tempFolder()
  const side = join(folder, 'side')
  mkdirSync(join(side, 'subagents'), { recursive: true })
  writeFileSync(join(side, 'out.txt'), 'output')
  writeFileSync(join(side, 'subagents/agent-1.jsonl'), '{"a":1}\n')
  return { folder, side, into: join(folder, 'journal.d') }
}
const from = (folder: string) => ({ folders: [{ folder, below: '' }], files: [] })
const text = (into: string, path: string) => Buffer.from(readSideFile(into, path)!).toString()

describe('side files', () => {
  test('new and grown files are copied under the same names', () => {
    const { side, into } = places()
    copySideFiles(from(side), into)
    appendFileSync(join(side, 'subagents/agent-1.jsonl'), '{"b":2}\n')
    for (let times = 0; times < 2; times += 1) copySideFiles(from(side), into)
    expect(listSideFiles(into)).toEqual(['out.txt', 'subagents/agent-1.jsonl'])
    expect(text(into, 'subagents/agent-1.jsonl')).toBe('{"a":1}\n{"b":2}\n')
  })

  test('a rewritten file keeps its name, and its earlier version is kept and not listed', () => {
    const { side, into } = places()
    copySideFiles(from(side), into)
    for (const content of ['second', 'x']) {
      writeFileSync(join(side, 'out.txt'), content)
      copySideFiles(from(side), into)
    }
    expect(text(into, 'out.txt')).toBe('x')
    expect(listSideFiles(into)).toEqual(['out.txt', 'subagents/agent-1.jsonl'])
    expect(readdirSync(into).sort()).toEqual(['out.txt', 'out.txt~1', 'out.txt~2', 'subagents'])
    expect(readFileSync(join(into, 'out.txt~1'), 'utf8')).toBe('output')
  })

  test('symlinks are not followed, neither in what is read nor in what is written', () => {
    const { folder, side, into } = places()
    writeFileSync(join(folder, 'secret'), 'secret')
    symlinkSync(join(folder, 'secret'), join(side, 'link'))
    symlinkSync(folder, join(side, 'loop'))
    copySideFiles(from(side), into)
    expect(listSideFiles(into)).toEqual(['out.txt', 'subagents/agent-1.jsonl'])
    const other = join(folder, 'other.d')
    mkdirSync(other)
    symlinkSync(folder, join(other, 'subagents'))
    expect(() => copySideFiles(from(side), other)).toThrow(expect.objectContaining({ code: 'unsafe-path' }))
  })

  test.each([
    ['too deep', { files: 9, depth: 1, bytes: 99 }],
    ['too large', { files: 9, depth: 9, bytes: 6 }],
    ['too many', { files: 1, depth: 9, bytes: 99 }],
  ])('files beyond the limits are neither copied nor read: %s', (_, limits) => {
    const { side, into } = places()
    copySideFiles(from(side), into, limits)
    expect(listSideFiles(into)).toEqual(['out.txt'])
    expect(readCurrentSideFiles(into, from(side), limits).paths).toEqual(['out.txt'])
  })

  test('a missing side folder has no files, and a path that leaves the folder is refused', () => {
    const { folder, into } = places()
    copySideFiles(from(join(folder, 'none')), into)
    expect(listSideFiles(into)).toEqual([])
    expect(readSideFile(into, 'none.txt')).toBeUndefined()
    expect(() => readSideFile(into, '../side/out.txt')).toThrow(
      expect.objectContaining({ code: 'unsafe-path' }),
    )
  })
})
