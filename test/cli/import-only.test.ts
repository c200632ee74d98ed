import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { clientsFor, nameOfClient } from '../../src/cli/picker/kept.ts'
import type { KeptOffer } from '../../src/cli/picker/offered.ts'
import { verbTable } from '../../src/cli/verb-table.ts'
import { importOnly } from '../../src/clients/index.ts'
import { FIXTURES } from '../clients/fixtures.ts'
import { placeOf, tempFolder } from '../helpers/repository.ts'
import { putProgram } from '../helpers/stand-ins.ts'
import { filesBelow, type Lab, shown, talk, workspaceLab } from '../helpers/workspace-lab.ts'

const SESSION = '9f0c1d2e-3b4a-4c5d-8e6f-7a8b9c0d1e2f'
const THREAD = 'T-00000000-1111-4222-8333-444444444444'

/** A session of Kimi CLI that was held in the lab's project. Returns the path of its events. */
function kimiSession({ home, root }: Lab, nativeId = SESSION): string {
  const project = createHash('md5').update(root).digest('hex')
  const path = join(home, '.kimi', 'sessions', project, nativeId, 'wire.jsonl')
  return put(path, readFileSync(join(FIXTURES, 'kimi', 'tools-refused-interrupted.jsonl'), 'utf8'))
}

/** A thread of Amp that was held in the lab's project: the document of which the fixture's lines are made. */
function ampThread({ home, root }: Lab, messages?: number): string {
  const lines = readFileSync(join(FIXTURES, 'amp', 'tools-failed-cancelled.jsonl'), 'utf8')
    .trim()
    .split('\n')
  const [thread, ...said] = lines.map((line) => JSON.parse(line))
  const events = said
    .filter(({ message }) => message.role === 'assistant')
    .map(({ time, message }) => ({ timestamp: time, toMessageId: message.messageId, credits: 0.5 }))
  thread.env.initial.trees[0].uri = `file://${root}`
  const document = {
    ...{ v: 7, id: thread.thread, created: thread.created },
    messages: said.map(({ message }) => message).slice(0, messages),
    ...{ env: thread.env, title: thread.title, usageLedger: { events } },
  }
  const path = join(home, '.local', 'share', 'amp', 'threads', `${thread.thread}.json`)
  return put(path, JSON.stringify(document, undefined, 2))
}

function put(path: string, content: string): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}

async function saidIn(lab: Lab, id: string): Promise<string[]> {
  return talk((await shown(lab, id)).filter(({ role }) => role !== 'tool'))
}

const KIMI = [
  'user: Which tests are slow, and why?',
  'assistant: I look at the tests.',
  'assistant: ',
  'assistant: `beta` is slow: it sleeps three times, 13 seconds each.',
  'user: Take the sleeps out.',
  'assistant: ',
  'user: Only the second one: “sleep” at line 3.\nKeep the others.',
  'assistant: ',
  'assistant: Done: only the second one is out.',
]

const AMP = [
  'user: Which tests are slow?',
  'assistant: I search.',
  'assistant: `beta` sleeps twice.',
  'user: Read what “beta” says\nof milk.',
  'assistant: ',
  'assistant: It is not',
  'user: Never mind, thank you.',
  'assistant: You are welcome.',
]

const ways = [
  {
    name: 'Kimi CLI',
    client: 'kimi',
    id: SESSION,
    title: 'Which tests are slow, and why?',
    put: kimiSession,
    said: KIMI,
  },
  {
    name: 'Amp',
    client: 'amp',
    id: THREAD,
    title: 'Slow tests',
    put: (lab: Lab) => ampThread(lab),
    said: AMP,
  },
]

describe.each(ways)(
  'a session of $name, which cortext cannot start,',
  ({ name, client, id, title, put, said }) => {
    // promise: Sessions of Amp and Kimi CLI can be
    // promise: can be imported, and nothing else.
    // promise: What was said in them is imported, listed, searched, shown, and goes on in another client
    // promise: `~/.local/share/amp/threads/T-….json`
    // promise: `~/.kimi/sessions/…/wire.jsonl` of kimi-cli 1.x, not of Kimi Code
    test('is listed as not saved, and imported by its id, by its file, and with all others, once', async () => {
      const lab = await workspaceLab()
      const file = put(lab)
      expect((await lab.json<{ native: object[] }>(['--json'])).native).toMatchObject([
        { client, native_id: id, title },
      ])
      const ran = []
      for (const words of [[id], ['--file', file], ['--all']])
        ran.push(await lab.json<Told>(['import', client, ...words, '--json']))
      const imported = ran.flatMap((one) => one.imported)
      expect(imported.map(({ appended }) => appended > 0)).toEqual([true, false, false])
      expect(new Set(imported.map(({ path }) => path)).size).toBe(1)
      expect((await lab.json<{ native: object[] }>(['--json'])).native).toEqual([])
      expect(await saidIn(lab, imported[0]!.id)).toEqual(said)
    })

    // promise: Sessions of Amp and Kimi
    // promise: What was said in them
    test('is found and shown, and goes on in another client', async () => {
      const lab = await workspaceLab()
      put(lab)
      const { imported } = await lab.json<Told>(['import', client, '--all', '--json'])
      const number = imported[0]!.id
      expect((await lab.cortext(['list'])).stdout).toContain(client)
      expect((await lab.cortext(['show', number])).stdout).toContain(`Client: ${client}`)
      expect((await lab.cortext(['search', 'beta', '--json'])).stdout).toContain(number)
      const dry = await lab.cortext(['resume', number, '--in', 'claude', '--dry-run'])
      expect(dry.stdout).toContain('Client: Claude Code, handoff')
      const given = await lab.cortext(['resume', number, '--in', 'claude', '--print'])
      expect(given.stdout).toContain(said[0]!.replace('user: ', ''))
    })

    // promise: Without `--in` it takes the client of your settings, the only one that is installed,
    test('is resumed in an installed client without --in, and the person is told why', async () => {
      const lab = await workspaceLab()
      put(lab)
      const { imported } = await lab.json<Told>(['import', client, '--all', '--json'])
      const why = `This was said in ${name}, from which cortext can only import: it goes on in another client.`
      const none = await lab.cortext(['resume', imported[0]!.id])
      expect(none.code).toBe(2)
      expect(none.stderr).toContain(why)
      expect(none.stderr).toMatch(/error: which client\?\nfix: --in claude \|/)
      const bin = join(lab.home, 'bin')
      putProgram(bin, 'gemini', 'exit 0')
      const path = { PATH: `${bin}:${lab.env.PATH}` }
      const run = await lab.cortext(['resume', imported[0]!.id], { env: path })
      expect(run.stderr).toContain(why)
      expect(run.stderr).toContain('" in Gemini CLI: ')
    })

    // promise: can be imported, and nothing
    // promise: Cortext neither starts, sets up nor records these clients.
    test('cannot be set up or started', async () => {
      const lab = await workspaceLab()
      for (const words of [['init'], ['init', '--personal'], ['resume', '--new']]) {
        const run = await lab.cortext([...words, '--in', client])
        expect(run.code).toBe(1)
        expect(run.stderr).toMatch(
          new RegExp(`^error: ${name} can only be imported from\nfix: use one of: claude`),
        )
      }
      expect((await lab.cortext(['doctor'])).stdout).not.toContain(name)
    })

    test('is not imported again on another machine', async () => {
      const lab = await workspaceLab()
      put(lab)
      const { imported } = await lab.json<Told>(['import', client, '--all', '--json'])
      rmSync(join(lab.root, '.git', 'cortext'), { recursive: true })
      const again = await lab.json<Told>(['import', client, '--all', '--json'])
      expect(again.imported).toMatchObject([{ path: imported[0]!.path, appended: 0 }])
    })
  },
)

interface Told {
  imported: { id: string; path: string; appended: number }[]
}

// promise: What is said in them after an import is counted like anything else that is not saved.
test('what is said in Kimi CLI after an import is counted, and taken in by the command that is named', async () => {
  const lab = await workspaceLab()
  const file = kimiSession(lab)
  const { imported } = await lab.json<Told>(['import', 'kimi', '--all', '--json'])
  const event = (type: string, payload: object, at: number) =>
    `${JSON.stringify({ timestamp: 1790000000.25 + at, message: { type, payload } })}\n`
  appendFileSync(file, event('TurnBegin', { user_input: 'One more.' }, 0))
  appendFileSync(file, event('ContentPart', { type: 'text', text: 'And one answer.' }, 1))
  const command = `cortext import kimi ${SESSION}`
  expect((await lab.cortext(['list'])).stderr).toContain(command)
  await lab.json([...command.split(' ').slice(1), '--json'])
  expect(await saidIn(lab, imported[0]!.id)).toEqual([
    ...KIMI,
    'user: One more.',
    'assistant: And one answer.',
  ])
  expect((await lab.cortext(['list'])).stderr).not.toContain(command)
})

// promise: What is said in them
test('what is said in a thread of Amp after an import is counted, and taken in by the command that is named', async () => {
  const lab = await workspaceLab()
  ampThread(lab, 4)
  const { imported } = await lab.json<Told>(['import', 'amp', '--all', '--json'])
  expect(await saidIn(lab, imported[0]!.id)).toEqual(AMP.slice(0, 3))
  ampThread(lab)
  const command = `cortext import amp ${THREAD}`
  expect((await lab.cortext(['list'])).stderr).toContain(command)
  await lab.json([...command.split(' ').slice(1), '--json'])
  expect(await saidIn(lab, imported[0]!.id)).toEqual(AMP)
  expect((await lab.cortext(['list'])).stderr).not.toContain(command)
})

test('what was said in Kimi CLI after an import on another machine is one part, with its own range', async () => {
  const lab = await workspaceLab()
  const file = kimiSession(lab)
  const size = readFileSync(file).length
  const { imported } = await lab.json<Told>(['import', 'kimi', '--all', '--json'])
  rmSync(join(lab.root, '.git', 'cortext'), { recursive: true })
  const said = { type: 'TurnBegin', payload: { user_input: 'One more.' } }
  appendFileSync(file, `${JSON.stringify({ timestamp: 1790000000.25, message: said })}\n`)
  const again = await lab.json<Told>(['import', 'kimi', '--all', '--json'])
  expect(again.imported).toMatchObject([{ path: imported[0]!.path, taken: [{ messages: 1 }] }])
  expect(await saidIn(lab, imported[0]!.id)).toEqual([...KIMI, 'user: One more.'])
  const bindings = filesBelow(join(lab.root, '.git', 'cortext'))
  const [binding] = Object.values(bindings).filter((text) => text.includes('"segments"'))
  expect(JSON.parse(binding!).segments).toMatchObject([{ from: size, to: readFileSync(file).length }])
})

test('init says which of their sessions are from before, and how to take them in', async () => {
  const lab = await workspaceLab({ init: 'none' })
  kimiSession(lab)
  const { stdout } = await lab.cortext(['init', '--in', 'claude', '--private'])
  expect(stdout).toContain('1 session of Kimi CLI from before is not saved.')
  expect(stdout).toContain('cortext import --all')
})

test('they are offered where something is imported, and nowhere else', () => {
  const { verbs } = verbTable()
  const offered = (words: unknown) => Object.keys(importOnly).filter((id) => [words].flat().includes(id))
  const importing = verbs.find(({ name }) => name === 'import')!
  expect(offered(importing.words[0])).toEqual(Object.keys(importOnly))
  for (const verb of verbs) {
    expect(verb.options.flatMap(({ words }) => offered(words))).toEqual([])
    if (verb !== importing) expect(verb.words.flatMap(offered)).toEqual([])
  }
})

test('the picker knows their names, and offers others to go on in', () => {
  const kept = { client: 'kimi', native: [{ client: 'kimi' }] } as unknown as KeptOffer['kept']
  const offered = clientsFor(placeOf(tempFolder(), { HOME: tempFolder() }), { kept } as KeptOffer)
  expect(nameOfClient('kimi')).toBe('Kimi CLI')
  expect(offered).not.toContain('Kimi CLI')
})

test('a file of another client is named as what it is', async () => {
  const lab = await workspaceLab()
  for (const [client, file, fits] of [
    ['claude', kimiSession(lab), 'kimi'],
    ['kimi', ampThread(lab), 'amp'],
  ] as const) {
    const run = await lab.cortext(['import', client, '--file', file])
    expect(run.code).toBe(1)
    expect(run.stderr).toContain(`cortext import ${fits} --file ${file}`)
  }
})
