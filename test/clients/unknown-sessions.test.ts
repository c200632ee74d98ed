import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findInAncestors } from '../../src/io/process.ts'
import { bindingPath, clearedPath, localFiles } from '../../src/store/layout.ts'
import { openSessionOf } from '../../src/store/machine/open-session.ts'
import { localDir } from '../../src/workspace/local-folder.ts'
import { tempFolder } from '../helpers/repository.ts'
import { putProgram } from '../helpers/stand-ins.ts'
import { entriesOf, type Hooked, hookedClients } from './hook-facts.ts'

const ID = '0d4c1a52-7f0e-4b7e-9a3b-2f6f6f0d9c11'

const hooked = await hookedClients()

/** What a hook is given: variables, and on stdin what `payload` says. */
function namesOf({ facts: { unknown } }: Hooked): (folder: string, id: string) => Record<string, string> {
  const { names, payload } = unknown
  return (folder, id) => ({
    ...names(folder, id),
    ...(payload === undefined ? {} : { payload: JSON.stringify(payload(id)) }),
  })
}

/** A repository that is a workspace, as plain folders; and what a session there would be known by. */
function workspace(client: string) {
  const root = join(tempFolder(), 'it is mine; $(id)')
  const folders = [
    '.workspace',
    '.git/objects',
    '.git/refs',
    '.git/cortext/open-sessions',
    '.git/cortext/bindings',
  ]
  for (const name of folders) mkdirSync(join(root, name), { recursive: true })
  writeFileSync(join(root, '.git/HEAD'), 'ref: refs/heads/trunk\n')
  const local = localDir(root, { home: tempFolder(), env: {} })
  const binding = (id: string) => bindingPath(local, client, id)
  const put = (path: string) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, '')
  }
  return { root, local, binding, put }
}

/** Whether the hook of an event starts cortext; `PWD` is the folder that it runs in. */
async function startsCortext(
  one: Hooked,
  event: string,
  { payload = '{}', ...env }: Record<string, string>,
  shell = '/bin/sh',
) {
  const folder = tempFolder()
  const path = putProgram(join(folder, 'bin'), 'cortext', `cat >/dev/null; touch '${folder}/started'`)
  const [, { command }] = entriesOf(one).find(([name]) => name === event)!
  const child = spawn(shell, ['-c', command], {
    env: { PATH: `${path}:/usr/bin:/bin`, ...env },
    cwd: env.PWD ?? folder,
  })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    stdout += chunk
  })
  // It may end without reading.
  child.stdin.on('error', () => undefined)
  child.stdin.end(payload)
  const [code] = await once(child, 'close')
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  return existsSync(`${folder}/started`)
}

describe.each(hooked)('a session of $client.name that belongs to no conversation', (one) => {
  const client = one.client.id
  const { events } = one.facts.unknown
  const names = namesOf(one)

  it.each(['/bin/sh', '/bin/bash'])('costs no process, in %s', async (shell) => {
    const { root } = workspace(client)
    for (const event of events)
      expect(await startsCortext(one, event, names(root, ID), shell), event).toBe(false)
  })

  it('costs a process as soon as anything is known of it', async () => {
    const { root, local, binding, put } = workspace(client)
    const known: [string, () => void, () => void][] = [
      ['it is bound', () => put(binding(ID)), () => rmSync(binding(ID))],
      [
        'it may go on after a /clear',
        () => put(clearedPath(local, client, process.pid)),
        () => rmSync(clearedPath(local, client, process.pid)),
      ],
      [
        'it was recorded before the repository was made',
        () => put(join(root, '.workspace/local/x/bindings/y')),
        () => rmSync(join(root, '.workspace/local'), { recursive: true }),
      ],
    ]
    for (const [what, make, undo] of known) {
      make()
      for (const event of events)
        expect(await startsCortext(one, event, names(root, ID)), `${what}, ${event}`).toBe(true)
      undo()
      expect(await startsCortext(one, events[0], names(root, ID)), `no more: ${what}`).toBe(false)
    }
    const launched = { ...names(root, ID), CORTEXT_LAUNCH: 'x' }
    expect(await startsCortext(one, events[0], launched)).toBe(true)
    const other = '7c1d6d1e-35a2-4a3c-8f3e-7f1f7a0f6b22'
    put(binding(other))
    expect(await startsCortext(one, events[0], names(root, ID))).toBe(false)
  })

  it('costs a process in any doubt: another id, another place of the folders', async () => {
    const { root } = workspace(client)
    for (const id of ['', '../x', 'a b', 'a/b', '*', '.hidden'])
      expect(await startsCortext(one, events[0], names(root, id)), id).toBe(true)
    expect(await startsCortext(one, events[0], {})).toBe(true)
    const below = join(root, 'below')
    mkdirSync(below)
    expect(await startsCortext(one, events[0], names(below, ID)), 'a folder below').toBe(true)
    for (const name of ['.git', '.workspace']) {
      const [it_, moved] = [join(root, name), join(root, `moved${name}`)]
      renameSync(it_, moved)
      expect(await startsCortext(one, events[0], names(root, ID)), `no ${name}`).toBe(true)
      symlinkSync(moved, it_)
      expect(await startsCortext(one, events[0], names(root, ID)), `a link to ${name}`).toBe(true)
      rmSync(it_)
      writeFileSync(it_, `gitdir: ${moved}\n`)
      expect(await startsCortext(one, events[0], names(root, ID)), `a file ${name}`).toBe(true)
      rmSync(it_)
      renameSync(moved, it_)
    }
    for (const part of ['HEAD', 'objects', 'refs']) {
      const [it_, moved] = [join(root, '.git', part), join(root, '.git', `no-${part}`)]
      renameSync(it_, moved)
      expect(await startsCortext(one, events[0], names(root, ID)), `.git without ${part}`).toBe(true)
      renameSync(moved, it_)
    }
    expect(await startsCortext(one, events[0], names(root, ID)), 'all as it was').toBe(false)
  })
})

const noting = hooked.flatMap((one) => {
  const { notes, names } = one.facts.unknown
  return notes === undefined ? [] : [{ one, notes, names, client: one.client.id }]
})

describe.each(noting)('a session of $client that just began', ({ one, notes, names, client }) => {
  it.each(['/bin/sh', '/bin/bash'])('is noted under its process by the shell, %s', async (shell) => {
    const { root, local } = workspace(client)
    await startsCortext(one, notes, names(root, ID), shell)
    expect(openSessionOf(local, process.pid)).toMatchObject({ client, native_id: ID })
    expect(findInAncestors(process.pid, (pid) => openSessionOf(local, pid))).toBeUndefined()
    const next = '7c1d6d1e-35a2-4a3c-8f3e-7f1f7a0f6b22'
    await startsCortext(one, notes, names(root, next), shell)
    expect(openSessionOf(local, process.pid)?.native_id).toBe(next)
  })

  it('is left to cortext where there is no room for the note', async () => {
    const { root, local } = workspace(client)
    rmSync(localFiles(local).openSessions, { recursive: true })
    expect(await startsCortext(one, notes, names(root, ID))).toBe(true)
    mkdirSync(join(localFiles(local).openSessions, `${process.pid}.json`), { recursive: true })
    expect(await startsCortext(one, notes, names(root, ID))).toBe(true)
  })
})
