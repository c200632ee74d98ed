import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseCodexEvent } from '../../../src/clients/codex/hook-events.ts'
import { FIXTURES } from '../fixtures.ts'

const recorded = (event: string) =>
  JSON.parse(readFileSync(join(FIXTURES, 'codex', 'hooks', `${event}.json`), 'utf8'))

describe('the hooks of Codex CLI', () => {
  it.each([
    ['SessionStart', 'session-start'],
    ['UserPromptSubmit', 'turn-start'],
    ['Stop', 'turn-end'],
    ['SessionEnd', 'session-end'],
    ['PreToolUse', 'other'],
    ['PreCompact', 'other'],
    ['Interrupt', 'other'],
  ])('name at %s a %s', (name, kind) => {
    const payload = recorded(name)
    expect(parseCodexEvent(payload, {})).toEqual({
      kind,
      nativeId: payload.session_id,
      transcript: payload.transcript_path,
      cwd: payload.cwd,
    })
  })

  it('ignore a subagent: its hooks name the thread of the person, with a file of its own', () => {
    const payload = { ...recorded('UserPromptSubmit'), prompt: '$workspace-plan it', agent_id: 'an-id' }
    expect(parseCodexEvent(payload, {}).kind).toBe('other')
  })

  it('use only the payload: their environment is that of the process that started the server', () => {
    const env = {
      CODEX_THREAD_ID: 'another',
      CODEX_SESSION_ID: 'another',
      PWD: '/elsewhere',
      CORTEXT_LAUNCH: 'x',
    }
    for (const name of ['SessionStart', 'UserPromptSubmit', 'Stop', 'SessionEnd'])
      expect(parseCodexEvent(recorded(name), env)).toEqual(parseCodexEvent(recorded(name), {}))
  })

  it.each([
    ['$workspace-resume 3', 'workspace.resume', '3'],
    ['$workspace-resume  3 now', 'workspace.resume', '3 now'],
    ['  $workspace:brainstorm API design', 'workspace.brainstorm', 'API design'],
    ['$workspace-stop-conversation', 'workspace.stop-conversation', ''],
    ['$workspace-brainstorm\nover\ntwo lines', 'workspace.brainstorm', 'over\ntwo lines'],
    ['$workspace-design-critique it, please', 'workspace.design-critique', 'it, please'],
  ])('recognise the command in %j', (prompt, command, args) => {
    const event = parseCodexEvent({ ...recorded('UserPromptSubmit'), prompt }, {})
    expect(event).toMatchObject({ kind: 'command', command, args, opensTurn: true })
  })

  it.each([
    'what does $workspace-resume do?',
    '/workspace.resume 3',
    '$workspace',
    '$workspace-',
    '$workspace.resume',
    '$workspace-resume.md is a file',
    '$workspaces-resume',
    '$my-workspace-resume',
    '$workspace-Resume',
  ])('recognise no command in %j', (prompt) => {
    expect(parseCodexEvent({ ...recorded('UserPromptSubmit'), prompt }, {}).kind).toBe('turn-start')
  })
})
