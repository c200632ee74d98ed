import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { environmentOf, findInAncestors, parentOf, startOf } from '../../../src/io/process.ts'
import { noteOpenSession, openSessionOf, removeOpenSession } from '../../../src/store/machine/open-session.ts'

const HOST = { client: 'gemini', native_id: 'abc', transcript: '/t.jsonl', turn: 7 }
const findHost = (local: string, pid: number) => findInAncestors(pid, (above) => openSessionOf(local, above))
let local: string
beforeEach(() => {
  local = mkdtempSync(join(tmpdir(), 'cortext-host-'))
})
afterEach(() => rmSync(local, { recursive: true }))

describe('which session a process runs inside', () => {
  it('is the session that was noted for the nearest of its ancestors', () => {
    const parent = process.ppid
    const above = parentOf(parent)!
    noteOpenSession(local, above, { ...HOST, native_id: 'outer' })
    expect(findHost(local, process.pid)).toMatchObject({ native_id: 'outer', turn: 7 })
    noteOpenSession(local, parent, HOST)
    expect(findHost(local, process.pid)).toMatchObject(HOST)
  })

  it('is not a session that was noted for another process of the same number, nor for the process itself', () => {
    noteOpenSession(local, process.ppid, HOST)
    const [name] = readdirSync(join(local, 'open-sessions'))
    const path = join(local, 'open-sessions', name!)
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), start: '1' }))
    noteOpenSession(local, process.pid, HOST)
    expect(findHost(local, process.pid)).toBeUndefined()
  })

  it('is unknown when nothing readable was noted', () => {
    expect(findHost(local, process.pid)).toBeUndefined()
    noteOpenSession(local, process.ppid, HOST)
    const [name] = readdirSync(join(local, 'open-sessions'))
    for (const text of ['', '{', 'null', '[]', '{"native_id":1}']) {
      writeFileSync(join(local, 'open-sessions', name!), text)
      expect(findHost(local, process.pid)).toBeUndefined()
    }
  })

  it('is noted so that only this user can read it', () => {
    noteOpenSession(local, process.ppid, HOST)
    const [name] = readdirSync(join(local, 'open-sessions'))
    expect(statSync(join(local, 'open-sessions', name!)).mode & 0o777).toBe(0o600)
  })
})

describe('processes', () => {
  it('have the parents that ps names', () => {
    const said = execFileSync('ps', ['-o', 'ppid=', '-p', String(process.ppid)], { encoding: 'utf8' })
    expect(parentOf(process.ppid)).toBe(Number(said.trim()))
    expect(parentOf(2 ** 30)).toBeUndefined()
    expect(environmentOf(2 ** 30)).toBeUndefined()
    const told = execFileSync('tr', ['\\0', '\\n'], {
      input: readFileSync('/proc/self/environ'),
      encoding: 'utf8',
    })
    expect(
      Object.entries(environmentOf(process.pid)!)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    ).toBe(told)
    expect(startOf(2 ** 30)).toBeUndefined()
  })
})

describe('the note of a client process', () => {
  it('is removed when the process ends', () => {
    noteOpenSession(local, process.ppid, HOST)
    removeOpenSession(local, process.ppid)
    removeOpenSession(local, process.ppid)
    expect(findHost(local, process.pid)).toBeUndefined()
  })
})
