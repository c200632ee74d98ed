import { appendFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  copySideFiles,
  listSideFiles,
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
const text = (into: string, path: string) => Buffer.from(readSideFile(into, path)!).toString()

describe('side files', () => {
  test('new and grown files are copied under the same names', () => {
    const { side, into } = places()
    expect(copySideFiles(side, into)).toEqual({ copied: 2, skipped: [] })
    appendFileSync(join(side, 'subagents/agent-1.jsonl'), '{"b":2}\n')
    expect(copySideFiles(side, into)).toEqual({ copied: 1, skipped: [] })
    expect(copySideFiles(side, into)).toEqual({ copied: 0, skipped: [] })
    expect(listSideFiles(into)).toEqual(['out.txt', 'subagents/agent-1.jsonl'])
    expect(text(into, 'subagents/agent-1.jsonl')).toBe('{"a":1}\n{"b":2}\n')
  })

  test('a rewritten file keeps its name, and its earlier version is kept and not listed', () => {
    const { side, into } = places()
    copySideFiles(side, into)
    for (const content of ['second', 'x']) {
      writeFileSync(join(side, 'out.txt'), content)
      expect(copySideFiles(side, into).copied).toBe(1)
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
    copySideFiles(side, into)
    expect(listSideFiles(into)).toEqual(['out.txt', 'subagents/agent-1.jsonl'])
    const other = join(folder, 'other.d')
    mkdirSync(other)
    symlinkSync(folder, join(other, 'subagents'))
    expect(() => copySideFiles(side, other)).toThrow(expect.objectContaining({ code: 'unsafe-path' }))
  })

  test('files beyond the limits are reported, not dropped in silence', () => {
    const { side, into } = places()
    const skipped = (limits: { files: number; depth: number; bytes: number }) =>
      copySideFiles(side, into, limits).skipped
    expect(skipped({ files: 9, depth: 1, bytes: 99 })).toEqual([{ path: 'subagents', why: 'too deep' }])
    expect(skipped({ files: 9, depth: 9, bytes: 6 })).toEqual([
      { path: 'subagents/agent-1.jsonl', why: 'too large' },
    ])
    expect(skipped({ files: 1, depth: 9, bytes: 99 })).toEqual([
      { path: 'subagents/agent-1.jsonl', why: 'too many files' },
    ])
  })

  test('a missing side folder has no files, and a path that leaves the folder is refused', () => {
    const { folder, into } = places()
    expect(copySideFiles(join(folder, 'none'), into)).toEqual({ copied: 0, skipped: [] })
    expect(listSideFiles(into)).toEqual([])
    expect(readSideFile(into, 'none.txt')).toBeUndefined()
    expect(() => readSideFile(into, '../side/out.txt')).toThrow(
      expect.objectContaining({ code: 'unsafe-path' }),
    )
  })
})
