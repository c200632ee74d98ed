import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listLocks, withLock, withLockSync } from '../../../../src/store/machine/locks/lock.ts'
import { newOwner, type Owner } from '../../../../src/store/machine/locks/lock-owner.ts'
import { readMessages } from '../../../../src/store/record/read-messages.ts'
import { firstWords, program, run, start, tempFolder } from '../../sandbox.ts'

const COUNTER = `
  import { readFileSync, writeFileSync } from 'node:fs'
  import { withLock, withLockSync } from './store/machine/locks/lock.ts'
  const [local, file, kind] = process.argv.slice(2)
  const raise = () => writeFileSync(file, String(Number(readFileSync(file, 'utf8')) + 1))
  for (let i = 0; i < 50; i++) kind === 'sync' ? withLockSync(local, 'n', raise) : await withLock(local, 'n', raise)
`
const HOLDER = `
  import { withLock } from './store/machine/locks/lock.ts'
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
    const appender = program(
      folder,
      `import { appendLines } from './store/record/append-lines.ts'
       import { withLock } from './store/machine/locks/lock.ts'
       const [local, folder, who] = process.argv.slice(2)
       for (let i = 0; i < 200; i++)
         await withLock(local, 'record', () => appendLines(folder, 'messages.jsonl', [
           { id: who + '-' + i, role: 'user', content: who.repeat(300), timestamp: '2026-01-01T00:00:00Z' }]), 120000)`,
    )
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    const ended = await Promise.all(names.map((who) => run(appender, [join(folder, 'local'), folder, who])))
    expect(ended.map(({ stderr }) => stderr).join('')).toBe('')
    const { lines, problems } = readMessages(folder, 'messages.jsonl')
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
  test('after kill -9 of the owner, the next process takes the lock', async () => {
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

  test('eight processes that find the same dead lock still run one at a time', async () => {
    const folder = tempFolder()
    const local = join(folder, 'local')
    const file = join(folder, 'counter')
    writeFileSync(file, '0')
    putFolder(local, 'n', { ...newOwner(), pid: await deadPid(folder) })
    const counter = program(folder, COUNTER)
    await Promise.all(Array.from({ length: 8 }, () => run(counter, [local, file, 'sync'])))
    expect(readFileSync(file, 'utf8')).toBe('400')
  })

  test('with eight processes whose owners keep dying, two never run at once', async () => {
    const folder = tempFolder()
    const local = join(folder, 'local')
    // To put the name of a dead process into one's own lock is to die in it, only a thousand times faster.
    const dier = program(
      folder,
      `import { closeSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
       import { withLockSync } from './store/machine/locks/lock.ts'
       import { newOwner, type Owner } from './store/machine/locks/lock-owner.ts'
       const [local, pid] = process.argv.slice(2)
       for (let i = 0; i < 150; i++) withLockSync(local, 'n', () => {
         closeSync(openSync(local + '/inside', 'wx'))
         rmSync(local + '/inside')
         const [own] = readdirSync(local + '/locks/n.lock')
         const { nonce, ...dead } = { ...newOwner(), pid: Number(pid) }
         writeFileSync(local + '/' + nonce, JSON.stringify({ nonce, ...dead }))
         renameSync(local + '/' + nonce, local + '/locks/n.lock/' + nonce)
         rmSync(local + '/locks/n.lock/' + own)
       }, 60000)`,
    )
    const pid = String(await deadPid(folder))
    const ended = await Promise.all(Array.from({ length: 8 }, () => run(dier, [local, pid])))
    expect(ended.map(({ stderr }) => stderr).join('')).toBe('')
  })

  test('a pid that was given to another process since does not own the lock', () => {
    const local = join(tempFolder(), 'local')
    const owner = newOwner()
    putFolder(local, 'a', owner)
    expect(() => withLockSync(local, 'a', () => 0, 20)).toThrow(expect.objectContaining({ code: 'locked' }))
    if (owner.start === '') return
    putFolder(local, 'a', { ...owner, start: '1' })
    expect(withLockSync(local, 'a', () => 'mine', 20)).toBe('mine')
  })

  test('the lock of another host is free after some minutes, and when its time is far ahead', () => {
    const local = join(tempFolder(), 'local')
    const owner = { ...newOwner(), host: 'elsewhere' }
    putFolder(local, 'a', owner)
    expect(() => withLockSync(local, 'a', () => 0, 20)).toThrow(expect.objectContaining({ code: 'locked' }))
    for (const minutes of [-3, 60]) {
      putFolder(local, 'a', { ...owner, at: new Date(Date.now() + minutes * 60_000).toISOString() })
      expect(withLockSync(local, 'a', () => 'mine', 20)).toBe('mine')
    }
  })

  test('the error for a lock of another host or container does not advise to end a process here', () => {
    const local = join(tempFolder(), 'local')
    const { host, ...owner } = newOwner()
    const told = (where: string) => {
      putFolder(local, 'a', { ...owner, host: where })
      try {
        return withLockSync(local, 'a', () => '', 20)
      } catch (error) {
        return String(Reflect.get(error as object, 'fix'))
      }
    }
    expect(told(host)).toContain(`kill ${owner.pid}`)
    expect(told(`${host.split(' ')[0]} pid:[1]`)).toMatch(
      /free from .*Z on; if it has ended: rm -r .*a\.lock$/,
    )
  })

  test('a file that a power cut tore, or that somebody put there, does not lock', () => {
    const local = join(tempFolder(), 'local')
    putFolder(local, 'a', '')
    writeFileSync(join(local, 'locks/a.lock/.DS_Store'), 'x')
    expect(withLockSync(local, 'a', () => 'mine', 20)).toBe('mine')
    expect(readdirSync(join(local, 'locks'))).toEqual([])
  })

  test('a file that another program keeps among the locks is not a lock and blocks nothing', async () => {
    const local = join(tempFolder(), 'local')
    mkdirSync(join(local, 'locks'), { recursive: true })
    writeFileSync(join(local, 'locks/a.txt'), 'x')
    putFolder(local, 'dead', { ...newOwner(), pid: await deadPid(tempFolder()) })
    expect(listLocks(local).map(({ stale }) => stale)).toEqual([true])
    expect(withLockSync(local, 'a', () => 'mine', 20)).toBe('mine')
    expect(readdirSync(join(local, 'locks'))).toEqual(['a.txt'])
  })

  test('remains of a killed process are cleared away from other locks too, and locks of live processes are not', async () => {
    const folder = tempFolder()
    const local = join(folder, 'local')
    const dead = { ...newOwner(), pid: await deadPid(folder) }
    putFolder(local, 'dead', dead)
    putFolder(local, 'living', newOwner())
    mkdirSync(join(local, 'locks/empty.lock'))
    mkdirSync(join(local, 'locks/.aside.lock.1'))
    writeFileSync(join(local, 'locks/.aside.lock.1/1'), JSON.stringify(dead).slice(0, 40))
    withLockSync(local, 'a', () => 0)
    expect(readdirSync(join(local, 'locks'))).toEqual(['living.lock'])
  })
})

test('S4-P1-15: a lock named after an evil id stays in its folder', () => {
  const local = join(tempFolder(), 'local')
  withLockSync(local, '../../etc/passwd', () => expect(readdirSync(join(local, 'locks'))).toHaveLength(1))
  expect(existsSync(join(local, '../../etc'))).toBe(false)
})

function putFolder(local: string, name: string, owner: Owner | ''): void {
  const folder = join(local, `locks/${name}.lock`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, owner === '' ? 'torn' : owner.nonce), owner === '' ? '' : JSON.stringify(owner))
}

async function deadPid(folder: string): Promise<number> {
  const child = start(program(folder, ''))
  await once(child, 'exit')
  return child.pid!
}
