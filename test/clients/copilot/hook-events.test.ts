import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { copilotHooks, parseCopilotEvent, SHOWN } from '../../../src/clients/copilot/hook-events.ts'
import { copilot } from '../../../src/clients/copilot/index.ts'
import { tempFolder } from '../../helpers/repository.ts'
import { FIXTURES } from '../fixtures.ts'

const recorded = (name: string) =>
  JSON.parse(readFileSync(join(FIXTURES, 'copilot', 'hooks', `${name}.json`), 'utf8'))
const ENV = { COPILOT_CLI: '1', HOME: '/home/dev' }
const asked = (command: unknown, more = {}) => {
  const payload = { ...recorded('PreToolUse'), tool_input: { command }, ...more }
  return parseCopilotEvent(payload, ENV)
}

describe('the hooks of Copilot CLI', () => {
  it.each([
    ['UserPromptSubmit', 'turn-start'],
    ['Stop', 'turn-end'],
    ['SessionEnd', 'session-end'],
    ['SessionStart', 'other'],
    ['PreToolUse', 'other'],
    ['PostToolUse', 'other'],
    ['agentStop', 'other'],
  ])('name at %s a %s, with the transcript, which most payloads do not name', (name, kind) => {
    const payload = recorded(name)
    const nativeId = payload.session_id ?? ''
    expect(parseCopilotEvent(payload, ENV)).toMatchObject({ kind, nativeId, cwd: payload.cwd })
    if (nativeId !== '')
      expect(parseCopilotEvent(payload, ENV).transcript).toBe(
        join('/home/dev/.copilot/session-state', nativeId, 'events.jsonl'),
      )
  })

  it('wait until the client has written what was before them', () => {
    const payload = recorded('Stop')
    const home = tempFolder()
    const event = parseCopilotEvent(payload, { ...ENV, COPILOT_HOME: home })
    event.transcript = join(home, 'events.jsonl')
    writeFileSync(event.transcript, '{"type":"user.message"}\n')
    const line = JSON.stringify({ type: 'hook.start', timestamp: Date.parse(payload.timestamp) })
    const writer = spawn('sh', ['-c', 'sleep 0.3; printf "%s\\n" "$1" >> "$2"', 'sh', line, event.transcript])
    copilotHooks.awaitWritten!(event)
    expect(readFileSync(event.transcript, 'utf8')).toContain(line)
    writer.kill()
  })

  it('find the sessions where a variable puts them, and no transcript of an id that is none', () => {
    const payload = recorded('UserPromptSubmit')
    const env = { ...ENV, COPILOT_HOME: '/own' }
    expect(parseCopilotEvent(payload, env).transcript).toMatch(/^\/own\/session-state\//)
    expect(parseCopilotEvent({ ...payload, session_id: '../../x' }, ENV).transcript).toBe('')
  })

  it('ignore subagents, and another program that runs the hooks of `.github/hooks`', () => {
    for (const name of ['Stop-subagent', 'UserPromptSubmit-subagent'])
      expect(parseCopilotEvent(recorded(name), ENV).kind).toBe('other')
    expect(parseCopilotEvent(recorded('Stop'), { HOME: '/home/dev' }).kind).toBe('other')
    const call = { ...recorded('PreToolUse'), tool_input: { command: 'cortext agent list' } }
    expect(parseCopilotEvent(call, ENV).answer).toBeDefined()
    expect(parseCopilotEvent({ ...call, agent_id: 'one' }, ENV).answer).toBeUndefined()
    expect(parseCopilotEvent(call, {}).answer).toBeUndefined()
  })

  it('find the command that a person typed, in the text that the client makes of it', () => {
    expect(parseCopilotEvent(recorded('UserPromptSubmit-skill'), ENV)).toMatchObject({
      kind: 'command',
      command: 'workspace.brainstorm',
      args: 'API <b> "design" \'x\' $HOME',
      opensTurn: true,
    })
    const body = (line: string, name = 'workspace.plan') =>
      `The user explicitly invoked the "/${name}" skill.\n\n<skill-context name="${name}">\nBase directory: /p\n\n${line}\n\nBODY\n</skill-context>`
    const of = (prompt: string) => parseCopilotEvent({ ...recorded('UserPromptSubmit'), prompt }, ENV)
    expect(of(body('[/workspace.plan] '))).toMatchObject({ command: 'workspace.plan', args: '' })
    expect(of(body('[/workspace.plan] It', 'other')).kind).toBe('turn-start')
    expect(of('what does [/workspace.plan] do?').kind).toBe('turn-start')
  })

  // promise: With `-p` it does not
  it('tell the agent where the instructions are if the client did not expand the command', () => {
    const home = tempFolder()
    const env = { ...ENV, COPILOT_HOME: home }
    const of = (prompt: string) => parseCopilotEvent({ ...recorded('UserPromptSubmit'), prompt }, env)
    const said = () => {
      const event = of('/workspace.plan the  week')
      expect(event).toMatchObject({ kind: 'command', command: 'workspace.plan', args: 'the  week' })
      return JSON.parse(copilotHooks.contextFor(event, 'It is open.')).additionalContext
    }
    const command = { name: 'workspace.plan', description: '', argumentHint: '', body: 'B' }
    const { path } = copilot.pack.command(command)
    expect(said()).toBe(`It is open. The instructions of /workspace.plan are in ${path}: read them first.`)
    const mine = join(home, copilot.personal!.place(path))
    mkdirSync(dirname(mine), { recursive: true })
    writeFileSync(mine, 'B')
    expect(said()).toBe(`It is open. The instructions of /workspace.plan are in ${mine}: read them first.`)
    expect(of('/workspace.plans.md is a file').kind).toBe('turn-start')
    const expanded = parseCopilotEvent(recorded('UserPromptSubmit-skill'), ENV)
    expect(JSON.parse(copilotHooks.contextFor(expanded, 'It is open.')).additionalContext).toBe('It is open.')
  })

  it('show a person what they must see by stderr, and give the agent its part by stdout', () => {
    const event = parseCopilotEvent(recorded('UserPromptSubmit'), ENV)
    expect(copilotHooks.printed!(copilotHooks.messageFor(event, 'Look!'))).toEqual({
      stdout: '',
      stderr: 'Look!\n',
      exitCode: SHOWN,
    })
    expect(copilotHooks.printed!(copilotHooks.contextFor(event, 'Know!', 'Look!'))).toEqual({
      stdout: '{"additionalContext":"Know!"}',
      stderr: 'Look!\n',
      exitCode: SHOWN,
    })
    const plain = copilotHooks.contextFor(event, 'Know!')
    expect(copilotHooks.printed!(plain)).toEqual({ stdout: plain })
  })
})

describe('a call of a tool of Copilot CLI', () => {
  it.each([
    'cortext agent list',
    ' cortext agent  show api --messages --json ',
    'cortext agent start brainstorm --title "API design > it\'s"',
    "cortext agent search Überblick 'a > b; c'",
    'cortext agent resume --query "11-21/3"',
  ])('is allowed if it is one plain call of ours: %s', (command) => {
    expect(JSON.parse(asked(command).answer!)).toEqual({ permissionDecision: 'allow' })
    expect(asked(command, { tool_name: 'PowerShell' }).answer).toBeDefined()
  })

  it.each([
    'cortext agent list > y',
    'cortext agent list\ntouch y',
    'cortext agent list & touch y',
    'cortext agent search $(touch y)',
    'cortext agent search "`touch y`"',
    'cortext agent search "$HOME"',
    "cortext agent search 'a\nb'",
    'cortext agent search *',
    'cortext agent search ~root',
    'cortext agent search @x',
    'cortext agentlist',
    'cortext list',
    'X=1 cortext agent list',
    './cortext agent list',
    'cortext\tagent list',
    '',
    7,
  ])('is not if it is anything else: %j', (command) => {
    expect(asked(command).answer).toBeUndefined()
  })

  it('is not if it is no shell', () => {
    expect(asked('cortext agent list', { tool_name: 'Write' }).answer).toBeUndefined()
  })
})
