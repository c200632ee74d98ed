import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ReadReport } from '../../../src/clients/contract/reading.ts'
import { clientOf } from '../../../src/clients/index.ts'
import { publish } from '../../../src/conversation/publish.ts'
import { readConversation } from '../../../src/conversation/read.ts'
import { CortextError } from '../../../src/errors.ts'
import { importSession, sessionsToImport } from '../../../src/journeys/importing/import.ts'
import { unbind } from '../../../src/journeys/recording/bind.ts'
import { sessionNamed } from '../../../src/journeys/recording/current-session.ts'
import { start } from '../../../src/journeys/recording/start.ts'
import type { Message } from '../../../src/session/schema.ts'
import { openWorkspace, type Workspace } from '../../../src/workspace/open.ts'
import { accounted, SAMPLES, sample } from '../../clients/claude/transcript.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { filesBelow, type Lab, openLab, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'
import { killed } from '../editing/gone/life.ts'

interface Imported {
  imported: {
    native_id: string
    id: string
    path: string
    appended: number
    messages: number
    report: ReadReport
  }[]
}

// promise: Each has a line: how
// promise: says of every byte whether
test('S3-A2 an import reports what became of every record, and how many bytes were taken from those it keeps', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  claude.say('a question')
  appendFileSync(claude.transcript, '{"torn\n{"type":"summary","summary":"x","leafUuid":"y"}\n')
  const { stdout } = await lab.cortext(['import', 'claude', claude.id, '--verbose'])
  const numbers = (of: string) => {
    const [, records, bytes] = new RegExp(`^ *${of}: (\\d+) \\w+, (\\d+) bytes$`, 'm').exec(stdout) ?? []
    return { records: Number(records), bytes: Number(bytes) }
  }
  expect(numbers('saved').records).toBe(2)
  const [, taken] = /taken from these records [^:]*: (\d+) bytes/.exec(stdout) ?? []
  expect(Number(taken)).toBe('a question'.length + 'answer to a question'.length)
  expect(Number(taken)).toBeLessThan(numbers('saved').bytes)
  expect(numbers('unreadable')).toEqual({ records: 1, bytes: 7 })
  expect(stdout).toContain(`${readFileSync(claude.transcript).length} bytes read:`)
})

test('an import that is killed and run again makes one conversation', async () => {
  const begin = async () => {
    const lab = await workspaceLab()
    const claude = new ClaudeSession(lab)
    for (let turn = 0; turn < 20; turn += 1) claude.say(`question ${turn}`)
    const list = () => lab.json<{ conversations: { message_count: number }[] }>(['list', '--all', '--json'])
    const counts = async () => (await list()).conversations.map((one) => one.message_count)
    return { lab, counts, args: ['import', 'claude', claude.id] }
  }
  const probe = await begin()
  let made = 10
  while ((await probe.counts()).length === 0)
    expect((await killed(probe.lab, probe.args, { disk: made++ })).code).toBe(null)
  const { lab, counts, args } = await begin()
  // Somewhat later: the conversation is made, and nothing is taken in yet.
  await killed(lab, args, { disk: made + 6 })
  expect(await counts()).toEqual([0])
  await lab.json([...args, '--json'])
  expect(await counts()).toEqual([40])
})

describe.each(SAMPLES)('the sample %s', (name) => {
  test('S3-A2 imported twice changes no byte of the conversation, and the report sums to all bytes', async () => {
    const lab = await workspaceLab()
    const file = putSample(lab, name)
    const first = (await lab.json<Imported>(['import', 'claude', '--file', file, '--json'])).imported[0]!
    expect(first.report.bytes).toBe(sample(name).length)
    expect(accounted(first.report)).toBe(first.report.bytes)
    const folder = join(lab.root, first.path)
    const before = filesBelow(folder)
    expect(before['.session/messages.jsonl']!.split('\n').length - 1).toBe(first.appended)

    const second = (await lab.json<Imported>(['import', 'claude', '--file', file, '--json'])).imported[0]!
    expect(second).toMatchObject({ path: first.path, appended: 0, messages: first.messages })
    expect(filesBelow(folder)).toEqual(before)
  })

  test('S1-001j gives the same record when it is published after every prefix as when it is published at once', async () => {
    const bytes = sample(name)
    const ends = lineEnds(bytes)
    // Whose it is differs: who typed what was imported is not guessed.
    const said = (messages: Message[]) =>
      messages
        .filter((message) => message.event !== 'started')
        .map(({ origin: _, author: __, ...message }) => message)
    expect(said(await inSteps(name, ends, 'capture'))).toEqual(
      said(await inSteps(name, [bytes.length], 'import')),
    )
  })

  test('S1-001j gives the same record when it is imported while it grows, cut anywhere, as when it is imported whole', async () => {
    const bytes = sample(name)
    const whole = await inSteps(name, [bytes.length], 'import')
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { minLength: 1, maxLength: 5 }), async (cuts) => {
        expect(await inSteps(name, [...cuts.sort((a, b) => a - b), bytes.length], 'import')).toEqual(whole)
      }),
      { numRuns: 8 },
    )
  })
})

// promise: dated by what was said
// promise: that were not recorded (`--all`
test('import --all imports every session of this folder, once; --into imports one into an existing conversation', async () => {
  const lab = await workspaceLab()
  const [one, two] = [new ClaudeSession(lab), new ClaudeSession(lab)]
  one.say('first session')
  two.say('second session')
  const all = (await lab.json<Imported>(['import', 'claude', '--all', '--json'])).imported
  expect(all.map((each) => each.native_id).sort()).toEqual([one.id, two.id].sort())
  const again = (await lab.json<Imported>(['import', 'claude', '--all', '--json'])).imported
  expect(again.map(({ path, appended }) => [path, appended])).toEqual(all.map(({ path }) => [path, 0]))

  const three = new ClaudeSession(lab)
  three.say('third session')
  const { path } = all[0]!
  const into = await lab.json<Imported>(['import', 'claude', three.id, '--into', idOf(path), '--json'])
  expect(into.imported[0]!.path).toBe(path)
  expect(talk(await shown(lab, idOf(path)))).toContain('user: third session')
})

test('a session that is being recorded can be imported into another conversation, and stays recorded', async () => {
  const lab = await workspaceLab()
  const { path: other } = await lab.json<{ path: string }>(['start', 'plan', 'Other', '--json'])
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'Mine')
  await claude.turn('one')
  await lab.json(['import', 'claude', claude.id, '--into', idOf(other), '--json'])
  expect(talk(await shown(lab, idOf(other)))).toContain('user: one')
  await claude.turn('two')
  expect(talk(await shown(lab, 'mine'))).toContain('user: two')
})

test('two files of the same name become two conversations: the records name the session', async () => {
  const lab = await workspaceLab()
  const sessions = [new ClaudeSession(lab), new ClaudeSession(lab)]
  const made = []
  for (const [at, claude] of sessions.entries()) {
    claude.say(`question ${at}`)
    const file = join(lab.home, `backup-${at}`, 'session.jsonl')
    mkdirSync(dirname(file))
    copyFileSync(claude.transcript, file)
    made.push((await lab.json<Imported>(['import', 'claude', '--file', file, '--json'])).imported[0]!)
  }
  expect(made.map(({ native_id }) => native_id)).toEqual(sessions.map(({ id }) => id))
  expect(new Set(made.map(({ path }) => path)).size).toBe(2)
})

// promise: dated by what was said in them, named after the first request that tells something, and summed
// promise: that were not recorded (`--all`
test('an import has the date of its first message, and of several sessions the oldest is imported first', async () => {
  const lab = await workspaceLab()
  const days = ['2026-03-02', '2026-03-01', '2025-12-24']
  for (const day of days) {
    const claude = new ClaudeSession(lab)
    claude.say(`said on ${day}`)
    const text = readFileSync(claude.transcript, 'utf8')
    writeFileSync(claude.transcript, text.replaceAll(/"timestamp":"[^T]+/g, `"timestamp":"${day}`))
  }
  const { imported } = await lab.json<Imported>(['import', 'claude', '--all', '--json'])
  expect(imported).toHaveLength(3)
  const { conversations } = await lab.json<{ conversations: { path: string; last_active: string }[] }>([
    'list',
    '--all',
    '--json',
  ])
  expect(conversations.map(({ last_active }) => last_active.slice(0, 10))).toEqual(days)
  expect(conversations.map(({ path }) => path.split('/')[1])).toEqual(days)
})

test.each([
  ['of another client', 'gemini', 'cortext import claude --file'],
  ['that is no transcript', 'claude', 'head -c 300'],
])('a file %s is refused with advice, and leaves nothing', async (what, client, fix) => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  claude.say('said')
  const file = join(lab.home, 'it.jsonl')
  if (what.includes('another')) copyFileSync(claude.transcript, file)
  else writeFileSync(file, 'name,price\na,1\n')
  const before = filesBelow(lab.root)
  const { code, stdout } = await lab.cortext(['import', client, '--file', file, '--json'])
  expect(code).toBe(1)
  expect(JSON.parse(stdout).error).toMatchObject({ code: 'refused', fix: expect.stringContaining(fix) })
  const {
    '.git/cortext/index.json': _,
    '.git/cortext/binding-index.json': __,
    ...after
  } = filesBelow(lab.root)
  const left = Object.keys(after).filter((path) => !path.startsWith('.git/cortext/merge-checks/'))
  for (const path of left) expect(Object.keys(before)).toContain(path)
})

test('what `opencode export` writes is imported as the session that it is', async () => {
  const lab = await workspaceLab()
  const file = join(lab.home, 'export.json')
  const message = (id: string, role: string, text: string) => ({
    info: { id, sessionID: 'ses_x', role, time: { created: 1_780_000_000_000 }, finish: 'stop' },
    parts: [{ id: `prt_${id}`, type: 'text', text }],
  })
  const info = { id: 'ses_x', title: 'T', directory: '/elsewhere', version: '1.18.33' }
  const messages = [message('msg_1', 'user', 'a question'), message('msg_2', 'assistant', 'an answer')]
  writeFileSync(file, JSON.stringify({ info, messages }, null, 2))
  const [made] = (await lab.json<Imported>(['import', 'opencode', '--file', file, '--json'])).imported
  expect(made).toMatchObject({ native_id: 'ses_x', messages: 2 })
  expect(talk(await shown(lab, idOf(made!.path)))).toEqual(['user: a question', 'assistant: an answer'])
  const [again] = (await lab.json<Imported>(['import', 'opencode', '--file', file, '--json'])).imported
  expect(again).toMatchObject({ path: made!.path, appended: 0 })

  // One that was cut is read as far as it goes.
  const text = JSON.stringify({ info, messages }, null, 2)
    .replaceAll('ses_x', 'ses_y')
    .replaceAll('msg_', 'msg_y')
  writeFileSync(file, text.slice(0, text.indexOf('an answer')))
  const [cut] = (await lab.json<Imported>(['import', 'opencode', '--file', file, '--json'])).imported
  expect(cut).toMatchObject({ native_id: 'ses_y', messages: 1 })
  expect(cut!.report.unreadable).toHaveLength(1)
})

test('import reports a transcript that is not there, and an unknown client', async () => {
  const lab = await workspaceLab()
  const missing = await lab.cortext(['import', 'claude', '--file', 'no.jsonl', '--json'])
  expect(missing.code).toBe(1)
  expect(JSON.parse(missing.stdout)).toMatchObject({ error: { code: 'not-found' } })
  expect(missing.stdout).toContain('no.jsonl')
  const unknown = await lab.cortext(['import', 'emacs', '--all', '--json'])
  expect(unknown.code).not.toBe(70)
  expect(JSON.parse(unknown.stdout).error.fix).toContain('claude')
})

/** What a conversation holds when its transcript came in steps, each ending at a byte offset, published after each. */
async function inSteps(name: string, ends: number[], how: 'capture' | 'import') {
  const lab = await openLab({ git: 'none' })
  try {
    const bytes = sample(name)
    // A session that is recorded lies where its client keeps it.
    const nativeId = clientOf('claude').reading.sessionId!(bytes) ?? name
    const file = join(lab.home, '.claude', 'projects', 'x', `${nativeId}.jsonl`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '')
    const ws = openWorkspace({ ...lab.environment, now: () => new Date('2026-11-21T10:30:00Z') })
    const current = sessionNamed(ws, { client: 'claude', nativeId, transcript: file })
    let path = how === 'capture' ? (await start(ws, { type: 'brainstorm', title: 'T', current })).path : ''
    let from = 0
    for (const end of ends) {
      appendFileSync(file, bytes.subarray(from, end))
      from = end
      if (how === 'capture') await publish(ws, path)
      else path = (await imported(ws, file)) ?? path
    }
    // While a session is open, a stop at its end may still run, and is left out.
    if (how === 'capture') {
      unbind(ws, current, { to: bytes.length, by: 'session-end' })
      await publish(ws, path)
    }
    return readConversation(ws, path).messages
  } finally {
    lab.remove()
  }
}

/** Undefined where nothing was said so far. */
async function imported(ws: Workspace, file: string): Promise<string | undefined> {
  try {
    const [session] = sessionsToImport(ws, 'claude', { file })
    return (await importSession(ws, session!, { type: 'brainstorm', title: 'T' })).path
  } catch (error) {
    if (error instanceof CortextError && error.code === 'refused') return undefined
    throw error
  }
}

function lineEnds(bytes: Uint8Array): number[] {
  return [...bytes.entries()].flatMap(([index, byte]) => (byte === 0x0a ? [index + 1] : []))
}

function putSample(lab: Lab, name: string): string {
  const file = join(lab.home, 'samples', `${name}.jsonl`)
  mkdirSync(join(lab.home, 'samples'))
  copyFileSync(new URL(`../../fixtures/claude/${name}.jsonl`, import.meta.url), file)
  return file
}

function idOf(path: string): string {
  return path.split('/').slice(-2).join('/')
}

// promise: dated by what was said
test('an import is summed up from its record, by what was asked, not by its last prompt', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.turn('can you say why the nightly builds are slow?')
  await claude.turn('push')
  const [made] = (await lab.json<Imported>(['import', 'claude', claude.id, '--json'])).imported
  expect(made!.id).toBe('001-chat-say-why-the-nightly-builds-are-slow')
  const { session } = await lab.json<{ session: { context_summary: string } }>(['show', made!.id, '--json'])
  expect(session.context_summary).toBe(
    'From the record: first asked "can you say why the nightly builds are slow?"; last answered "answer to push"',
  )
})

test('a conversation that no command began is named after its first words, imported or stopped', async () => {
  const lab = await workspaceLab()
  const file = join(lab.home, 'talk.jsonl')
  const imported = new ClaudeSession(lab)
  await imported.turn('Why are the nightly builds so slow?')
  copyFileSync(imported.transcript, file)
  const [made] = (await lab.json<Imported>(['import', 'claude', '--file', file, '--json'])).imported
  expect(made!.id).toBe('001-chat-why-are-the-nightly-builds-so-slow')

  const other = new ClaudeSession(lab)
  await other.turn('How do we name endpoints?')
  const stopped = await lab.json<{ id: string; title: string }>(['stop', '--json'], { env: other.env })
  expect(stopped).toMatchObject({
    id: expect.stringMatching(/^00\d-chat-how-do-we-name-endpoints$/),
    title: 'How do we name endpoints?',
  })
})

test('two exports of OpenCode under one id are two conversations, and a subagent’s alone has no word of a person', async () => {
  const lab = await workspaceLab()
  const file = join(lab.home, 'export.json')
  const exported = (id: string, words: string, more: object = {}) => {
    const message = (own: string, role: string, text: string) => ({
      info: {
        id: `msg_${words.length}${own}`,
        sessionID: id,
        role,
        time: { created: 1_780_000_000_000 },
        finish: 'stop',
      },
      parts: [{ id: `prt_${own}`, type: 'text', text }],
    })
    writeFileSync(
      file,
      JSON.stringify({
        info: { id, title: words, ...more },
        messages: [message('1', 'user', words), message('2', 'assistant', `to ${words}`)],
      }),
    )
  }
  const saved = async () => {
    const [one] = (await lab.json<Imported>(['import', 'opencode', '--file', file, '--json'])).imported
    if (one!.appended > 0) expect(one!.report.kept.records).toBe(2)
    return one!.path
  }
  exported('REDACTED', 'first talk')
  const first = await saved()
  exported('REDACTED', 'the second talk')
  const second = await saved()
  expect(second).not.toBe(first)
  expect(await saved()).toBe(second)
  expect(talk(await shown(lab, idOf(second)))).toEqual([
    'user: the second talk',
    'assistant: to the second talk',
  ])
  exported('ses_child', 'count the files', { parentID: 'ses_parent' })
  const record = readFileSync(join(lab.root, await saved(), '.session', 'messages.jsonl'), 'utf8')
  expect(record).toContain('"role":"tool","content":"count the files"')
  expect(record).not.toContain('"role":"user"')
})

test('a copy of a session that was made earlier takes nothing back', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  claude.say('one')
  const earlier = join(lab.home, 'earlier.jsonl')
  copyFileSync(claude.transcript, earlier)
  claude.say('two')
  const saved = async (file: string) =>
    (await lab.json<Imported>(['import', 'claude', '--file', file, '--json'])).imported[0]!
  const { path } = await saved(claude.transcript)
  const session = () => JSON.parse(readFileSync(join(lab.root, path, '.session', 'session.json'), 'utf8'))
  const before = session()
  expect(await saved(earlier)).toMatchObject({ path, appended: 0 })
  expect(session().agent_sessions).toEqual(before.agent_sessions)
  // The same session in other bytes, written at another time.
  const copied = join(lab.home, 'copied.jsonl')
  writeFileSync(copied, readFileSync(claude.transcript, 'utf8').replace(/^\{/gm, '{ '))
  expect(await saved(copied)).toMatchObject({ path, appended: 0 })
  expect(session()).toEqual(before)
})

test('a session in which only an agent’s team spoke is named after the task that it assigned', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  const task = {
    type: 'task_assignment',
    taskId: '1',
    subject: 'Remove the "old" cache',
    description: 'All of it',
  }
  claude.user(`<teammate-message teammate_id="team-lead">\n${JSON.stringify(task)}\n</teammate-message>`)
  claude.assistant([{ type: 'text', text: 'Done.' }])
  const { imported } = await lab.json<Imported>(['import', 'claude', '--file', claude.transcript, '--json'])
  expect(imported).toMatchObject([{ title: 'Remove the "old" cache' }])

  // A wrong escape makes it no JSON.
  const other = new ClaudeSession(lab)
  other.user('<teammate-message teammate_id="x">\n{"subject": "C:\\dir"}\n</teammate-message>')
  other.assistant([{ type: 'text', text: 'Done.' }])
  expect((await lab.cortext(['import', 'claude', '--file', other.transcript])).code).toBe(0)
})

test.each([
  ['init', 'init'],
  ['hello', 'Untitled'],
  ['yes', 'Untitled'],
])('a session in which a person typed only %j is called %j', async (prompt, title) => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  claude.say(prompt)
  const { imported } = await lab.json<Imported>(['import', 'claude', '--file', claude.transcript, '--json'])
  expect(imported).toMatchObject([{ title }])
})
