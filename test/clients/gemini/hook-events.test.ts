import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { geminiHooks, parseGeminiEvent } from '../../../src/clients/gemini/hook-events.ts'

const FOLDER = join(import.meta.dirname, '../../fixtures/gemini/hooks')
const payload = (name: string) => {
  const read = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'))
  return read.stdin ?? read
}
const parse = (name: string, more: object = {}) => parseGeminiEvent({ ...payload(name), ...more }, {})

describe('the hooks of Gemini CLI', () => {
  it.each([
    ['SessionStart.tui', 'session-start'],
    ['BeforeAgent.tui', 'turn-start'],
    ['AfterAgent.headless', 'turn-end'],
    ['SessionEnd.tui', 'session-end'],
    ['PreCompress.tui', 'other'],
    ['BeforeModel.tui', 'other'],
    ['Notification.tui', 'other'],
  ])('make of %s the kind %s', (name, kind) => {
    expect(parse(name)).toMatchObject({
      kind,
      cwd: '/home/dev/ws',
      nativeId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  it("recognise a command of ours by the prompt's first line, with its arguments", () => {
    const typed = (prompt: string) => parse('BeforeAgent.tui', { prompt })
    expect(typed('[/workspace.plan] it\'s "x" $(y)\n\nYou plan.')).toMatchObject({
      kind: 'command',
      command: 'workspace.plan',
      args: 'it\'s "x" $(y)',
      opensTurn: true,
    })
    expect(typed('[/workspace.plan] \n\nYou plan.')).toMatchObject({ command: 'workspace.plan', args: '' })
    expect(typed('[/workspace.plan]\n\nYou plan.')).toMatchObject({ command: 'workspace.plan', args: '' })
    for (const other of ['hello', 'see [/workspace.plan] x\n', '[/other] x\n', '[/workspace.plan] no body'])
      expect(typed(other).kind).toBe('turn-start')
  })

  it('give no path where the client names a stub', () => {
    expect(parse('SessionStart.resume-other-minute').transcript).toBe('')
    expect(parse('SessionEnd.tui').transcript).toBe('')
    expect(parse('BeforeAgent.tui').transcript).toMatch(/session-.*\.jsonl$/)
  })

  it('report when a session is cleared, and from which launch it comes', () => {
    expect(parse('SessionEnd.clear').cleared).toBe(true)
    expect(parse('SessionStart.clear').cleared).toBe(true)
    expect(parseGeminiEvent(payload('SessionStart.tui'), { CORTEXT_LAUNCH: 'u' }).launch).toBe('u')
  })

  it('never throw', () => {
    fc.assert(
      fc.property(fc.anything(), (odd) => {
        expect(parseGeminiEvent(odd, {}).kind).toBeDefined()
      }),
    )
    for (const name of ['__proto__', 'toString', 'constructor'])
      expect(parseGeminiEvent({ hook_event_name: name }, {}).kind).toBe('other')
  })

  it('are answered before a turn only, where the client keeps slash commands whole', () => {
    const said = geminiHooks.contextFor(parse('BeforeAgent.tui'), 'a note')
    expect(JSON.parse(said)).toEqual({
      hookSpecificOutput: { hookEventName: 'BeforeAgent', additionalContext: 'a note' },
    })
    expect(geminiHooks.contextFor(parse('SessionStart.tui'), 'a note')).toBe('')
  })

  it('have samples of every kind', () => expect(readdirSync(FOLDER).length).toBeGreaterThan(8))
})
