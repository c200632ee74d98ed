import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { HOOKS } from '../../src/clients/claude/facts.ts'
import { type ClaudeLab, openLab, spokenIn } from './claude.ts'
import { watchHooks } from './hook-watch.ts'
import { CLAUDE_VERSIONS } from './install.ts'
import { SOON } from './lab.ts'
import { allText } from './model-request.ts'

const HOOK = { type: 'command', command: 'cortext', args: ['hook', 'claude'], cortext: ['was {}'] }

/** What a person may type behind a command, and a shell must never see. */
const NASTY = `it's "q" $(id) & \`date\`; x > y`

const added = (event: string, additionalContext: string) => ({
  hookSpecificOutput: { hookEventName: event, additionalContext },
})

describe.each(CLAUDE_VERSIONS)('Claude Code %s: hooks', (version) => {
  it.each(['in a terminal', 'headless'])(
    'run from the local settings, without a shell, also with a key that the client does not know, %s',
    async (way) => {
      await using lab = await openLab({ version })
      const heard = fakeCortext(lab)
      lab.settings({ hooks: { Stop: [{ hooks: [HOOK] }] } })
      await oneTurn(lab, way)
      await expect
        .poll(heard, SOON)
        .toMatchObject([{ argv: 'hook claude', payload: { hook_event_name: 'Stop' } }])
    },
  )

  it.each(['in a terminal', 'headless'])(
    'name a program that is missing, and let the turn go on, %s',
    async (way) => {
      await using lab = await openLab({ version })
      rmSync(join(lab.bin, 'cortext'))
      const events = ['SessionStart', 'UserPromptSubmit', 'Stop', 'SessionEnd']
      lab.settings({ hooks: Object.fromEntries(events.map((event) => [event, [{ hooks: [HOOK] }]])) })
      expect(await oneTurn(lab, way)).toMatch(/Executable not found in \$PATH: "cortext"/)
      expect(lab.model.requests.map(allText).join()).not.toContain('Executable not found')
    },
  )

  it('are given the arguments of a slash command as typed, and add to the prompt behind its body', async () => {
    await using lab = await openLab({ version })
    lab.command('workspace.x', 'BODY $ARGUMENTS')
    const watch = watchHooks(lab, ['UserPromptExpansion'])
    watch.reply('UserPromptExpansion', added('UserPromptExpansion', 'ADDED BY THE HOOK'))
    const terminal = await lab.interactive([`/workspace.x ${NASTY}`])
    await terminal.waitFor('Scripted answer 1.')

    expect(watch.calls()).toMatchObject([
      { payload: { command_name: 'workspace.x', command_args: NASTY, prompt: `/workspace.x ${NASTY}` } },
    ])
    const received = allText(lab.model.requests[0]!)
    expect(received.indexOf('ADDED BY THE HOOK')).toBeGreaterThan(received.indexOf(`BODY ${NASTY}`))
  })

  it('add 10,000 characters at most; more is named as a file', async () => {
    await using lab = await openLab({ version })
    const watch = watchHooks(lab, ['UserPromptSubmit'])
    watch.reply('UserPromptSubmit', added('UserPromptSubmit', 'y'.repeat(10_000)))
    await lab.headless(['first'])
    watch.reply('UserPromptSubmit', added('UserPromptSubmit', 'z'.repeat(10_001)))
    await lab.headless(['second'])
    expect(allText(lab.model.requests[0]!)).toContain('y'.repeat(10_000))
    const second = allText(lab.model.requests[1]!)
    expect(second).not.toContain('z'.repeat(5_000))
    const [, path] = /saved to: (\S+)/.exec(second)!
    expect(readFileSync(path!, 'utf8')).toBe('z'.repeat(10_001))
  })

  it('tell the person something that the model does not hear, at start-up, with systemMessage', async () => {
    await using lab = await openLab({ version })
    const watch = watchHooks(lab, ['SessionStart'])
    watch.reply('SessionStart', { systemMessage: 'for the person only' })
    const terminal = await lab.interactive()
    await terminal.waitFor('SessionStart:startup says: for the person only')
    await terminal.submit('hello')
    await terminal.waitFor('Scripted answer 1.')
    expect(allText(lab.model.requests[0]!)).not.toContain('for the person only')
  })

  it('see a /clear as an end and a start, under two ids, from one and the same client process', async () => {
    await using lab = await openLab({ version })
    const watch = watchHooks(lab, ['SessionStart', 'SessionEnd'])
    const terminal = await lab.interactive(['hello'])
    await terminal.waitFor('Scripted answer 1.')
    await terminal.submit('/clear')
    await expect.poll(() => watch.calls('SessionStart').length, SOON).toBe(2)

    const calls = watch.calls()
    expect(calls.map(({ event, payload }) => [event, payload.source ?? payload.reason])).toEqual([
      ['SessionStart', 'startup'],
      ['SessionEnd', 'clear'],
      ['SessionStart', 'clear'],
    ])
    const ids = calls.map((call) => call.payload.session_id)
    expect(ids[1]).toBe(ids[0])
    expect(ids[2]).not.toBe(ids[0])
    const client = `${terminal.pid()} claude`
    for (const call of calls) {
      expect(call.ancestors).toContain(client)
      expect(call.env).toMatchObject(namedIn(lab, call.payload))
    }
  })

  it('find every earlier turn in the transcript when a prompt is submitted', async () => {
    await using lab = await openLab({ version })
    const watch = watchHooks(lab, ['UserPromptSubmit'])
    const terminal = await lab.interactive(['prompt 1'])
    await terminal.waitFor('Scripted answer 1.')
    await terminal.submit('prompt 2')
    await terminal.waitFor('Scripted answer 2.')
    await terminal.submit('prompt 3')
    await terminal.waitFor('Scripted answer 3.')

    const found = watch.calls().map(({ transcript = [] }) => spokenIn(transcript))
    const first = ['prompt 1', 'Scripted answer 1.']
    expect(found).toEqual([[], first, [...first, 'prompt 2', 'Scripted answer 2.']])
  })

  it('are told their own session and project also where the client was started inside another one', async () => {
    await using lab = await openLab({ version })
    const watch = watchHooks(lab, ['SessionStart', 'UserPromptSubmit', 'Stop', 'SessionEnd'])
    const outer = ['CLAUDECODE=1', `CLAUDE_CODE_SESSION_ID=${randomUUID()}`, 'CLAUDE_PROJECT_DIR=/elsewhere']
    await lab.run(['env', ...outer, 'claude', '-p', 'hello'])
    expect(watch.calls().map((call) => call.event)).toHaveLength(4)
    for (const call of watch.calls()) expect(call.env).toMatchObject(namedIn(lab, call.payload))
  })

  it('run for what their matcher says: a start that is not plain, a command that is ours', async () => {
    await using lab = await openLab({ version })
    for (const name of ['workspace.x', 'other']) lab.command(name, `BODY of ${name}`)
    const watch = watchHooks(lab, Object.keys(HOOKS.matchers), { matchers: HOOKS.matchers })
    const id = randomUUID()
    await lab.headless(['--session-id', id, '/other'])
    expect(watch.calls()).toEqual([])
    await lab.headless(['--resume', id, '/workspace.x'])
    expect(
      watch.calls().map(({ event, payload }) => [event, payload.source ?? payload.command_name]),
    ).toEqual([
      ['SessionStart', 'resume'],
      ['UserPromptExpansion', 'workspace.x'],
    ])
  })

  it('may end without reading what they are given, however long it is', async () => {
    await using lab = await openLab({ version })
    const entry = [{ hooks: [{ type: 'command', command: 'exit 0' }] }]
    lab.settings({ hooks: { UserPromptSubmit: entry, Stop: entry } })
    const { stdout, stderr, code } = await lab.run(['claude', '-p'], { input: 'long '.repeat(200_000) })
    expect({ stdout: stdout.trim(), stderr, code }).toEqual({
      stdout: 'Scripted answer 1.',
      stderr: '',
      code: 0,
    })
  })

  it('run in a session that is resumed with the own command of the client, under the same id', async () => {
    await using lab = await openLab({ version })
    const id = randomUUID()
    await lab.headless(['--session-id', id, 'hello'])
    const watch = watchHooks(lab, ['SessionStart', 'UserPromptSubmit', 'Stop'])
    const terminal = await lab.interactive(['--resume', id])
    await terminal.submit('again')
    await terminal.waitFor('Scripted answer 2.')
    await expect
      .poll(() => watch.calls().map((call) => call.event), SOON)
      .toEqual(['SessionStart', 'UserPromptSubmit', 'Stop'])
    expect(watch.calls()[0]?.payload.source).toBe('resume')
    for (const call of watch.calls()) {
      expect(call.payload.session_id).toBe(id)
      expect(call.env).toMatchObject(namedIn(lab, call.payload))
    }
    expect(lab.transcripts()).toEqual([watch.calls()[0]?.payload.transcript_path])
  })
})

/** What a hook goes by (src/clients/claude/hook-events.ts). */
function namedIn(lab: ClaudeLab, payload: { session_id?: string }) {
  return { CLAUDE_CODE_SESSION_ID: payload.session_id, CLAUDE_PROJECT_DIR: lab.project }
}

describe.each(CLAUDE_VERSIONS)('Claude Code %s: a hook at the end of a session', (version) => {
  const slow = (mark: string) => `sleep 4; touch '${mark}'`

  it('is killed with the client when it is slow', async () => {
    await using lab = await openLab({ version })
    const watch = watchHooks(lab, ['SessionEnd'])
    watch.run('SessionEnd', slow(join(lab.folder, 'mark')))
    await lab.headless(['hello'])
    const [call] = watch.calls()
    await expect.poll(() => runs(parseInt(call!.ancestors[0]!, 10)), SOON).toBe(false)
    expect(watch.calls()).toMatchObject([{ payload: { reason: 'other' }, finished: false }])
  })

  it('is waited for as long as its own timeout says', async () => {
    await using lab = await openLab({ version })
    const watch = watchHooks(lab, ['SessionEnd'], { timeout: 20 })
    watch.run('SessionEnd', slow(join(lab.folder, 'mark')))
    const terminal = await lab.interactive(['hello'])
    await terminal.waitFor('Scripted answer 1.')
    await terminal.submit('/exit')
    await terminal.waitForExit()
    expect(watch.calls()).toMatchObject([{ payload: { reason: 'prompt_input_exit' }, finished: true }])
  })

  it('leaves work behind that goes on when the client has ended', async () => {
    await using lab = await openLab({ version })
    const watch = watchHooks(lab, ['SessionEnd'])
    const mark = join(lab.folder, 'mark')
    watch.run('SessionEnd', `setsid sh -c "${slow(mark)}" </dev/null >/dev/null 2>&1 &`)
    const terminal = await lab.interactive(['hello'])
    await terminal.waitFor('Scripted answer 1.')
    terminal.kill('SIGTERM')
    await terminal.waitForExit()
    await expect.poll(() => existsSync(mark), SOON).toBe(true)
  })
})

/** False for a zombie too, which has no command line any more. */
function runs(pid: number): boolean {
  const path = `/proc/${pid}/cmdline`
  return existsSync(path) && readFileSync(path, 'utf8') !== ''
}

/** One turn and its end; what the person saw. */
async function oneTurn(lab: ClaudeLab, way: string): Promise<string> {
  if (way === 'headless') {
    const { stdout, stderr } = await lab.headless(['hello'])
    return stdout + stderr
  }
  const terminal = await lab.interactive(['hello'])
  await terminal.waitFor('Scripted answer 1.')
  await terminal.submit('/exit')
  await terminal.waitForExit()
  return terminal.history()
}

/** Puts a program in the place of cortext that keeps how it was called; returns what it kept. */
function fakeCortext(lab: ClaudeLab): () => { argv: string; payload: unknown }[] {
  const kept = join(lab.folder, 'heard')
  writeFileSync(
    join(lab.bin, 'cortext'),
    `#!/bin/sh\necho "$*" >>'${kept}'\ncat >>'${kept}'\necho >>'${kept}'\n`,
  )
  return () => {
    const lines = readFileSync(kept, 'utf8').trimEnd().split('\n')
    return [{ argv: lines[0]!, payload: JSON.parse(lines[1]!) }]
  }
}
