import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConversation } from '../../src/conversation/read.ts'
import { journalPath } from '../../src/store/layout.ts'
import { readBinding, updateBinding } from '../../src/store/machine/binding.ts'
import { readCleared } from '../../src/store/machine/cleared.ts'
import { bringBack, bringBackWorkspaceFiles } from '../../src/store/machine/copies.ts'
import { listGenerations } from '../../src/store/machine/journal/journal.ts'
import { readTurnMark } from '../../src/store/machine/journal/turn-mark.ts'
import { listLocks } from '../../src/store/machine/locks/lock.ts'
import {
  holdMetadata,
  listMetadataBackups,
  readMetadataBackup,
  writeMetadataBackup,
} from '../../src/store/machine/metadata-backup.ts'
import { readRecordAndPendingTurn, writePendingTurn } from '../../src/store/machine/pending-turn.ts'
import { wholeText } from '../../src/store/record/attachments.ts'
import { placedIn, readRecord } from '../../src/store/record/index.ts'
import { restorePruned } from '../../src/store/record/pruned-lines.ts'
import { readMessages } from '../../src/store/record/read-messages.ts'
import { readSession, writeSession } from '../../src/store/record/session-file.ts'
import { readSummaries, writeSummary } from '../../src/store/record/summaries.ts'
import { openWorkspace } from '../../src/workspace/open.ts'
import { workspaceLab } from '../helpers/workspace-lab.ts'
import { tempFolder } from './sandbox.ts'

/**
 * The sample was written when format 1 was frozen, and is never changed: whatever this program becomes, it reads these
 * files. A test here that fails means that the files of people who use cortext cannot be read any more.
 */
const SAMPLE = join(import.meta.dirname, '../fixtures/format-1')
const PATH = 'conversations/2026-11-21/001-brainstorm-api'
const SESSION = '0d4c1a52-7f0e-4b7e-9a3b-2f6f6f0d9c11'

describe('format 1: the record', () => {
  test('session.json is read, with keys of a later program, and is written byte for byte', () => {
    const { folder } = copyOfSample()
    const before = readFileSync(join(folder, '.session/session.json'), 'utf8')
    const { session, problems, writable } = readSession(folder)!
    expect({ problems, writable }).toEqual({ problems: [], writable: true })
    expect(session).toEqual(JSON.parse(before))
    expect(session).toMatchObject({
      status: 'paused',
      key: 'discord:channel:123',
      tags: ['api', 'rest'],
      agent_sessions: [{ client: 'claude', native_id: 'first-session', from: 'u1', to: 'a4' }],
      of_a_later_program: { kept: true },
    })
    rmSync(join(folder, '.session/session.json'))
    writeSession(folder, session)
    expect(readFileSync(join(folder, '.session/session.json'), 'utf8')).toBe(before)
  })

  test('messages.jsonl and the archive are read as messages and events, none of them unreadable', () => {
    const { folder } = copyOfSample()
    const record = readRecord(folder)
    expect(record.problems).toEqual([])
    expect([...record.pruned.values()].map(({ content }) => content)).toEqual([
      'REST or GraphQL?',
      'REST, for simplicity.',
    ])
    expect(record.lines.map(({ role, event }) => event ?? role)).toEqual([
      ...['started', 'pruned', 'user', 'assistant', 'tool', 'tool', 'user'],
      ...['compacted', 'user', 'rewound', 'unknown', 'assistant'],
    ])
    expect(placedIn(record).map(({ message }) => message)).toEqual(linesOf(folder, '.session/messages.jsonl'))
    expect(wholeText(folder, record.lines.find(({ truncated }) => truncated !== undefined)!)).toBe(
      'all of a long result\n'.repeat(20),
    )
  })

  test('pruned lines come back to their places', () => {
    const { folder } = copyOfSample()
    expect(restorePruned(folder)).toMatchObject({ lines: 2, missing: [] })
    expect(readRecord(folder).lines.map(({ role, event }) => event ?? role)).toEqual([
      ...['started', 'user', 'assistant', 'user', 'assistant', 'tool', 'tool', 'user'],
      ...['compacted', 'user', 'rewound', 'unknown', 'assistant'],
    ])
  })

  test('a summary is read and written byte for byte, and what a subagent said is read', () => {
    const { folder } = copyOfSample()
    const { summaries, problems } = readSummaries(folder)
    expect(problems).toEqual([])
    const [name] = readdirSync(join(folder, '.session/summaries'))
    const before = readFileSync(join(folder, '.session/summaries', name!), 'utf8')
    expect(readFileSync(writeSummary(folder, summaries[0]!), 'utf8')).toBe(before)
    const { lines } = readMessages(folder, '.session/subagents/toolu_2.jsonl')
    expect(lines.map(({ content }) => content)).toEqual(['find it', 'It is in src/.'])
  })
})

describe("format 1: this machine's own files", () => {
  test('bindings are read, and are written byte for byte', () => {
    const { local } = copyOfSample()
    const before = filesIn(join(local, 'bindings'))
    const live = readBinding(local, 'claude', SESSION)!
    expect(live).toMatchObject({
      transcript: expect.stringContaining('/.claude/projects/'),
      segments: [
        { conversation: 'conversations/2026-11-20/002-plan-old', to: 329, ended_by: 'stop', tidied: true },
        { conversation: PATH, from: 329, how: 'resume', restarted: true, cleared: true, notified: 'later' },
      ],
    })
    const ended = readBinding(local, 'gemini', 'abc')!
    expect(ended.segments).toMatchObject([{ pending: true, to: 0, ended_by: 'elsewhere' }])
    rmSync(join(local, 'bindings'), { recursive: true })
    for (const one of [live, ended]) updateBinding(local, one.client, one.native_id, () => one)
    expect(filesIn(join(local, 'bindings'))).toEqual(before)
  })

  test('the journal is read with its generations and the place of the last turn', () => {
    const { local } = copyOfSample()
    const generations = listGenerations(journalPath(local, 'claude', SESSION))
    expect(generations.map(({ name }) => name)).toEqual([`${SESSION}.jsonl`, `${SESSION}~1.jsonl`])
    expect(readTurnMark(local, 'claude', SESSION)).toEqual({ offset: 329, at: '2026-11-21T10:12:00.000Z' })
  })

  test('metadata and what is held back of it are read, and are written byte for byte', () => {
    const { local } = copyOfSample()
    const before = filesIn(join(local, 'metadata'))
    const held = readMetadataBackup(local, PATH)!
    expect(held).toMatchObject({
      held: { folder: 0 },
      session: { status: 'active', title: 'API, held back' },
    })
    rmSync(join(local, 'metadata', Object.keys(before).find((name) => name.includes('~held'))!))
    const [kept] = listMetadataBackups(local)
    expect(kept).toMatchObject({ path: PATH, session: { status: 'paused', title: 'API' } })
    writeMetadataBackup(local, PATH, kept!.session, local)
    holdMetadata(local, PATH, held.session, join(local, 'nowhere'))
    expect(filesIn(join(local, 'metadata'))).toEqual(before)
  })

  test('a pending turn is read, and is written byte for byte', () => {
    const { local, folder } = copyOfSample()
    const path = 'conversations/2026-11-21/002-plan-loop'
    const before = filesIn(join(local, 'pending-turns'))
    const { beyond } = readRecordAndPendingTurn(local, path, folder)
    expect(beyond.map(({ content }) => content)).toEqual(['a turn of an agent loop', 'said'])
    rmSync(join(local, 'pending-turns'), { recursive: true })
    writePendingTurn(local, path, beyond)
    expect(filesIn(join(local, 'pending-turns'))).toEqual(before)
  })

  test('a lock and the note of a cleared session are read', () => {
    const { local } = copyOfSample()
    expect(listLocks(local)).toMatchObject([{ pid: 4242, since: '2026-11-21T10:56:00.000Z' }])
    const clearing = { client: 'claude', pid: 4242, now: new Date('2026-11-21T10:55:01Z') }
    expect(readCleared(local, clearing)).toEqual({ conversation: PATH, command: 'workspace.brainstorm' })
  })

  test('copies come back where git has taken the files', () => {
    const { root, local } = copyOfSample()
    for (const gone of ['conversations', '.workspace']) rmSync(join(root, gone), { recursive: true })
    expect(bringBack(local, root, PATH)).toEqual([`${PATH}/brainstorm.md`])
    expect(bringBackWorkspaceFiles(local, root)).toEqual(['.workspace/config.json'])
  })
})

test('format 1: record, journal and what is held back are read as one conversation', async () => {
  const { environment, root } = await workspaceLab({ git: 'none' })
  const ws = openWorkspace(environment)
  cpSync(join(SAMPLE, 'workspace/conversations'), join(root, 'conversations'), { recursive: true })
  mkdirSync(dirname(ws.local), { recursive: true })
  cpSync(join(SAMPLE, 'local'), ws.local, { recursive: true })
  const { session, messages, pruned, problems } = readConversation(ws, PATH)
  expect(problems).toEqual([])
  expect(session).toMatchObject({ title: 'API, held back', status: 'active' })
  expect(pruned.size).toBe(2)
  expect(messages.slice(-2).map(({ role, content }) => `${role}: ${content}`)).toEqual([
    'user: And the errors?',
    'assistant: As problem details.',
  ])
})

function copyOfSample() {
  const home = tempFolder()
  cpSync(SAMPLE, home, { recursive: true })
  const root = join(home, 'workspace')
  return { root, folder: join(root, PATH), local: join(home, 'local') }
}

/** The text of each file below a folder, by its path there. */
function filesIn(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(files.map((path) => [relative(folder, path), readFileSync(path, 'utf8')]))
}

function linesOf(folder: string, file: string): unknown[] {
  const lines = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}
