import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOOKS } from '../../../src/clients/claude/facts.ts'
import { projectHooks } from '../../../src/clients/shared/setup/hook-entries.ts'

const { add: addHooks, remove: removeHooks } = projectHooks(HOOKS)

type Hooks = Record<string, { matcher?: string; hooks?: { command: string; args?: string[] }[] }[]>
const hooksOf = (settings: Record<string, unknown>) => settings.hooks as Hooks

const EVENTS = ['SessionStart', 'UserPromptExpansion', 'UserPromptSubmit', 'Stop', 'SessionEnd']

const hook = fc.record({
  type: fc.constant('command'),
  command: fc.constantFrom('echo hi', 'cortext list', './x.sh'),
})
const entry = fc.record(
  { matcher: fc.constantFrom('*', 'Bash'), hooks: fc.array(hook, { maxLength: 2 }) },
  { requiredKeys: [] },
)
const settings = fc.record(
  {
    model: fc.string(),
    permissions: fc.record({ allow: fc.array(fc.string()) }),
    hooks: fc.dictionary(
      fc.constantFrom(...EVENTS, 'PreToolUse', '__proto__'),
      fc.array(fc.oneof(entry, fc.constant('odd')), { maxLength: 3 }),
    ),
  },
  { requiredKeys: [] },
)

describe('our hooks in the settings of Claude Code', () => {
  it('come out without a trace: remove(add(s)) is s (E-14)', () => {
    fc.assert(
      fc.property(settings, (before) => {
        const kept = structuredClone(before)
        expect(removeHooks(addHooks(before))).toEqual(kept)
        expect(before).toEqual(kept)
      }),
    )
  })

  it('are put in once, however often', () => {
    fc.assert(
      fc.property(settings, (before) => {
        const once = addHooks(before)
        expect(addHooks(once)).toEqual(once)
        for (const event of EVENTS) {
          const commands = hooksOf(once)
            [event]!.flatMap((one) => one.hooks ?? [])
            .map(({ command, args = [] }) => [command, ...args].join(' '))
          expect(commands.filter((command) => command === 'cortext hook claude')).toHaveLength(1)
        }
      }),
    )
  })

  it('replace those of an older version and leave what a person put next to them', () => {
    const theirs = { type: 'command', command: 'say done' }
    const old = {
      hooks: {
        Stop: [
          {
            matcher: '',
            hooks: [theirs, { type: 'command', command: 'cortext hook claude --old', timeout: 5 }],
          },
        ],
        PreToolUse: [{ hooks: [{ type: 'command', command: 'cortext hook claude' }] }],
      },
    }
    const now = hooksOf(addHooks(old))
    expect(now.Stop![0]).toEqual({ matcher: '', hooks: [theirs] })
    expect(now.Stop).toHaveLength(2)
    expect(now.PreToolUse).toBeUndefined()
    expect(removeHooks(addHooks(old))).toEqual({ hooks: { Stop: [{ matcher: '', hooks: [theirs] }] } })
  })

  it('do not run at the plain start of a client, nor for commands that are not ours', () => {
    const hooks = hooksOf(addHooks({}))
    const fits = (event: string, what: string) => new RegExp(hooks[event]![0]!.matcher!).test(what)
    for (const source of ['resume', 'clear', 'fork', 'compact'])
      expect(fits('SessionStart', source), source).toBe(true)
    expect(fits('SessionStart', 'startup')).toBe(false)
    expect(fits('UserPromptExpansion', 'workspace.brainstorm')).toBe(true)
    for (const name of ['workspace', 'init', 'my.command'])
      expect(fits('UserPromptExpansion', name)).toBe(false)
  })

  it('refuse a shape they do not know, and leave it alone', () => {
    for (const hooks of [null, 'x', [], { Stop: {} }, { SessionStart: 'x' }]) {
      expect(() => addHooks({ hooks })).toThrow(
        expect.objectContaining({ code: 'refused', fix: expect.any(String) }),
      )
      expect(removeHooks({ hooks })).toEqual({ hooks })
    }
  })
})
