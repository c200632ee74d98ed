import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { claude } from '../../../src/clients/claude/index.ts'
import { slugOf } from '../../../src/clients/claude/locate.ts'
import type { Environment } from '../../../src/io/environment.ts'
import { answer, bytesOf, text, user } from './transcript.ts'

let base: string
let folder: string
let environment: Environment

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'cortext-claude-')))
  folder = join(base, 'proj.a')
  mkdirSync(folder)
  environment = { cwd: folder, home: base, env: {}, now: () => new Date(), interactive: false }
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

function write(
  id: string,
  records: readonly object[],
  { at = 0, of = folder, more = environment } = {},
): string {
  const path = claude.sessions.transcriptPath(more, of, id)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, bytesOf(records.map((record) => ({ cwd: of, ...record }))))
  utimesSync(path, at, at)
  return path
}

describe('the slug of a folder', () => {
  it.each([
    ['/home/dev/slug/My Proj_1.2-é日/x', '-home-dev-slug-My-Proj-1-2----x'],
    ['/home/dev/proj', '-home-dev-proj'],
  ])('%s', (path, slug) => expect(slugOf(path)).toBe(slug))

  it('is cut for a long path and ends in a hash of the whole path', () => {
    const path = `/${'a'.repeat(150)}/${'b'.repeat(100)}`
    let hash = 0
    for (const letter of path) hash = Math.imul(hash, 31) + letter.charCodeAt(0)
    expect(slugOf(path)).toBe(`-${'a'.repeat(150)}-${'b'.repeat(48)}-${Math.abs(hash | 0).toString(36)}`)
    expect(slugOf(`/${'a'.repeat(199)}`)).toHaveLength(200)
  })
})

describe('a session', () => {
  it('can be continued as long as its transcript is there', () => {
    const path = write('a', [user('u1', null, 'hello')])
    expect(claude.sessions.hasSession(environment, folder, 'a')).toBe(true)
    writeFileSync(path, '')
    expect(claude.sessions.hasSession(environment, folder, 'a')).toBe(false)
    rmSync(path)
    expect(claude.sessions.hasSession(environment, folder, 'a')).toBe(false)
  })
})

describe('locate', () => {
  const plain = { cwd: undefined }
  const said = (words: string) => [
    { ...user('u1', null, words), ...plain },
    { ...answer('a1', 'u1', 'm', text('x')), ...plain },
  ]
  const own = (records: object[], of = folder) => records.map((record) => ({ ...record, cwd: of }))

  it('lists the sessions of the folder, newest first, with what distinguishes them', () => {
    const records = own(said('first thing said\nand more'))
    const old = write('old', records, { at: 1000 })
    const named = [
      ...said('x'),
      { type: 'ai-title', aiTitle: 'Its own' },
      { type: 'custom-title', customTitle: 'Given' },
    ]
    write('named', own(named), { at: 2000 })
    const found = claude.sessions.locate(environment, folder)
    expect(found.map(({ nativeId, title }) => [nativeId, title])).toEqual([
      ['named', 'Given'],
      ['old', 'first thing said'],
    ])
    expect(found[1]).toEqual({
      client: 'claude',
      nativeId: 'old',
      transcript: old,
      title: 'first thing said',
      cwd: folder,
      lastActive: new Date(Reflect.get(records.at(-1)!, 'timestamp')),
      bytes: expect.any(Number),
    })
  })

  it('takes a summary for the title only if it is about a record of the file', () => {
    const summary = (leafUuid: string, words: string) => ({ type: 'summary', summary: words, leafUuid })
    write('own', own([...said('x'), summary('a1', 'About this one')]))
    write('foreign', own([summary('elsewhere', 'Invalid API key'), ...said('first words')]))
    const found = claude.sessions.locate(environment, folder).map(({ nativeId, title }) => [nativeId, title])
    expect(Object.fromEntries(found)).toEqual({ own: 'About this one', foreign: 'first words' })
  })

  it('trusts the folder in the records: proj-a has the same slug', () => {
    const other = join(base, 'proj-a')
    mkdirSync(other)
    write('mine', own(said('mine')))
    write('theirs', own(said('theirs'), other), { of: other })
    expect(claude.sessions.locate(environment, folder).map(({ nativeId }) => nativeId)).toEqual(['mine'])
    expect(claude.sessions.locate(environment, other).map(({ nativeId }) => nativeId)).toEqual(['theirs'])
  })

  it('follows a symlink, and CLAUDE_CONFIG_DIR', () => {
    symlinkSync(folder, join(base, 'link'))
    write('mine', own(said('mine')))
    expect(claude.sessions.locate(environment, join(base, 'link'))).toHaveLength(1)
    const moved = { ...environment, env: { CLAUDE_CONFIG_DIR: join(base, 'cfg') } }
    expect(claude.sessions.locate(moved, folder)).toEqual([])
    const path = write('there', own(said('there')), { more: moved })
    expect(path.startsWith(join(base, 'cfg', 'projects'))).toBe(true)
    expect(claude.sessions.locate(moved, folder)).toHaveLength(1)
  })

  it('reads only the ends of a large transcript, and finds a title there', () => {
    const huge = user('u0', null, 'y'.repeat(300_000))
    const filler = Array.from({ length: 50 }, (_, n) => user(`f${n}`, null, 'z'.repeat(10_000)))
    write('large', own([huge, ...filler, { type: 'ai-title', aiTitle: 'At the end' }]))
    expect(claude.sessions.locate(environment, folder)).toMatchObject([{ title: 'At the end', cwd: folder }])
  })

  it('takes a folder from a record that is longer than what is read, and forgives damage', () => {
    const path = write('long', [])
    const long = (cwd: string) => `{"cwd":"${cwd}","type":"user","message":{"content":"${'y'.repeat(300_000)}`
    writeFileSync(path, long(folder))
    expect(claude.sessions.locate(environment, folder)).toMatchObject([{ cwd: folder, title: '' }])
    writeFileSync(path, long('/elsewhere'))
    expect(claude.sessions.locate(environment, folder)).toEqual([])
    writeFileSync(path, long('\\q'))
    expect(claude.sessions.locate(environment, folder)).toMatchObject([{ cwd: folder }])
  })

  it('passes over empty files, other files and subagents of old versions', () => {
    const path = write('mine', own(said('mine')))
    for (const name of ['agent-1.jsonl', 'notes.txt', 'empty.jsonl'])
      writeFileSync(join(path, '..', name), name === 'empty.jsonl' ? '' : '{}\n')
    writeFileSync(
      join(path, '..', 'side.jsonl'),
      bytesOf([{ ...user('s', null, 'x'), isSidechain: true, cwd: folder }]),
    )
    mkdirSync(join(path, '..', 'folder.jsonl'))
    expect(claude.sessions.locate(environment, folder).map(({ nativeId }) => nativeId)).toEqual(['mine'])
  })

  it('an absent store is an empty list, and a folder that is gone keeps its sessions', () => {
    expect(claude.sessions.locate(environment, join(base, 'nowhere'))).toEqual([])
    write('mine', own(said('mine')))
    rmSync(folder, { recursive: true })
    expect(claude.sessions.locate(environment, folder)).toHaveLength(1)
  })
})

describe('where a session is', () => {
  it('refuses an id that is a path', () => {
    expect(() => claude.sessions.transcriptPath(environment, folder, '../../x')).toThrow(
      expect.objectContaining({ code: 'unsafe-path' }),
    )
  })

  it('is the project of the folder, before the session is there too', () => {
    const own = join(base, '.claude', 'projects', slugOf(folder), 'abc.jsonl')
    expect(claude.sessions.transcriptPath(environment, folder, 'abc')).toBe(own)
    mkdirSync(join(base, '.claude', 'projects'), { recursive: true })
    expect(claude.sessions.transcriptPath(environment, folder, 'abc')).toBe(own)
  })

  it('is another project where the session was begun, such as a sub-folder or another worktree', () => {
    const sub = join(folder, 'sub')
    const begun = write('abc', [user('u1', null, 'x')], { of: sub })
    write('other', [user('u2', null, 'y')])
    expect(claude.sessions.transcriptPath(environment, folder, 'abc')).toBe(begun)
    expect(claude.sessions.transcriptPath(environment, join(base, 'nowhere'), 'abc')).toBe(begun)
    expect(claude.sessions.transcriptPath(environment, folder, 'ab')).not.toBe(begun)
    const moved = { ...environment, env: { CLAUDE_CONFIG_DIR: join(base, 'cfg') } }
    expect(claude.sessions.transcriptPath(moved, folder, 'abc')).toBe(
      join(base, 'cfg', 'projects', slugOf(folder), 'abc.jsonl'),
    )
  })

  it('is the own project where both have it', () => {
    const sub = join(folder, 'sub')
    const mine = write('abc', [user('u1', null, 'x')], { of: sub })
    const own = join(base, '.claude', 'projects', slugOf(folder))
    mkdirSync(own)
    writeFileSync(join(own, 'abc.jsonl'), '')
    expect(claude.sessions.transcriptPath(environment, folder, 'abc')).toBe(join(own, 'abc.jsonl'))
    expect(claude.sessions.transcriptPath(environment, sub, 'abc')).toBe(mine)
  })

  it('has its side files next to it', () =>
    expect(claude.sessions.sideFolder!('/p/x.jsonl', 'x')).toBe('/p/x'))

  it('is known inside of it only', () => {
    expect(claude.sessions.currentSession!({ CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'abc' })).toBe('abc')
    expect(claude.sessions.currentSession!({ CLAUDE_CODE_SESSION_ID: 'abc' })).toBe(undefined)
    expect(claude.sessions.currentSession!({})).toBe(undefined)
  })
})
