import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { parseQwenEvent, qwenHooks } from '../../../src/clients/qwen/hook-events.ts'
import { FORMS, NEIGHBOURS } from '../../e2e/unasked.ts'

const FOLDER = join(import.meta.dirname, '../../fixtures/qwen/hooks')
const payload = (name: string) => JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'))
const parse = (name: string, more: object = {}) => parseQwenEvent({ ...payload(name), ...more }, {})

describe('the hooks of Qwen Code', () => {
  it.each([
    ['SessionStart.startup', 'session-start'],
    ['SessionStart.resume', 'session-start'],
    ['UserPromptSubmit.prompt', 'turn-start'],
    ['UserPromptSubmit.command', 'command'],
    ['UserPromptSubmit.within-turn', 'other'],
    ['Stop', 'turn-end'],
  ])('make of %s the kind %s', (name, kind) => {
    expect(parse(name)).toMatchObject({
      kind,
      cwd: '/home/dev/project',
      nativeId: '00000000-0000-4000-8000-000000000001',
      transcript: expect.stringMatching(/\/chats\/00000000-0000-4000-8000-000000000001\.jsonl$/),
    })
  })

  it('recognise a command of ours by the first line of the prompt, and take the arguments as they were typed', () => {
    const typed = (prompt: string, submitted_prompt?: string) =>
      parse('UserPromptSubmit.prompt', { prompt, submitted_prompt })
    expect(parse('UserPromptSubmit.command')).toMatchObject({
      command: 'workspace.test',
      args: '"API" design',
      opensTurn: true,
    })
    const two = '[/workspace.plan] one\ntwo\n\nYou plan one\ntwo.'
    expect(typed(two, '/workspace.plan one\n\ntwo ')).toMatchObject({ args: 'one\n\ntwo' })
    expect(typed(two)).toMatchObject({ command: 'workspace.plan', args: 'one\ntwo' })
    expect(typed('[/workspace.plan] \n\nYou plan.', '/workspace.plan')).toMatchObject({ args: '' })
    for (const other of ['hello', '/workspace.plan x', '[/other] x\n', '[/workspace.plan] no body'])
      expect(typed(other, other).kind).toBe('turn-start')
  })

  it('report the end at the limit of use, and when a session is cleared', () => {
    const ended = (error: string) => parse('Stop', { hook_event_name: 'StopFailure', error })
    expect(ended('rate_limit')).toMatchObject({ kind: 'turn-end', limit: true })
    expect(ended('server_error').limit).toBeUndefined()
    expect(parse('SessionStart.startup', { source: 'clear' }).cleared).toBe(true)
    expect(parse('Stop', { hook_event_name: 'SessionEnd', reason: 'clear' })).toMatchObject({
      kind: 'session-end',
      cleared: true,
    })
  })

  // promise: as the whole call, by our hook where
  it('allow one plain call of ours, and nothing on Windows', () => {
    const asked = (command: unknown, tool_name = 'run_shell_command') =>
      parse('Stop', { hook_event_name: 'PermissionRequest', tool_name, tool_input: { command } }).answer
    const allowed = { behavior: 'allow' }
    for (const command of Object.values(FORMS))
      expect(JSON.parse(asked(command)!).hookSpecificOutput.decision, command).toEqual(allowed)
    for (const command of [...Object.values(NEIGHBOURS), undefined, ['cortext agent list']])
      expect(asked(command), String(command)).toBeUndefined()
    expect(asked(FORMS.list, 'write_file')).toBeUndefined()
    vi.spyOn(process, 'platform', 'get').mockReturnValue('win32')
    expect(asked(FORMS.list)).toBeUndefined()
    vi.restoreAllMocks()
  })

  it('never throw', () => {
    fc.assert(
      fc.property(fc.anything(), (odd) => {
        expect(parseQwenEvent(odd, {}).kind).toBeDefined()
      }),
    )
    for (const name of ['__proto__', 'toString', 'constructor'])
      expect(parseQwenEvent({ hook_event_name: name }, {}).kind).toBe('other')
  })

  it('are answered at prompts only', () => {
    const said = qwenHooks.contextFor(parse('UserPromptSubmit.command'), 'a note')
    expect(JSON.parse(said)).toEqual({
      hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'a note' },
    })
    for (const name of ['SessionStart.resume', 'UserPromptSubmit.within-turn', 'Stop'])
      expect(qwenHooks.contextFor(parse(name), 'a note')).toBe('')
  })
})
