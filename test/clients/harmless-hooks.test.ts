import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hookLanguages } from '../../src/clients/hook-languages.ts'
import { tempFolder } from '../helpers/repository.ts'
import { putProgram, WRONG_CORTEXTS } from '../helpers/stand-ins.ts'
import { entriesOf, hookedClients } from './hook-facts.ts'

const hooked = await hookedClients()

describe.each(hooked)('the hooks of $client.name', (one) => {
  const { client, facts } = one
  const entries = entriesOf(one)

  it.each(Object.entries(WRONG_CORTEXTS))(
    'do no harm with %s: exit 0, nothing for the agent, at most one line for the person',
    async (_what, script) => {
      const path = putProgram(join(tempFolder(), 'bin'), 'cortext', script)
      for (const [event, { command }] of entries) {
        const run = await shell(command, path)
        expect(run, event).toMatchObject({ code: 0, stderr: '' })
        if (!facts.telling.includes(event) || run.stdout === '') expect(run.stdout).toBe('')
        else
          expect(JSON.parse(run.stdout)).toEqual({
            systemMessage: expect.stringMatching(/not being recorded.*cortext doctor/),
          })
      }
    },
  )

  it('report a failure to the person where they would expect to be recorded', async () => {
    const path = putProgram(join(tempFolder(), 'bin'), 'cortext', 'exit 2')
    const said = await Promise.all(
      entries.map(async ([event, { command }]) => [event, (await shell(command, path)).stdout]),
    )
    expect(said.filter(([, out]) => out !== '').map(([event]) => event)).toEqual(facts.telling)
  })

  it('say nothing to a teammate who has no cortext, whatever their client does by itself', async () => {
    const folder = tempFolder()
    mkdirSync(join(folder, '.git'))
    const env = facts.unknown.names(folder, '0d4c1a52-7f0e-4b7e-9a3b-2f6f6f0d9c11')
    const told = async () =>
      (
        await Promise.all(
          entries.map(async ([event, { command }]) => {
            const { stdout } = await shell(command, join(folder, 'nothing'), env)
            return stdout === '' ? [] : event
          }),
        )
      ).flat()
    // Typing one of our commands is no doing of the client.
    expect((await told()).filter((event) => !event.includes('Expansion'))).toEqual([])
    // Whoever has recorded something here expects to be recorded.
    mkdirSync(join(folder, '.git/cortext'))
    expect(await told()).toContain('SessionStart')
  })

  it("pass on every answer that ours gives, word for word, and the client's process id", async () => {
    const language = hookLanguages[client.id as keyof typeof hookLanguages]
    const text = `it's "q" \\n $(id) \`x\` %s {"a":1}\nand ünï`
    const event = { kind: 'turn-start', nativeId: 'n', transcript: '', cwd: '' } as const
    for (const answer of [language.messageFor(event, text), language.contextFor(event, text)]) {
      const folder = tempFolder()
      const path = putProgram(
        join(folder, 'bin'),
        'cortext',
        `cat > '${folder}/input'; echo $CORTEXT_CLIENT_PID > '${folder}/pid'; cat <<'ANSWER'\n${answer}\nANSWER`,
      )
      for (const [name, { command }] of entries) {
        expect((await shell(command, path)).stdout, name).toBe(`${answer}\n`)
        expect(readFileSync(`${folder}/input`, 'utf8')).toBe('{"payload":1}')
        expect(Number(readFileSync(`${folder}/pid`, 'utf8'))).toBe(process.pid)
      }
    }
  })

  it('have a time limit where cortext hangs: the client waits at most that long, and can then end the hook at once', async () => {
    const folder = tempFolder()
    // A shell that waits for a child, as a wrapper around node is.
    const path = putProgram(
      join(folder, 'bin'),
      'cortext',
      `echo $$ > '${folder}/pid'; trap '' TERM; sleep 30; :`,
    )
    for (const [event, { timeout }] of entries) {
      const seconds = timeout === undefined ? undefined : timeout >= 1000 ? timeout / 1000 : timeout
      // Without one, a session that ends is not held up at all (docs/clients/claude-code.md).
      if (event === 'SessionEnd') expect(seconds ?? 0).toBeLessThanOrEqual(5)
      else expect(seconds).toBeLessThanOrEqual(20)
    }
    const [, { command }] = entries[1]!
    const child = spawn('/bin/sh', ['-c', command], {
      env: environment(path),
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    child.stdin.on('error', () => undefined).end('{}')
    await expect
      .poll(() => existsSync(`${folder}/pid`) && readFileSync(`${folder}/pid`, 'utf8'))
      .toMatch(/\d/)
    child.kill('SIGTERM')
    // `close` comes when nobody holds its output any more; a client waits for that.
    const [, signal] = await once(child, 'close')
    process.kill(Number(readFileSync(`${folder}/pid`, 'utf8')), 'SIGKILL')
    expect(signal).toBe('SIGTERM')
  })
})

const tellingOnce = hooked.flatMap((one) => {
  const once = one.facts.tellsOnce
  return once === undefined ? [] : [{ one, once, client: one.client }]
})

describe.each(tellingOnce)('the hooks of $client.name at every prompt', ({ one, once: tells, client }) => {
  it('report a failure to the person once', async () => {
    const path = putProgram(join(tempFolder(), 'bin'), 'cortext', 'exit 2')
    const folder = tempFolder()
    const [git, note] = [
      join(folder, '.git'),
      join(folder, '.git/cortext/open-sessions', `${process.pid}.json`),
    ]
    const [, { command }] = entriesOf(one).find(([event]) => event === tells.event)!
    const told = async () => (await shell(command, path, { [tells.folder]: folder })).stdout
    // There is no place for a note, and none is made.
    expect(await told()).toMatch(/not being recorded/)
    expect(existsSync(git)).toBe(false)
    mkdirSync(git)
    expect(await told()).toMatch(/not being recorded/)
    expect(await told()).toBe('')
    // As one does that works.
    const session = { client: client.id, turn: 1 }
    writeFileSync(note, JSON.stringify(session))
    expect(await told()).toMatch(/not being recorded/)
    expect(await told()).toBe('')
    expect(JSON.parse(readFileSync(note, 'utf8'))).toEqual(session)
  })
})

async function shell(command: string, path: string, env: Record<string, string> = {}) {
  const child = spawn('/bin/sh', ['-c', command], {
    env: { ...env, ...environment(path) },
    cwd: env.PWD ?? tmpdir(),
  })
  const run = { code: -1, stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    run.stdout += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    run.stderr += chunk
  })
  // Some of them end without reading.
  child.stdin.on('error', () => undefined)
  child.stdin.end('{"payload":1}')
  const [code] = await once(child, 'close')
  return { ...run, code }
}

function environment(path: string): Record<string, string> {
  return { PATH: `${path}:/usr/bin:/bin` }
}
