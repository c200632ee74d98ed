import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { withLock, withLockSync } from '../../../src/store/machine/lock.ts'
import { newOwner } from '../../../src/store/machine/lock-owner.ts'
import { readMessages } from '../../../src/store/record/messages.ts'
import { firstWords, program, run, start, tempFolder } from '../sandbox.ts'

const COUNTER = `
  import { readFileSync, writeFileSync } from 'node:fs'
  import { withLock, withLockSync } from './store/machine/lock.ts'
  const [local, file, kind] = process.argv.slice(2)
  const raise = () => writeFileSync(file, String(Number(readFileSync(file, 'utf8')) + 1))
  for (let i = 0; i < 50; i++) kind === 'sync' ? withLockSync(local, 'n', raise) : await withLock(local, 'n', raise)
`
const HOLDER = `
  import { withLock } from './store/machine/lock.ts'
  await withLock(process.argv[2], 'record', () => new Promise((go) => { console.log('held'); setTimeout(go, 60000) }))
`

describe('E-17: one process at a time', () => {
  test('a counter raised by eight processes, half of them synchronous, loses no step', async () => {
    const folder = tempFolder()
    const file = join(folder, 'counter')
    writeFileSync(file, '0')
    const counter = program(folder, COUNTER)
    const kinds = ['sync', 'async', 'sync', 'async', 'sync', 'async', 'sync', 'async']
    const ended = await Promise.all(kinds.map((kind) => run(counter, [join(folder, 'local'), file, kind])))
    expect(ended.map(({ stderr }) => stderr).join('')).toBe('')
    expect(readFileSync(file, 'utf8')).toBe('400')
    expect(readdirSync(join(folder, 'local/locks'))).toEqual([])
  })

  test('eight processes append 200 lines each: all of them are whole', async () => {
    const folder = tempFolder()
    const file = join(folder, 'messages.jsonl')
    const appender = program(
      folder,
      `import { appendLines } from './store/record/append-lines.ts'
       import { withLock } from './store/machine/lock.ts'
       const [local, file, who] = process.argv.slice(2)
       for (let i = 0; i < 200; i++)
         await withLock(local, 'record', () => appendLines(file, [JSON.stringify(
           { id: who + '-' + i, role: 'user', content: who.repeat(300), timestamp: '2026-01-01T00:00:00Z' })]), 120000)`,
    )
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    const ended = await Promise.all(names.map((who) => run(appender, [join(folder, 'local'), file, who])))
    expect(ended.map(({ stderr }) => stderr).join('')).toBe('')
    const { lines, problems } = readMessages(file)
    expect(problems).toEqual([])
    expect(new Set(lines.map(({ id }) => id)).size).toBe(1600)
  })

  test('the lock is free again after the work, also when that throws', async () => {
    const local = join(tempFolder(), 'local')
    expect(withLockSync(local, 'a', () => 1)).toBe(1)
    await expect(withLock(local, 'a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(() =>
      withLockSync(local, 'a', () => {
        throw new Error('no')
      }),
    ).toThrow('no')
    expect(await withLock(local, 'a', () => 2)).toBe(2)
  })
})

describe('a lock whose owner is gone', () => {
  test('kill -9 of the holder: the next one takes over', async () => {
    const folder = tempFolder()
    const local = join(folder, 'local')
    const holder = start(program(folder, HOLDER), [local])
    expect(await firstWords(holder)).toBe('held')
    expect(() => withLockSync(local, 'record', () => 0, 50)).toThrow(
      expect.objectContaining({ code: 'locked', message: expect.stringContaining(`process ${holder.pid} `) }),
    )
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    expect(withLockSync(local, 'record', () => 'mine', 1000)).toBe('mine')
    expect(readdirSync(join(local, 'locks'))).toEqual([])
  })

  test('eight processes find the same dead lock: still one at a time', async () => {
    const folder = tempFolder()
    const local = join(folder, 'local')
    const file = join(folder, 'counter')
    writeFileSync(file, '0')
    writeLock(local, 'n', { ...newOwner(), pid: await deadPid(folder) })
    const counter = program(folder, COUNTER)
    await Promise.all(Array.from({ length: 8 }, () => run(counter, [local, file, 'sync'])))
    expect(readFileSync(file, 'utf8')).toBe('400')
  })

  test('eight processes whose holders keep dying: never two inside', async () => {
    const folder = tempFolder()
    const local = join(folder, 'local')
    // To overwrite one's own lock by that of a dead process is to die in it, only a thousand times faster.
    const dier = program(
      folder,
      `import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs'
       import { withLockSync } from './store/machine/lock.ts'
       import { newOwner } from './store/machine/lock-owner.ts'
       const [local, pid] = process.argv.slice(2)
       for (let i = 0; i < 150; i++) withLockSync(local, 'n', () => {
         closeSync(openSync(local + '/inside', 'wx'))
         rmSync(local + '/inside')
         writeFileSync(local + '/locks/n.lock', JSON.stringify({ ...newOwner(), pid: Number(pid) }))
       }, 60000)`,
    )
    const pid = String(await deadPid(folder))
    const ended = await Promise.all(Array.from({ length: 8 }, () => run(dier, [local, pid])))
    expect(ended.map(({ stderr }) => stderr).join('')).toBe('')
  })

  test('a pid that was given to another process since is no owner', () => {
    const local = join(tempFolder(), 'local')
    const owner = newOwner()
    writeLock(local, 'a', owner)
    expect(() => withLockSync(local, 'a', () => 0, 20)).toThrow(expect.objectContaining({ code: 'locked' }))
    if (owner.start === '') return
    writeLock(local, 'a', { ...owner, start: '1' })
    expect(withLockSync(local, 'a', () => 'mine', 20)).toBe('mine')
  })

  test('of another host: by its age', () => {
    const local = join(tempFolder(), 'local')
    writeLock(local, 'a', { ...newOwner(), host: 'elsewhere' })
    expect(() => withLockSync(local, 'a', () => 0, 20)).toThrow(expect.objectContaining({ code: 'locked' }))
    writeLock(local, 'a', { ...newOwner(), host: 'elsewhere', at: '2020-01-01T00:00:00Z' })
    expect(withLockSync(local, 'a', () => 'mine', 20)).toBe('mine')
  })

  test('one that was never signed: held while young, then taken', () => {
    const local = join(tempFolder(), 'local')
    const file = writeLock(local, 'a', '')
    expect(() => withLockSync(local, 'a', () => 0, 20)).toThrow(expect.objectContaining({ code: 'locked' }))
    utimesSync(file, 1, 1)
    expect(withLockSync(local, 'a', () => 'mine', 20)).toBe('mine')
  })

  test('its breaker died as well: both are removed', async () => {
    const folder = tempFolder()
    const local = join(folder, 'local')
    const dead = { ...newOwner(), pid: await deadPid(folder) }
    writeLock(local, 'a', dead)
    writeFileSync(join(local, 'locks/a.lock.break'), JSON.stringify({ ...dead, nonce: 'other' }))
    expect(withLockSync(local, 'a', () => 'mine', 1000)).toBe('mine')
    expect(readdirSync(join(local, 'locks'))).toEqual([])
  })
})

test('S4-P1-15: a lock named after an evil id stays in its folder', () => {
  const local = join(tempFolder(), 'local')
  withLockSync(local, '../../etc/passwd', () => expect(readdirSync(join(local, 'locks'))).toHaveLength(1))
  expect(existsSync(join(local, '../../etc'))).toBe(false)
})

function writeLock(local: string, name: string, owner: unknown): string {
  mkdirSync(join(local, 'locks'), { recursive: true })
  const file = join(local, `locks/${name}.lock`)
  writeFileSync(file, owner === '' ? '' : JSON.stringify(owner))
  return file
}

async function deadPid(folder: string): Promise<number> {
  const child = start(program(folder, ''))
  await once(child, 'exit')
  return child.pid!
}
