import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Seed } from '../../src/clients/contract/launch.ts'
import { hookLanguages } from '../../src/clients/hook-languages.ts'
import { clientList } from '../../src/clients/index.ts'
import { publish } from '../../src/conversation/publish.ts'
import { readConversation } from '../../src/conversation/read.ts'
import { CortextError } from '../../src/errors.ts'
import { listConversations } from '../../src/journeys/finding/list.ts'
import { onCommand } from '../../src/journeys/hooks.ts'
import { importSession, sessionsToImport } from '../../src/journeys/importing/import.ts'
import { launchResume } from '../../src/journeys/resuming/launch.ts'
import { planResume } from '../../src/journeys/resuming/plan.ts'
import { touchedFiles } from '../../src/journeys/resuming/touched-files.ts'
import { install } from '../../src/journeys/setup/install.ts'
import { uninstall } from '../../src/journeys/setup/uninstall.ts'
import type { Message } from '../../src/session/schema.ts'
import { openWorkspace, type Workspace } from '../../src/workspace/open.ts'
import { placeOf, tempRepository } from '../helpers/repository.ts'
import { addTinyClient } from '../helpers/tiny-client/add.ts'
import { tiny } from '../helpers/tiny-client/index.ts'
import { filesBelow, type Lab, workspaceLab } from '../helpers/workspace-lab.ts'
import { said as messageOf } from '../session/conversations.ts'

const FIXTURE = readFileSync(join(import.meta.dirname, '../fixtures/tiny/chat.jsonl'))
const SAID = [
  'user: Shall it be REST?',
  'assistant: Let us weigh it.\n\n“GraphQL” — why not?',
  'user: Because of caching, `$(touch x)` and 日本',
  'assistant: Then REST.',
  'user: So be it.',
]

beforeAll(addTinyClient)

describe('a client that consists of one folder and one word in a list', () => {
  test('is set up with the others, and taken out again', async () => {
    const lab = await workspaceLab({ init: 'none' })
    const before = filesBelow(lab.root)
    await install(lab.environment, { dir: lab.root, clients: clientList(), visibility: 'shared' })
    const files = filesBelow(lab.root)
    expect(files['.agents/skills/workspace-brainstorm/SKILL.md']).toContain('Topic: $ARGUMENTS')
    expect(JSON.parse(files['.tiny/settings.json']!).hooks.Said[0].hooks[0]).toMatchObject({
      ...{ command: 'cortext', args: ['hook', 'tiny'] },
    })
    uninstall(lab.environment, { dir: lab.root, clients: clientList(), hasUnpublished: false })
    const left = Object.keys(filesBelow(lab.root)).filter(
      (path) => !(path in before) && /^\.(?:tiny|agents)/.test(path),
    )
    expect(left).toEqual([])
    expect(existsSync(join(lab.root, '.agents'))).toBe(false)
  })

  test('has its sessions imported, published, and resumed there and in another client', async () => {
    const { lab, ws } = await tinyWorkspace()
    write(lab, 'first', FIXTURE)
    const [session] = sessionsToImport(ws, 'tiny', { all: true })
    const { path } = await importSession(ws, session!, { title: 'API design' })
    expect(said(ws, path)).toEqual(SAID)
    expect(listConversations(ws).conversations).toMatchObject([
      { path, client: 'tiny', status: { status: 'paused' } },
    ])

    expect(await planResume(ws, readConversation(ws, path), { client: 'tiny', budget: 2000 })).toMatchObject({
      mode: 'native',
      launch: { command: 'tiny', args: ['--session', 'first'] },
    })
    const transcript = tiny.sessions.transcriptPath(lab.environment, lab.root, 'first')
    renameSync(transcript, `${transcript}.deleted`)
    const gone = 'Tiny Chat does not have its session here, so the conversation goes on in a new one.'
    const handed = await planResume(ws, readConversation(ws, path), { client: 'tiny', budget: 2000 })
    expect(handed).toMatchObject({ mode: 'handoff', notices: expect.arrayContaining([gone]) })
    const asked = await planResume(ws, readConversation(ws, path), {
      client: 'tiny',
      budget: 2000,
      mode: 'handoff',
    })
    expect(asked.notices).not.toContain(gone)
    await expect(
      planResume(ws, readConversation(ws, path), { client: 'tiny', budget: 2000, mode: 'native' }),
    ).rejects.toThrow('Tiny Chat does not have its session here')
    renameSync(`${transcript}.deleted`, transcript)

    for (const client of clientList()) {
      const plan = await planResume(ws, readConversation(ws, path), {
        client: client.id,
        budget: 2000,
        mode: 'handoff',
      })
      const handed = JSON.stringify(plan.launch.seed)
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
      local: ws.local,
    })
    expect(answer.agent).toMatch(/^\[cortext\] Conversation 001-brainstorm-api-design is open/)
    const [{ path } = { path: '' }] = listConversations(ws).conversations
    appendFileSync(file, FIXTURE)
    await publish(ws, path)
    expect(said(ws, path)).toEqual(SAID)
  })

  test('is started with the history of another client, and what is said there is recorded', async () => {
    const { lab, ws } = await tinyWorkspace()
    write(lab, 'first', FIXTURE)
    const [session] = sessionsToImport(ws, 'tiny', { all: true })
    const { path } = await importSession(ws, session!, { title: 'API design' })
    const plan = await planResume(ws, readConversation(ws, path), {
      client: 'tiny',
      budget: 2000,
      mode: 'handoff',
    })
    const { exitCode } = await launchResume(ws, plan, false)
    expect(exitCode).toBe(0)
    const begun = readFileSync(tiny.sessions.transcriptPath(ws.environment, ws.root, plan.nativeId), 'utf8')
    expect(begun).toContain('[RESUMED CONVERSATION]')
    expect(said(ws, path)).toEqual([...SAID, 'user: and now?', 'assistant: On we go.'])
    expect(existsSync(plan.launch.seed!.path)).toBe(false)
  })

  test('keeps no seed of a launch that came to nothing, and says what the client advises', async () => {
    const { lab, ws } = await tinyWorkspace()
    write(lab, 'first', FIXTURE)
    const [session] = sessionsToImport(ws, 'tiny', { all: true })
    const { path } = await importSession(ws, session!, { title: 'API design' })
    const plan = await planResume(ws, readConversation(ws, path), {
      client: 'tiny',
      budget: 2000,
      mode: 'handoff',
    })
    const refuse = (_: unknown, seed: Seed) => {
      expect(existsSync(seed.path)).toBe(true)
      throw new CortextError('client-failed', 'no start', { fix: 'tiny login' })
    }
    const { launch } = tiny
    Object.assign(tiny, { launch: { ...launch, place: refuse } })
    try {
      await expect(launchResume(ws, plan, false)).rejects.toMatchObject({
        message: 'no start',
        fix: 'tiny login; or, without the client: cortext resume 1 --print',
      })
    } finally {
      Object.assign(tiny, { launch })
    }
    expect(existsSync(plan.launch.seed!.path)).toBe(false)
  })

  test('hides its files in a private workspace, in folders that other clients use too', async () => {
    const { root, env, git } = tempRepository({ '.agents/skills/own/SKILL.md': 'mine' })
    const environment = placeOf(root, env)
    await install(environment, { dir: root, clients: [tiny], visibility: 'private' })
    expect(existsSync(join(root, '.agents/skills/workspace-plan/SKILL.md'))).toBe(true)
    expect(git('status', '--porcelain')).toBe('')
    writeFileSync(join(root, '.agents/skills/own/more.md'), 'more of mine')
    expect(git('status', '--porcelain')).toContain('.agents/skills/own/more.md')
    uninstall(environment, { dir: root, clients: [tiny], hasUnpublished: false })
    expect(readdirSync(join(root, '.agents/skills'))).toEqual(['own'])
  })

  test('has its tool calls rendered by its own vocabulary', async () => {
    const { ws } = await tinyWorkspace()
    const call = (id: string, name: string, where: string) => ({ id, name, arguments: { where } })
    const message = messageOf('m', {
      role: 'assistant',
      client: 'tiny',
      tool_calls: [call('a', 'put', 'src/a.ts'), call('b', 'look', 'src/b.ts')],
    })
    expect([...touchedFiles([ws.root], [message])]).toEqual([
      ['src/a.ts', 'edited'],
      ['src/b.ts', 'read'],
    ])
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
