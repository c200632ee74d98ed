import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gemini } from '../../../src/clients/gemini/index.ts'

type Hooks = Record<string, { hooks: { command: string }[] }[]>

const EVENTS = ['SessionStart', 'BeforeAgent', 'AfterAgent', 'SessionEnd']
const hook = fc.record({ type: fc.constant('command'), command: fc.constantFrom('echo hi', 'cortext list') })
const settings = fc.record(
  {
    model: fc.record({ name: fc.string() }),
    general: fc.record(
      {
        vimMode: fc.boolean(),
        sessionRetention: fc.constantFrom({ enabled: true, maxAge: '30d' }, { enabled: false }),
      },
      { requiredKeys: [] },
    ),
    policyPaths: fc.oneof(
      fc.array(fc.constantFrom('a.toml', '~/.gemini/policies'), { maxLength: 2 }),
      fc.string(),
    ),
    hooks: fc.dictionary(
      fc.constantFrom(...EVENTS, 'BeforeTool', '__proto__'),
      fc.array(fc.record({ matcher: fc.constant('*'), hooks: fc.array(hook, { minLength: 1 }) }), {
        maxLength: 2,
      }),
    ),
  },
  { requiredKeys: [] },
)

describe('our entries in the settings of Gemini CLI', () => {
  it('come out without a trace: remove(add(s)) is s, except for an empty container (E-14)', () => {
    fc.assert(
      fc.property(settings, (before) => {
        const kept = structuredClone(before)
        const { general = {}, ...rest } = before
        const after = gemini.settings!.remove(gemini.settings!.add(before))
        expect(after).toEqual(Object.keys(general).length === 0 ? rest : kept)
        expect(before).toEqual(kept)
      }),
    )
  })

  it('are put in once, however often', () => {
    fc.assert(
      fc.property(settings, (before) => {
        const once = gemini.settings!.add(before)
        expect(gemini.settings!.add(once)).toEqual(once)
        for (const event of EVENTS) {
          const commands = (once.hooks as Hooks)
            [event]!.flatMap((entry) => entry.hooks)
            .map(({ command }) => command)
          expect(commands.filter((command) => command.includes('cortext hook gemini'))).toHaveLength(1)
        }
      }),
    )
  })

  // promise: Nothing is set about the deletion of Gemini CLI's sessions
  it('in the person’s own settings are only our hooks', () => {
    const { hooks, ...others } = gemini.personal!.settings!.add({ theme: 'x' }) as { hooks: Hooks }
    expect(others).toEqual({ theme: 'x' })
    expect(Object.keys(hooks)).toEqual(EVENTS)
  })

  // promise: works in a trusted folder only; the client's own tidying would otherwise delete sessions
  it('keep native sessions, unless the person has a setting for them', () => {
    expect(gemini.settings!.add({})).toMatchObject({ general: { sessionRetention: { enabled: false } } })
    const theirs = { general: { sessionRetention: { enabled: true, maxAge: '7d' } } }
    expect(gemini.settings!.add(theirs)).toMatchObject(theirs)
  })

  it("list the person's own policy folder too, which the client no longer reads once ours is listed", () => {
    const ours = '.gemini/cortext-policy.toml'
    expect(gemini.settings!.add({}).policyPaths).toEqual(['~/.gemini/policies', ours])
    expect(gemini.settings!.add({ policyPaths: [] }).policyPaths).toEqual(['~/.gemini/policies', ours])
    // Who names paths has decided whether that place is one of them.
    expect(gemini.settings!.add({ policyPaths: ['team.toml'] }).policyPaths).toEqual(['team.toml', ours])
  })

  it('take out the path of an older version, which was the only one', () => {
    const old = { policyPaths: ['.gemini/cortext-policy.toml'] }
    expect(gemini.settings!.remove(old)).toEqual({})
    expect(gemini.settings!.add(old).policyPaths).toEqual([
      '~/.gemini/policies',
      '.gemini/cortext-policy.toml',
    ])
    expect(gemini.settings!.remove(gemini.settings!.add(old))).toEqual({})
  })

  it("leave the person's policy folder listed where they have added a path since", () => {
    const added = gemini.settings!.add({})
    const edited = { ...added, policyPaths: [...(added.policyPaths as string[]), 'mine.toml'] }
    expect(gemini.settings!.remove(edited)).toEqual({ policyPaths: ['~/.gemini/policies', 'mine.toml'] })
  })

  it('have no hook for the event that fires before every request', () => {
    expect(Object.keys(gemini.settings!.add({}).hooks as Hooks).sort()).toEqual([...EVENTS].sort())
  })

  it('are refused where the settings have another shape', () => {
    expect(() => gemini.settings!.add({ hooks: [] })).toThrow(expect.objectContaining({ code: 'refused' }))
  })
})
