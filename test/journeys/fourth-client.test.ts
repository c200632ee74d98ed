import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { hookLanguages } from '../../src/clients/hook-languages.ts'
import { clientList } from '../../src/clients/index.ts'
import { publish } from '../../src/journeys/conversation/publish.ts'
import { readConversation } from '../../src/journeys/conversation/read.ts'
import { listConversations } from '../../src/journeys/finding/list.ts'
import { onCommand } from '../../src/journeys/hooks.ts'
import { importSession, sessionsToImport } from '../../src/journeys/importing/import.ts'
import { launchResume } from '../../src/journeys/resuming/launch.ts'
import { planResume } from '../../src/journeys/resuming/plan.ts'
import { install } from '../../src/journeys/setup/install.ts'
import { uninstall } from '../../src/journeys/setup/uninstall.ts'
import type { Message } from '../../src/session/schema.ts'
import { openWorkspace, type Workspace } from '../../src/workspace/open.ts'
import { addTinyClient } from '../helpers/tiny-client/add.ts'
import { tiny } from '../helpers/tiny-client/index.ts'
import { filesBelow, type Lab, workspaceLab } from '../helpers/workspace-lab.ts'

const FIXTURE = readFileSync(join(import.meta.dirname, '../fixtures/tiny/chat.jsonl'))
const SAID = [
  'user: Shall it be REST?',
  'assistant: Let us weigh it.\n\n“GraphQL” — why not?',
  'user: Because of caching, `$(touch x)` and 日本',
  'assistant: Then REST.',
  'user: So be it.',
]

beforeAll(addTinyClient)

describe('a client that is one folder and one word in a list', () => {
  test('is set up with the others, and taken out again', async () => {
    const lab = await workspaceLab({ init: 'none' })
    const before = filesBelow(lab.root)
    await install(lab.environment, { dir: lab.root, clients: clientList(), visibility: 'shared' })
    const files = filesBelow(lab.root)
    expect(files['.tiny/commands/workspace.brainstorm.txt']).toContain('Topic: $ARGUMENTS')
    expect(files['.tiny/settings.json']).toContain('cortext hook tiny')
    uninstall(lab.environment, { dir: lab.root, clients: clientList(), hasUnpublished: false })
    const left = Object.keys(filesBelow(lab.root)).filter(
      (path) => !(path in before) && path.startsWith('.tiny'),
    )
    expect(left).toEqual([])
  })

  test('has its sessions imported, published, and resumed there and in another client', async () => {
    const { lab, ws } = await tinyWorkspace()
    write(lab, 'first', FIXTURE)
    const [session] = sessionsToImport(ws, 'tiny', { all: true })
    const { path } = await importSession(ws, session!, { type: 'brainstorm', title: 'API design' })
    expect(said(ws, path)).toEqual(SAID)
    expect(listConversations(ws).conversations).toMatchObject([
      { path, client: 'tiny', status: { status: 'paused' } },
    ])

    expect(await planResume(ws, { path, client: 'tiny', budget: 2000 })).toMatchObject({
      mode: 'native',
      launch: { command: 'tiny', args: ['--session', 'first'] },
    })
    const transcript = tiny.sessions.transcriptPath(lab.environment, lab.root, 'first')
    renameSync(transcript, `${transcript}.deleted`)
    const gone = 'Tiny Chat does not have its session here: it goes on in a new one.'
    const handed = await planResume(ws, { path, client: 'tiny', budget: 2000 })
    expect(handed).toMatchObject({ mode: 'handoff', notices: expect.arrayContaining([gone]) })
    const asked = await planResume(ws, { path, client: 'tiny', budget: 2000, mode: 'handoff' })
    expect(asked.notices).not.toContain(gone)
    await expect(planResume(ws, { path, client: 'tiny', budget: 2000, mode: 'native' })).rejects.toThrow(
      'Tiny Chat does not have its session here',
    )
    renameSync(`${transcript}.deleted`, transcript)

    for (const client of clientList()) {
      const plan = await planResume(ws, { path, client: client.id, budget: 2000, mode: 'handoff' })
      const handed = JSON.stringify(plan.launch.files)
      expect(plan.launch.command).toBe(client.id)
      for (const part of [
        '[RESUMED CONVERSATION]',
        'Then REST.',
        'Because of caching, `$(touch x)` and 日本',
      ])
        expect(handed).toContain(part)
    }
  })

  test('has its conversation opened by a hook, and recorded turn by turn', async () => {
    const { lab, ws } = await tinyWorkspace()
    const file = write(lab, 'second', '')
    const event = hookLanguages['tiny' as 'claude'].parse(
      {
        event: 'Said',
        session: 'second',
        file,
        folder: lab.root,
        said: '/workspace.brainstorm API "design"',
      },
      {},
    )
    const answer = await onCommand({
      client: 'tiny',
      language: hookLanguages['tiny' as 'claude'],
      event,
      root: ws.root,
    })
    expect(JSON.parse(answer).agent).toMatch(/^\[cortext\] Conversation 001-brainstorm-api-design is open/)
    const [{ path } = { path: '' }] = listConversations(ws).conversations
    appendFileSync(file, FIXTURE)
    await publish(ws, path)
    expect(said(ws, path)).toEqual(SAID)
  })

  test('is started with the history of another client, and what is said there is recorded', async () => {
    const { lab, ws } = await tinyWorkspace()
    write(lab, 'first', FIXTURE)
    const [session] = sessionsToImport(ws, 'tiny', { all: true })
    const { path } = await importSession(ws, session!, { type: 'brainstorm', title: 'API design' })
    const plan = await planResume(ws, { path, client: 'tiny', budget: 2000, mode: 'handoff' })
    const { exitCode } = await launchResume(ws, plan, false)
    expect(exitCode).toBe(0)
    const begun = readFileSync(tiny.sessions.transcriptPath(ws.environment, ws.root, plan.nativeId), 'utf8')
    expect(begun).toContain('[RESUMED CONVERSATION]')
    expect(said(ws, path)).toEqual([...SAID, 'user: and now?', 'assistant: On we go.'])
    expect(existsSync(plan.launch.files[0]!.path)).toBe(false)
  })
})

/** A workspace of all clients, on a machine with a Tiny Chat that says one turn and ends. */
async function tinyWorkspace(): Promise<{ lab: Lab; ws: Workspace }> {
  const lab = await workspaceLab({ init: 'none' })
  const bin = join(lab.home, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'tiny'), `#!${process.execPath}\n${TINY_CHAT}`, { mode: 0o755 })
  const environment = { ...lab.environment, env: { ...lab.env, PATH: `${bin}:${lab.env.PATH}` } }
  await install(environment, { dir: lab.root, clients: clientList(), visibility: 'shared' })
  return { lab, ws: openWorkspace(environment) }
}

/** `tiny --session ID --begin-with FILE` */
const TINY_CHAT = `
const { appendFileSync, copyFileSync } = require('node:fs')
const [, id, , seed] = process.argv.slice(2)
const file = process.env.HOME + '/.tiny/' + encodeURIComponent(process.cwd()) + '/' + id + '.jsonl'
copyFileSync(seed, file)
const say = (id, role, content) =>
  appendFileSync(file, JSON.stringify({ id, role, content, time: new Date().toISOString() }) + '\\n')
say('n1', 'user', 'and now?')
say('n2', 'assistant', 'On we go.')
`

function write(lab: Lab, id: string, content: string | Uint8Array): string {
  const file = tiny.sessions.transcriptPath(lab.environment, lab.root, id)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  return file
}

function said(ws: Workspace, path: string): string[] {
  return readConversation(ws, path)
    .messages.filter(({ event }: Message) => event === undefined)
    .map(({ role, content }) => `${role}: ${content}`)
}
