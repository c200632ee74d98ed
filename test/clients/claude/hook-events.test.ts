import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { claudeHooks, parseClaudeEvent } from '../../../src/clients/claude/hook-events.ts'

const payload = (name: string) =>
  JSON.parse(
    readFileSync(new URL(`../../fixtures/claude/hooks/interactive-${name}.json`, import.meta.url), 'utf8'),
  )
const session = {
  nativeId: '77777777-2222-4333-8444-555555555555',
  transcript:
    '/home/dev/home-tui/.claude/projects/-home-dev-proj-t/77777777-2222-4333-8444-555555555555.jsonl',
  cwd: '/home/dev/proj-t',
}

describe('real hook payloads (2.1.197)', () => {
  it.each([
    ['SessionStart-1', { ...session, kind: 'session-start' }],
    ['UserPromptSubmit-1', { ...session, kind: 'turn-start' }],
    ['SessionEnd-1', { ...session, kind: 'session-end', cleared: true }],
    ['SubagentStop-1', { ...session, kind: 'other' }],
    [
      'UserPromptExpansion-1',
      { ...session, kind: 'command', command: 'workspace.brainstorm', args: 'topic from argv' },
    ],
    ['Stop-1', { ...session, kind: 'turn-end' }],
  ])('%s', (name, event) => {
    expect(parseClaudeEvent(payload(name), {})).toEqual(event)
  })

  it('a session that continues after /clear is marked so, under its new id', () => {
    const event = parseClaudeEvent(payload('SessionStart-3'), {})
    expect(event).toMatchObject({
      kind: 'session-start',
      cleared: true,
      nativeId: '6666dc0b-ffbe-40e4-b46c-2784cb0e4378',
    })
  })

  it('the project folder is the client’s, also where the agent went elsewhere', () => {
    const event = parseClaudeEvent(
      { ...payload('Stop-1'), cwd: '/elsewhere' },
      { CLAUDE_PROJECT_DIR: '/home/dev/proj-t' },
    )
    expect(event.cwd).toBe('/home/dev/proj-t')
  })
})

it.each([
  [{ COPILOT_CLI: '1' }, 'other'],
  [{ COPILOT_CLI: '1', CLAUDECODE: '1' }, 'turn-end'],
])('a hook that Copilot CLI runs records nothing, and one of Claude Code inside it does: %j', (env, kind) => {
  expect(parseClaudeEvent(payload('Stop-1'), { ...env, CLAUDE_PROJECT_DIR: '/home/dev/proj-t' }).kind).toBe(
    kind,
  )
})

describe('what a hook prints', () => {
  const event = (name: string) => parseClaudeEvent(payload(name), {})
  const words = 'a "quoted" line\nand 日本 \u2028'

  it.each([
    ['SessionStart-1', 'SessionStart'],
    ['UserPromptExpansion-1', 'UserPromptExpansion'],
    ['UserPromptSubmit-1', 'UserPromptSubmit'],
  ])('%s can give the agent a text, under the name of its own event', (name, hookEventName) => {
    const output = claudeHooks.contextFor(event(name), words)
    expect(JSON.parse(output)).toEqual({ hookSpecificOutput: { hookEventName, additionalContext: words } })
    expect(output).not.toContain('\n')
  })

  it.each(['Stop-1', 'SessionEnd-1', 'SubagentStop-1'])(
    '%s cannot give the agent a text: nothing is printed',
    (name) => {
      expect(claudeHooks.contextFor(event(name), words)).toBe('')
    },
  )

  it.each(['SessionStart-1', 'UserPromptSubmit-1', 'Stop-1'])('%s can show the person a text', (name) => {
    expect(JSON.parse(claudeHooks.messageFor(event(name), words))).toEqual({ systemMessage: words })
  })
})

it('any payload makes an event, at worst one of kind "other"', () => {
  fc.assert(
    fc.property(fc.anything(), (anything) => {
      expect(typeof parseClaudeEvent(anything, {}).nativeId).toBe('string')
    }),
  )
  expect(parseClaudeEvent(null, {})).toEqual({ kind: 'other', nativeId: '', transcript: '', cwd: '' })
})
