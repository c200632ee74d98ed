import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { gemini } from '../../../src/clients/gemini/index.ts'
import type { Environment } from '../../../src/io/environment.ts'
import { sample } from './transcript.ts'

const ID = '7de9fdb1-ad6f-4a99-b146-2205fd93fe93'
const STUB = [
  { sessionId: ID, projectHash: 'x', kind: 'main' },
  { $set: { messages: [{ id: 'd', type: 'user', content: [{ text: '<session_context>\nThis is' }] }] } },
]

let folder: string
let project: string
let chats: string
let environment: Environment

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'cortext-gemini-')))
  project = join(folder, 'project')
  chats = join(folder, '.gemini', 'tmp', 'slug', 'chats')
  mkdirSync(project)
  mkdirSync(chats, { recursive: true })
  writeFileSync(
    join(folder, '.gemini', 'projects.json'),
    JSON.stringify({ projects: { [project]: 'slug', '/elsewhere': '../../..' } }),
  )
  environment = { cwd: project, home: folder, env: {}, now: () => new Date(), interactive: false }
})
afterEach(() => rmSync(folder, { recursive: true }))

const put = (name: string, content: Uint8Array | object[]) =>
  writeFileSync(
    join(chats, name),
    content instanceof Uint8Array ? content : content.map((one) => `${JSON.stringify(one)}\n`).join(''),
  )

describe('the sessions of a folder', () => {
  it('are found by its short name, with the first words or the client’s own title, newest first', () => {
    put('session-2026-11-21T23-09-7de9fdb1.jsonl', sample('tui-rewound-resumed'))
    put('session-2026-11-21T20-29-11111111.jsonl', sample('headless-resumed'))
    utimesSync(join(chats, 'session-2026-11-21T20-29-11111111.jsonl'), 1, 1)
    expect(gemini.sessions.locate(environment, project)).toEqual([
      expect.objectContaining({ nativeId: ID, title: 'Hello, let us plan a garden', cwd: project }),
      expect.objectContaining({
        nativeId: '11111111-2222-4333-8444-555555555555',
        title: 'I will read that file.',
      }),
    ])
  })

  it('can be continued as long as more than a stub is there', () => {
    put('session-2026-11-21T23-09-7de9fdb1.jsonl', sample('tui-rewound-resumed'))
    put('session-2026-11-21T23-10-7de9fdb1.jsonl', STUB)
    expect(gemini.sessions.hasSession(environment, project, ID)).toBe(true)
    rmSync(join(chats, 'session-2026-11-21T23-09-7de9fdb1.jsonl'))
    expect(gemini.sessions.hasSession(environment, project, ID)).toBe(false)
  })

  it('are found by the mark in their folder when the registry does not name it', () => {
    rmSync(join(folder, '.gemini', 'projects.json'))
    writeFileSync(join(folder, '.gemini', 'tmp', 'slug', '.project_root'), project)
    put('session-2026-11-21T23-09-7de9fdb1.jsonl', sample('tui-rewound-resumed'))
    expect(gemini.sessions.locate(environment, project)).toHaveLength(1)
  })

  it('are not the stubs that a resume leaves, nor subagents, nor files that are not sessions', () => {
    put('session-2026-11-21T23-10-7de9fdb1.jsonl', STUB)
    put('session-2026-11-21T23-11-2d2ae706.jsonl', sample('subagent-child'))
    put('session-broken.jsonl', Buffer.from('{"sessionId'))
    put('other.jsonl', sample('headless-resumed'))
    expect(gemini.sessions.locate(environment, project)).toEqual([])
    expect(gemini.sessions.locate(environment, '/elsewhere')).toEqual([])
    expect(gemini.sessions.locate({ ...environment, home: '/nowhere' }, project)).toEqual([])
  })
})

describe('the transcript of a session', () => {
  it('is the file that contains it, not the stub of a later minute', () => {
    put('session-2026-11-21T23-09-7de9fdb1.jsonl', sample('tui-rewound-resumed'))
    put('session-2026-11-21T23-10-7de9fdb1.jsonl', STUB)
    const path = gemini.sessions.transcriptPath(environment, project, ID)
    expect(path).toBe(join(chats, 'session-2026-11-21T23-09-7de9fdb1.jsonl'))
    expect(gemini.sessions.sideFolder!(path, ID)).toBe(join(chats, ID))
  })

  it('is not that of another session whose id begins alike', () => {
    put('session-2026-11-21T23-09-7de9fdb1.jsonl', sample('tui-rewound-resumed'))
    expect(gemini.sessions.transcriptPath(environment, project, '7de9fdb1-0000')).toBe(
      join(chats, 'session-7de9fdb1-0000.jsonl'),
    )
  })

  it('never leaves the folder', () => {
    for (const id of ['../x', 'a/b', '', '.'])
      expect(() => gemini.sessions.transcriptPath(environment, project, id)).toThrow(
        expect.objectContaining({ code: 'unsafe-path' }),
      )
  })
})
