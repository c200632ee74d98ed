import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findInAncestors } from '../../src/io/process.ts'
import { openSessionOf } from '../../src/store/machine/open-session.ts'
import { localDir } from '../../src/workspace/local-folder.ts'
import { tempFolder } from '../helpers/repository.ts'
import { putProgram } from '../helpers/stand-ins.ts'
import { filesBelow, type Lab, workspaceLab } from '../helpers/workspace-lab.ts'
import { type Entry, entriesOf, hookedClients } from './hook-facts.ts'

const ID = '0d4c1a52-7f0e-4b7e-9a3b-2f6f6f0d9c11'
const PROGRAM = join(import.meta.dirname, '../../dist/bin.cjs')

/** Runs a hook as its client does, from this process. `cortext` is a wrapper that waits for node. */
async function run({ command, args, env = {} }: Entry, lab: Lab, event: string, more = {}) {
  const path = putProgram(
    join(tempFolder(), 'bin'),
    'cortext',
    `'${process.execPath}' '${PROGRAM}' "$@"; exit $?`,
  )
  const [program, given] = args === undefined ? ['bash', ['-c', command]] : [join(path, command), args]
  const child = spawn(program, given, {
    cwd: lab.root,
    env: { ...env, HOME: lab.home, PATH: `${path}:/usr/bin:/bin` },
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    output += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    output += chunk
  })
  const transcript_path = join(lab.home, `${ID}.jsonl`)
  const payload = { session_id: ID, transcript_path, cwd: lab.root, hook_event_name: event, prompt: 'hello' }
  child.stdin.end(JSON.stringify({ ...payload, ...more }))
  const [code] = await once(child, 'close')
  return { code, output }
}

describe.each(hookedClients())('a session of $client.name that belongs to no conversation', (one) => {
  // promise: After `/clear` or `/new`,
  // promise: in a session that has nothing to do with cortext it ends at once
  it('is told nothing, and leaves nothing but a note of the session where the client needs one', async () => {
    const lab = await workspaceLab()
    const before = Object.keys(filesBelow(lab.root))
    for (const [event, hook] of entriesOf(one))
      expect(await run(hook, lab, event, { source: 'resume' }), event).toEqual({ code: 0, output: '' })
    const added = Object.keys(filesBelow(lab.root)).filter((path) => !before.includes(path))
    // The last event was the end of the session, which removes the note.
    expect(added.filter((path) => !path.startsWith('.git/cortext/open-sessions'))).toEqual([])
  })
})

describe('a session of Gemini CLI', () => {
  it('is noted under the process of the client, through the shell of the hook and a wrapper around node', async () => {
    const lab = await workspaceLab()
    const local = localDir(lab.root, { home: lab.home, env: {} })
    const gemini = hookedClients().find(({ client }) => client.id === 'gemini')!
    const [start, before] = entriesOf(gemini)
    await run(start![1], lab, 'SessionStart')
    expect(openSessionOf(local, process.pid)).toMatchObject({ client: 'gemini', native_id: ID })
    expect(findInAncestors(process.pid, (pid) => openSessionOf(local, pid))).toBeUndefined()
    const next = '7c1d6d1e-35a2-4a3c-8f3e-7f1f7a0f6b22'
    await run(before![1], lab, 'BeforeAgent', { session_id: next })
    expect(openSessionOf(local, process.pid)?.native_id).toBe(next)
  })
})
