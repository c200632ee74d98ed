import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { transcriptOf } from '../../src/conversation/own-transcript.ts'

const ID = '0f9f2c1e-5b7a-4c55-9d0e-000000000001'

let home: string
beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'cortext-home-')))
})
afterAll(() => rmSync(home, { recursive: true }))

describe('the transcript that a binding names is read only if it can be one', () => {
  // promise: its plugin writes such a copy to `~/.local/share/cortext/opencode/`
  it.each([
    ['claude', ID, `.claude/projects/-work/${ID}.jsonl`],
    ['gemini', ID, '.gemini/tmp/work/chats/session-2026-11-22T20-15-0f9f2c1e.jsonl'],
    ['gemini', ID, '.gemini/tmp/work/chats/session-2026-11-22T20-15-0f9f2c1e.json'],
    ['gemini', ID, `.gemini/tmp/work/chats/session-${ID}.jsonl`],
    ['opencode', 'ses_1a2b3c4d5e', '.local/share/cortext/opencode/ses_1a2b3c4d5e.jsonl'],
    ['copilot', ID, `.copilot/session-state/${ID}/events.jsonl`],
    ['kimi', ID, `.kimi/sessions/0a1b/${ID}/wire.jsonl`],
  ])('%s: %s in %s', (client, id, path) => {
    expect(read(client, id, path)).toBe('yes')
  })

  // promise: A transcript that a binding names is read only where its client keeps transcripts.
  it.each([
    ['another session', 'claude', ID, '.claude/projects/-work/1f9f2c1e-5b7a-4c55-9d0e-000000000001.jsonl'],
    ['a name that holds the id', 'claude', ID, `.claude/projects/-work/${ID}.jsonl.notes`],
    ['an id of no letters', 'claude', '', '.claude/projects/-work/history.jsonl'],
    ['an id that is part of every name', 'gemini', '-', '.gemini/tmp/work/chats/session-a-.jsonl'],
    ['the beginning of every name', 'gemini', 'session-', '.gemini/tmp/work/chats/session-a-0f9f2c1e.jsonl'],
    ['eight letters in the middle', 'gemini', ID, '.gemini/tmp/work/chats/0f9f2c1e-notes.jsonl'],
    ['another folder of the client', 'claude', ID, `.claude/todos/${ID}.jsonl`],
    ['a folder beside', 'claude', ID, `.claude/projects-of-mine/${ID}.jsonl`],
    ['a file beside the events', 'copilot', ID, `.copilot/session-state/${ID}/files/notes.jsonl`],
    ['the events of another session', 'copilot', ID, `.copilot/session-state/1${ID.slice(1)}/events.jsonl`],
    ['a file that its client names otherwise', 'kimi', 'wire', `.kimi/sessions/0a1b/${ID}/wire.jsonl`],
    ["another client's folder", 'claude', ID, `.gemini/tmp/${ID}.jsonl`],
  ])('%s is not read: %s, %s, %s', (_, client, id, path) => {
    expect(read(client, id, path)).toBe('no')
  })

  it('a link among the transcripts that leads elsewhere is not read', () => {
    const link = join(home, `.claude/projects/-work/${ID}.jsonl`)
    mkdirSync(dirname(link), { recursive: true })
    writeFileSync(join(home, `${ID}.jsonl`), '')
    symlinkSync(join(home, `${ID}.jsonl`), link)
    expect(asked('claude', ID, link)).toBe('')
  })
})

function read(client: string, id: string, path: string): 'yes' | 'no' {
  const transcript = join(home, path)
  return asked(client, id, transcript) === transcript ? 'yes' : 'no'
}

function asked(client: string, id: string, transcript: string): string {
  const environment = { env: {}, home, cwd: home, now: () => new Date(), interactive: false }
  return transcriptOf({ environment }, { client, native_id: id, transcript })
}
