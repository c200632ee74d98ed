import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { SessionFile } from '../../../src/session/schema.ts'
import { readSession, writeSession } from '../../../src/store/record/session-file.ts'
import { tempFolder } from '../sandbox.ts'

const session: SessionFile = {
  version: '1.0',
  conversation_id: '001-brainstorm-api-design',
  conversation_type: 'brainstorm',
  title: 'API Design',
  status: 'paused',
  created_at: '2026-11-21T10:30:00Z',
  last_active: '2026-11-21T11:45:00Z',
  message_count: 24,
  token_count: 8123,
  agent_config: {
    client: 'claude',
    command: '/workspace.brainstorm',
    system_prompt_hash: 'sha256:0',
    model: 'm',
    tools: [],
  },
  context_summary: 'Leaning toward REST',
  agent_sessions: [agentSession('one', '2026-11-21T11:45:00Z')],
}

function agentSession(native_id: string, last_active: string) {
  return { client: 'claude', native_id, started_at: '2026-11-21T10:30:00Z', last_active, message_count: 24 }
}

function conversation(text?: string) {
  const folder = tempFolder()
  const file = join(folder, '.session/session.json')
  mkdirSync(join(folder, '.session'))
  if (text !== undefined) writeFileSync(file, text)
  return { folder, file }
}

describe('writeSession', () => {
  test('S1-001a: what was written is read, in two-space JSON that ends in a line break', () => {
    const folder = tempFolder()
    writeSession(folder, session)
    expect(readSession(folder)).toEqual({ session, problems: [], writable: true })
    const text = readFileSync(join(folder, '.session/session.json'), 'utf8')
    expect(text).toBe(`${JSON.stringify(session, null, 2)}\n`)
    expect(readdirSync(join(folder, '.session'))).toEqual(['session.json'])
  })

  test('the documented keys come first and in order; unknown keys survive behind them, at every depth', () => {
    const { folder, file } = conversation()
    const shuffled = {
      ours: { kept: true },
      ...Object.fromEntries(Object.entries(session).reverse()),
      agent_config: { plugin: 1, ...session.agent_config },
    } as unknown as SessionFile
    writeSession(folder, shuffled)
    const written = JSON.parse(readFileSync(file, 'utf8'))
    expect(Object.keys(written)).toEqual([...Object.keys(session), 'ours'])
    expect(Object.keys(written.agent_config)).toEqual([...Object.keys(session.agent_config), 'plugin'])
    const again = readSession(folder)!.session
    writeSession(folder, { ...again, title: 'New' })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ ...written, title: 'New' })
  })

  test('a file that would not change is not touched', () => {
    const { folder, file } = conversation()
    writeSession(folder, session)
    utimesSync(file, 1000, 1000)
    const { ino } = statSync(file)
    writeSession(folder, readSession(folder)!.session)
    expect(statSync(file)).toMatchObject({ ino, mtimeMs: 1_000_000 })
    writeSession(folder, { ...session, title: 'Other' })
    expect(statSync(file).mtimeMs).not.toBe(1_000_000)
  })

  test('does not write over a newer file, nor a newer session, nor through a symlink', () => {
    const newer = JSON.stringify({ ...session, version: '2.0' })
    const { folder, file } = conversation(newer)
    const error = expect.objectContaining({ code: 'newer-version', message: expect.stringContaining(file) })
    expect(() => writeSession(folder, session)).toThrow(error)
    expect(readFileSync(file, 'utf8')).toBe(newer)
    expect(() => writeSession(tempFolder(), { ...session, version: '2.0' })).toThrow(
      expect.objectContaining({ code: 'newer-version' }),
    )
    const linked = tempFolder()
    symlinkSync(join(folder, '.session'), join(linked, '.session'))
    expect(() => writeSession(linked, { ...session, title: 'x' })).toThrow()
    expect(readFileSync(file, 'utf8')).toBe(newer)
  })
})

describe('readSession', () => {
  test('a missing file is not broken', () => {
    expect(readSession(tempFolder())).toBeUndefined()
  })

  test('a byte order mark and CRLF are tolerated', () => {
    const text = `\uFEFF${JSON.stringify(session, null, 2).replaceAll('\n', '\r\n')}\r\n`
    expect(readSession(conversation(text).folder)?.session).toEqual(session)
  })

  test('an older file without the later keys is filled up with defaults', () => {
    const { folder } = conversation(
      JSON.stringify({
        conversation_id: 'c',
        conversation_type: 'debug',
        created_at: session.created_at,
        last_active: session.last_active,
      }),
    )
    expect(readSession(folder)).toMatchObject({
      writable: true,
      session: {
        status: 'paused',
        message_count: 0,
        agent_config: { client: 'unknown' },
        agent_sessions: [],
      },
    })
  })

  test.each([
    ['empty', '', 'empty'],
    ['cut', JSON.stringify(session).slice(0, 100), 'not JSON'],
    ['no object', '[]', 'expected object'],
    ['S1-005a: a status that does not exist', JSON.stringify({ ...session, status: 'sleeping' }), 'status'],
  ])('E-7: %s is corrupt, by path, with a fix', (_, text, why) => {
    const { folder, file } = conversation(text)
    const read = () => readSession(folder)
    expect(read).toThrow(
      expect.objectContaining({ code: 'corrupt', fix: `cortext save ${basename(folder)}` }),
    )
    expect(read).toThrow(file)
    expect(read).toThrow(why)
  })

  test('a newer major version is read as far as it is understood, and is not writable', () => {
    const newer = { ...session, version: '2.1', status: 'hibernating', message_count: 'many', orbit: 'low' }
    expect(readSession(conversation(JSON.stringify(newer)).folder)).toMatchObject({
      writable: false,
      session: { version: '2.1', title: 'API Design', status: 'paused', message_count: 0, orbit: 'low' },
    })
    expect(readSession(conversation('{"version": 3}').folder)).toMatchObject({
      writable: false,
      session: { version: '3', conversation_type: 'unknown' },
    })
    const minor = conversation(JSON.stringify({ ...session, version: '1.7' }))
    expect(readSession(minor.folder)?.writable).toBe(true)
  })
})

describe('E-21: a session.json in conflict', () => {
  const text = (ours: string, theirs: string) => `{
  "version": "1.0",
  "conversation_id": "001-brainstorm-api-design",
  "conversation_type": "brainstorm",
<<<<<<< HEAD
${ours}
||||||| base
  "title": "base",
=======
${theirs}
>>>>>>> other
  "created_at": "2026-11-21T10:30:00Z"
}
`
  const older = `  "title": "Older", "status": "paused", "last_active": "2026-11-21T11:00:00Z", "key": "kept",
  "agent_sessions": [${JSON.stringify(agentSession('a', '2026-11-21T11:00:00Z'))}, ${JSON.stringify(agentSession('b', '2026-11-21T10:00:00Z'))}],`
  const newer = `  "title": "Newer", "status": "completed", "last_active": "2026-11-21T13:00:00+01:00",
  "agent_sessions": [${JSON.stringify(agentSession('b', '2026-11-21T12:00:00Z'))}],`

  test.each([
    ['ours is older', older, newer],
    ['theirs is older', newer, older],
  ])('%s: the side that was active last wins, what only one has is kept', (_, ours, theirs) => {
    const { folder, file } = conversation(text(ours, theirs))
    const read = readSession(folder)!
    expect(read.problems).toEqual([{ path: file, line: 5, kind: 'conflict-marker', bytes: 13 }])
    expect(read).toMatchObject({
      writable: true,
      session: { title: 'Newer', status: 'completed', key: 'kept' },
    })
    const times = Object.fromEntries(
      read.session.agent_sessions.map((one) => [one.native_id, one.last_active]),
    )
    expect(times).toEqual({ a: '2026-11-21T11:00:00Z', b: '2026-11-21T12:00:00Z' })
  })

  test('the length of a marker is in bytes, also with a branch that has other letters than ASCII', () => {
    const { folder } = conversation(text(older, newer).replace('HEAD', 'größe'))
    expect(readSession(folder)!.problems).toMatchObject([{ line: 5, bytes: 16 }])
  })

  test('the next write repairs the file', () => {
    const { folder, file } = conversation(text(older, newer))
    writeSession(folder, readSession(folder)!.session)
    expect(readSession(folder)).toMatchObject({ problems: [], session: { title: 'Newer' } })
    expect(readFileSync(file, 'utf8')).not.toContain('<<<')
  })

  test('if one side is broken, the other is read; if both are, the file is corrupt', () => {
    expect(readSession(conversation(text('  "title": ', newer)).folder)?.session.title).toBe('Newer')
    expect(() => readSession(conversation(text('  "title": ', '  :')).folder)).toThrow(
      expect.objectContaining({ code: 'corrupt', message: expect.stringContaining('conflict') }),
    )
  })
})
