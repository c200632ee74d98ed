import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { appendLines } from '../../../src/store/record/append-lines.ts'
import { readMessages } from '../../../src/store/record/read-messages.ts'
import { tempFolder } from '../sandbox.ts'

const message = (id: string, more: object = {}) => ({
  id,
  role: 'user',
  content: `said by ${id}`,
  timestamp: '2026-01-01T00:00:00Z',
  ...more,
})
const line = (id: string, more: object = {}) => JSON.stringify(message(id, more))

function readText(text: string | Buffer) {
  const path = join(tempFolder(), 'messages.jsonl')
  writeFileSync(path, text)
  const { lines, problems } = readMessages(dirname(path), basename(path))
  expect(problems.every((problem) => problem.path === path)).toBe(true)
  return { ids: lines.map(({ id }) => id), lines, problems: problems.map(({ line, kind }) => [line, kind]) }
}

describe('readMessages', () => {
  test('law: messages are read as they were appended, unknown keys and their order included', () => {
    const text = fc.string({ unit: 'binary' })
    const arbitrary = fc.record({
      zebra: fc.jsonValue(),
      id: text,
      timestamp: fc.constant('2026-01-01T00:00:00Z'),
      role: fc.constantFrom('user', 'assistant', 'tool', 'system'),
      content: fc.oneof(text, fc.array(fc.record({ type: text, text }))),
    })
    fc.assert(
      fc.property(fc.array(arbitrary, { maxLength: 20 }), (messages) => {
        const path = join(tempFolder(), 'messages.jsonl')
        const lines = messages.map((value) => JSON.stringify(value))
        appendLines(dirname(path), basename(path), messages)
        const read = readMessages(dirname(path), basename(path))
        expect(read.problems).toEqual([])
        expect(read.lines.map((value) => JSON.stringify(value))).toEqual(lines)
      }),
      { numRuns: 60 },
    )
  })

  test('E-16, law: of a file that is cut at any byte, every whole line is read and nothing is invented', () => {
    const ids = ['a', 'ü', 'ccc', '日本']
    const whole = Buffer.from(`${ids.map((id) => line(id)).join('\n')}\n`)
    fc.assert(
      fc.property(fc.nat(whole.length), (cut) => {
        const { ids: read, problems } = readText(whole.subarray(0, cut))
        const breaks = whole.subarray(0, cut).filter((byte) => byte === 0x0a).length
        // A last line that lacks only its line break is whole as well.
        const complete = whole[cut] === 0x0a ? breaks + 1 : breaks
        expect(read).toEqual(ids.slice(0, complete))
        const torn = cut > 0 && whole[cut - 1] !== 0x0a && whole[cut] !== 0x0a
        expect(problems).toEqual(torn ? [[breaks + 1, 'torn']] : [])
      }),
      { numRuns: 300 },
    )
  })

  test('E-26: CRLF, a byte order mark and blank lines are tolerated, and reported once', () => {
    const text = `\uFEFF${line('a')}\r\n\r\n${line('b')}\r\n   \n${line('c')}\n\n\n`
    expect(readText(text)).toMatchObject({
      ids: ['a', 'b', 'c'],
      problems: [
        [1, 'byte-order-mark'],
        [1, 'crlf'],
      ],
    })
  })

  test('between conflict markers, the lines of both sides are read', () => {
    const text = `${line('a')}\n<<<<<<< HEAD\n${line('b')}\n||||||| 3f9c2ab\n=======\n${line('c')}\n>>>>>>> other\n`
    expect(readText(text)).toMatchObject({
      ids: ['a', 'b', 'c'],
      problems: [2, 4, 5, 7].map((number) => [number, 'conflict-marker']),
    })
  })

  test('E-7: garbage and lines that are not a message are reported by line, never fatal', () => {
    const strange = [
      'garbage',
      '42',
      'null',
      '[]',
      JSON.stringify({ ...message('x'), role: 'robot' }),
      JSON.stringify({ ...message('x'), content: undefined }),
      JSON.stringify({ ...message('x'), timestamp: 5 }),
      '\u0000\u0000',
    ]
    const { ids, problems } = readText(`${line('a')}\n${strange.join('\n')}\n${line('b')}\n`)
    expect(ids).toEqual(['a', 'b'])
    expect(problems.map(([number]) => number)).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
    expect(problems.map(([, kind]) => kind)).toEqual([
      'not-json',
      ...Array.from({ length: 6 }, () => 'not-a-message'),
      'not-json',
    ])
  })

  test('lines longer than any buffer, and lines across buffers, are whole', () => {
    const long = line('long', { content: 'ü'.repeat(1_500_000) })
    const many = Array.from({ length: 5000 }, (_, i) => line(`m${i}`, { content: 'é'.repeat(200) }))
    const { ids, lines, problems } = readText(`${[...many, long, line('end')].join('\n')}\n`)
    expect(problems).toEqual([])
    expect(ids).toEqual([...many.map((_, i) => `m${i}`), 'long', 'end'])
    expect(lines.at(-2)?.content).toHaveLength(1_500_000)
  })

  test('a missing file is empty; a folder or a symlink in its place is not read', () => {
    const folder = tempFolder()
    expect(readMessages(folder, 'no/such.jsonl')).toEqual({ lines: [], places: [], problems: [] })
    mkdirSync(join(folder, 'folder'))
    symlinkSync('/etc/passwd', join(folder, 'link'))
    for (const name of ['folder', 'link'])
      expect(() => readMessages(folder, name)).toThrow(
        expect.objectContaining({ code: 'unsafe-path', message: expect.stringContaining(name) }),
      )
  })
})

test('E-21: two branches that both appended are joined by git, and every line is read', () => {
  const folder = tempFolder()
  const file = join(folder, 'messages.jsonl')
  const git = (...args: string[]) =>
    execFileSync(
      'git',
      ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'commit.gpgsign=false', ...args],
      {
        cwd: folder,
        env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
        stdio: 'pipe',
      },
    )
  const appendOn = (branch: string, ids: string[]) => {
    git('checkout', '-q', branch)
    appendLines(
      folder,
      'messages.jsonl',
      ids.map((id) => message(id)),
    )
    git('commit', '-qam', branch)
  }
  git('init', '-q', '-b', 'one')
  writeFileSync(join(folder, '.gitattributes'), 'messages.jsonl merge=union\n')
  appendLines(dirname(file), basename(file), [message('a'), message('b')])
  git('add', '.')
  git('commit', '-qm', 'start')
  git('branch', 'two')
  appendOn('one', ['shared', 'c1', 'd1'])
  appendOn('two', ['c2', 'shared', 'd2'])
  git('merge', '-q', 'one', '-m', 'join')
  const { lines, problems } = readMessages(folder, 'messages.jsonl')
  expect(problems).toEqual([])
  expect(new Set(lines.map(({ id }) => id))).toEqual(new Set(['a', 'b', 'shared', 'c1', 'd1', 'c2', 'd2']))
  expect(readFileSync(file, 'utf8')).not.toContain('<<<<')
})
