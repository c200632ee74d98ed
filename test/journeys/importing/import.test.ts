import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ReadReport } from '../../../src/clients/contract/reading.ts'
import { publish } from '../../../src/journeys/conversation/publish.ts'
import { readConversation } from '../../../src/journeys/conversation/read.ts'
import { importSession, sessionsToImport } from '../../../src/journeys/importing/import.ts'
import { sessionNamed } from '../../../src/journeys/recording/current-session.ts'
import { start } from '../../../src/journeys/recording/start.ts'
import type { Message } from '../../../src/session/schema.ts'
import { openWorkspace } from '../../../src/workspace/open.ts'
import { accounted, SAMPLES, sample } from '../../clients/claude/transcript.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { filesBelow, type Lab, openLab, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

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

test('S3-A2 an import says in words what became of every byte', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  claude.say('a question')
  appendFileSync(claude.transcript, '{"torn\n{"type":"summary","summary":"x","leafUuid":"y"}\n')
  const { stdout } = await lab.cortext(['import', 'claude', claude.id])
  const numbers = (of: string) => {
    const [, records, bytes] = new RegExp(`^ *${of}: (\\d+) \\w+, (\\d+) bytes$`, 'm').exec(stdout) ?? []
    return { records: Number(records), bytes: Number(bytes) }
  }
  expect(numbers('kept').records).toBe(2)
  expect(numbers('unreadable')).toEqual({ records: 1, bytes: 7 })
  expect(stdout).toContain(`${readFileSync(claude.transcript).length} bytes read:`)
})

describe.each(SAMPLES)('the sample %s', (name) => {
  test('S3-A2 importing twice changes no byte of the conversation, and the report sums to all bytes', async () => {
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

  test('S1-001j publishing after every prefix, then the whole, is the same as the whole at once', async () => {
    const bytes = sample(name)
    const ends = lineEnds(bytes)
    const said = (messages: Message[]) => messages.filter((message) => message.event !== 'started')
    expect(said(await inSteps(name, ends, 'capture'))).toEqual(
      said(await inSteps(name, [bytes.length], 'import')),
    )
  })

  test('S1-001j importing while it grows, cut anywhere, is the same as importing it whole', async () => {
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

test('import --all takes every session of this folder, once; --into puts one into a conversation that is there', async () => {
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

test('a session that is being recorded can be imported into another conversation, and goes on being recorded', async () => {
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

test('import names a transcript that is not there, and a client that is not known', async () => {
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
    const file = join(lab.home, '.claude', 'projects', 'x', `${name}.jsonl`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '')
    const ws = openWorkspace({ ...lab.environment, now: () => new Date('2026-11-21T10:30:00Z') })
    const current = sessionNamed(ws, { client: 'claude', nativeId: name, transcript: file })
    let path = how === 'capture' ? (await start(ws, { type: 'brainstorm', title: 'T', current })).path : ''
    let from = 0
    for (const end of ends) {
      appendFileSync(file, bytes.subarray(from, end))
      from = end
      if (how === 'import')
        path = (
          await importSession(ws, sessionsToImport(ws, 'claude', { file })[0]!, {
            type: 'brainstorm',
            title: 'T',
          })
        ).path
      else await publish(ws, path)
    }
    return readConversation(ws, path).messages
  } finally {
    lab.remove()
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
