import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { appendLines } from '../../../src/store/record/append-lines.ts'
import { isUnreadable } from '../../../src/store/record/problem.ts'
import { readMessages } from '../../../src/store/record/read-messages.ts'
import { firstWords, program, run, start, syncsOf, tempFolder } from '../sandbox.ts'

const said = (id: string, content = 'said') => {
  return { id, role: 'user', content, timestamp: '2026-01-01T00:00:00Z' }
}
const message = (id: string) => JSON.stringify(said(id))

describe('appendLines', () => {
  test('E-16: after a torn line the next one starts fresh, and the torn bytes stay', () => {
    const file = join(tempFolder(), 'messages.jsonl')
    writeFileSync(file, `${message('a')}\n{"id":"torn`)
    appendLines(dirname(file), basename(file), [said('b'), said('c')])
    expect(readFileSync(file, 'utf8')).toBe(
      `${message('a')}\n{"id":"torn\n${message('b')}\n${message('c')}\n`,
    )
    const { lines, problems } = readMessages(dirname(file), basename(file))
    expect(lines.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect(problems).toEqual([{ path: file, line: 2, kind: 'not-json', bytes: 12 }])
  })

  test('E-16, E-22: lines are on the disk when appendLines returns, and so is the name of a new file', async () => {
    const folder = tempFolder()
    const append = `
      import { appendLines } from './store/record/append-lines.ts'
      appendLines(process.argv[2], 'messages.jsonl', [{}])`
    expect(await syncsOf(folder, append)).toEqual(['synced messages.jsonl', 'synced .'])
    expect(await syncsOf(folder, append)).toEqual(['synced messages.jsonl'])
  })

  test('without lines no file is made', () => {
    const file = join(tempFolder(), 'messages.jsonl')
    appendLines(dirname(file), basename(file), [])
    expect(() => readFileSync(file)).toThrow('ENOENT')
  })

  test('JSON that is longer than one write is the same bytes in the file', () => {
    const file = join(tempFolder(), 'messages.jsonl')
    const long = { id: 'a', content: 'é "said" 😀\n'.repeat(1_000_000), last: [1] }
    appendLines(dirname(file), basename(file), [long, said('b'), { id: 'c' }])
    expect(readFileSync(file, 'utf8') === `${JSON.stringify(long)}\n${message('b')}\n{"id":"c"}\n`).toBe(true)
  })

  test('a symlink is not written through', () => {
    const folder = tempFolder()
    writeFileSync(join(folder, 'victim'), '')
    symlinkSync(join(folder, 'victim'), join(folder, 'messages.jsonl'))
    expect(() => appendLines(folder, 'messages.jsonl', [{}])).toThrow(
      expect.objectContaining({ code: 'unsafe-path' }),
    )
    expect(readFileSync(join(folder, 'victim'), 'utf8')).toBe('')
  })

  test('E-17: even without the lock the lines of several processes do not mix', async () => {
    const folder = tempFolder()
    const file = join(folder, 'messages.jsonl')
    const appender = program(folder, APPENDER)
    await Promise.all(['a', 'b', 'c', 'd'].map((who) => run(appender, [file, who, '150'])))
    const { lines, problems } = readMessages(dirname(file), basename(file))
    expect(problems).toEqual([])
    expect(lines).toHaveLength(600)
  })

  test('E-16: kill -9 in the middle of appending: every line but a torn last one is whole', async () => {
    const folder = tempFolder()
    const file = join(folder, 'messages.jsonl')
    const appender = program(folder, APPENDER)
    for (let round = 0; round < 5; round++) {
      const child = start(appender, [file, String(round), '100000'])
      await firstWords(child)
      await new Promise((resolve) => setTimeout(resolve, 20 * round))
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    appendLines(dirname(file), basename(file), [said('last')])
    const { lines, problems } = readMessages(dirname(file), basename(file))
    expect(lines.at(-1)?.id).toBe('last')
    expect(new Set(lines.map(({ id }) => id[0]))).toEqual(new Set(['0', '1', '2', '3', '4', 'l']))
    expect(problems.filter(isUnreadable).length).toBeLessThanOrEqual(5)
  })
})

describe('a full disk', () => {
  test('the error names the file and what to do, and no half line is left', async () => {
    const folder = tempFolder()
    const file = join(folder, 'messages.jsonl')
    writeFileSync(file, `${message('a')}\n`)
    const filler = program(
      folder,
      `import { basename, dirname } from 'node:path'
       import { appendLines } from './store/record/append-lines.ts'
       process.on('SIGXFSZ', () => {})
       try { appendLines(dirname(process.argv[2]), basename(process.argv[2]), ['x'.repeat(20000)]) } catch (e) { console.log(JSON.stringify({ ...e, message: e.message })) }`,
    )
    // The shell limits the size of files: the same path through our code as a full disk, on any machine.
    const { stdout } = await run(filler, [file], ['sh', '-c', 'ulimit -f 8; exec "$@"', 'sh'])
    expect(JSON.parse(stdout)).toMatchObject({
      code: 'disk-full',
      message: expect.stringContaining(file),
      fix: expect.stringContaining('df -h'),
    })
    expect(readFileSync(file, 'utf8')).toBe(`${message('a')}\n`)
  })

  const mounted = canMount()
  test.runIf(mounted)(
    'a tmpfs of 64 KB fills up: what was there stays, and there is room again after',
    () => {
      const folder = tempFolder()
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder])
      try {
        const file = join(folder, 'messages.jsonl')
        const written: string[] = []
        expect(() => {
          for (let i = 0; i < 100; i++) {
            appendLines(dirname(file), basename(file), [said(`m${i}`, 'x'.repeat(3000))])
            written.push(`m${i}`)
          }
        }).toThrow(expect.objectContaining({ code: 'disk-full' }))
        const { lines, problems } = readMessages(dirname(file), basename(file))
        expect(problems).toEqual([])
        expect(lines.map(({ id }) => id)).toEqual(written)
      } finally {
        execFileSync('umount', [folder])
      }
    },
  )
})

const APPENDER = `
  import { basename, dirname } from 'node:path'
  import { appendLines } from './store/record/append-lines.ts'
  const [file, who, count] = process.argv.slice(2)
  for (let i = 0; i < Number(count); i++) {
    appendLines(dirname(file), basename(file), [
      { id: who + '-' + i, role: 'user', content: who.repeat(2000), timestamp: '2026-01-01T00:00:00Z' }])
    if (i === 0) console.log('going')
  }
`

/** Mounting needs root; the test above with a file size limit covers the same path where it is not allowed. */
function canMount(): boolean {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test('the reader sees what another program appended meanwhile', () => {
  const file = join(tempFolder(), 'messages.jsonl')
  appendLines(dirname(file), basename(file), [said('a')])
  appendFileSync(file, `${message('b')}\r\n`)
  appendLines(dirname(file), basename(file), [said('c')])
  expect(readMessages(dirname(file), basename(file)).lines.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
})
