import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inUse } from '../../../src/clients/codex/in-use.ts'

const ID = '01a2092d-2628-7238-8e82-099f54912dbd'

describe('whether a thread of Codex CLI is open where its resume cannot join it', () => {
  let home: string
  let lock: string
  const holders: ChildProcess[] = []
  const environment = () => ({
    cwd: home,
    home,
    env: { CODEX_HOME: home, PATH: process.env.PATH },
    now: () => new Date(),
    interactive: false,
  })
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'cortext-codex-'))
    mkdirSync(join(home, 'thread-writer-locks'))
    mkdirSync(join(home, 'app-server-daemon'))
    lock = join(home, 'thread-writer-locks', `${ID}.lock`)
  })
  afterEach(() => {
    for (const holder of holders.splice(0)) holder.kill('SIGKILL')
  })

  /** A process that holds the lock as Codex does, until it is killed. */
  async function hold(kind = '--exclusive'): Promise<number> {
    const holder = spawn('flock', [kind, lock, 'sh', '-c', 'echo held; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    holders.push(holder)
    await once(holder.stdout!, 'data')
    return holder.pid!
  }

  it('is false without a lock, and with a lock that a killed process has left', () => {
    expect(inUse(environment(), ID)).toBe(false)
    writeFileSync(lock, '')
    expect(inUse(environment(), ID)).toBe(false)
  })

  it('is true while a process holds the lock', async () => {
    await hold()
    expect(inUse(environment(), ID)).toBe(true)
    expect(inUse(environment(), ID.replace('01', '02'))).toBe(false)
  })

  it('is false where the background server holds the lock: the terminal client joins the server', async () => {
    const pid = await hold()
    writeFileSync(join(home, 'app-server-daemon', 'daemon.pid'), JSON.stringify({ pid }))
    expect(inUse(environment(), ID)).toBe(false)
    writeFileSync(join(home, 'app-server-daemon', 'daemon.pid'), 'not JSON')
    expect(inUse(environment(), ID)).toBe(true)
  })

  it('is true where the background server is only one of the holders', async () => {
    const pid = await hold('--shared')
    await hold('--shared')
    writeFileSync(join(home, 'app-server-daemon', 'daemon.pid'), JSON.stringify({ pid }))
    expect(inUse(environment(), ID)).toBe(true)
  })
})
