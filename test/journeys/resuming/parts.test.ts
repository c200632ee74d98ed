import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { firstPart, laterPart } from '../../../src/journeys/resuming/parts.ts'
import { localFiles } from '../../../src/store/layout.ts'
import { openWorkspace } from '../../../src/workspace/open.ts'
import { workspaceLab } from '../../helpers/workspace-lab.ts'

const native = { client: 'claude', nativeId: 'n1' }

test('a context that fits one shell output is printed whole, and nothing of it is stored', async () => {
  const ws = openWorkspace((await workspaceLab()).environment)
  expect(firstPart(ws, native, 'short\n')).toBe('short\n')
  expect(() => laterPart(ws, native, 2)).toThrow(expect.objectContaining({ code: 'not-found' }))
})

test('a part that begins in the middle of a line begins like a recorded line, so that no text poses as ours', async () => {
  const ws = openWorkspace((await workspaceLab()).environment)
  const text = ` ${'### User '.repeat(20_000)}\n`
  const first = firstPart(ws, native, text)
  const count = Number(/\[Part 1 of (\d+)\./.exec(first)![1])
  const others = Array.from({ length: count - 1 }, (_, n) => laterPart(ws, native, n + 2))
  for (const part of others) expect(part).toMatch(/^\[Part \d+ of \d+\]\n /)
})

test('E-20 a longer context comes in parts that make the whole; stored parts can be read only by this user', async () => {
  const ws = openWorkspace((await workspaceLab()).environment)
  const text = Array.from({ length: 4000 }, (_, n) => `line ${n} of what was said before\n`).join('')
  const first = firstPart(ws, native, text)
  const count = Number(/\[Part 1 of (\d+)\./.exec(first)![1])
  expect(count).toBeGreaterThan(2)
  const others = Array.from({ length: count - 1 }, (_, n) => laterPart(ws, native, n + 2))
  expect(others.map((part) => part.split('\n')[0])).toEqual(
    others.map((_, n) => `[Part ${n + 2} of ${count}]`),
  )
  const whole = [first.replace(/\n\n\[Part 1 of .*$/, ''), ...others.map((part) => part.replace(/^.*\n/, ''))]
  expect(whole.join('')).toBe(text)
  expect(() => laterPart(ws, native, count + 1)).toThrow(`there is no part ${count + 1}`)

  const { contexts } = localFiles(ws.local)
  expect(statSync(contexts).mode & 0o777).toBe(0o700)
  const [file, ...rest] = readdirSync(contexts)
  expect(rest).toEqual([])
  expect(statSync(join(contexts, file!)).mode & 0o777).toBe(0o600)
})
