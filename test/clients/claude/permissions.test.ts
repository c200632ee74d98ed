import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { claude } from '../../../src/clients/claude/index.ts'
import { addPermissions, RULES, removePermissions } from '../../../src/clients/claude/permissions.ts'

const theirs = fc.constantFrom('Bash(ls:*)', 'Read', 'Bash(cortext delete:*)', 'Bash(cortext:*)', '')
const rules = fc.array(theirs, { minLength: 1, maxLength: 4 })
const settings = fc.record(
  {
    model: fc.string(),
    permissions: fc.oneof(
      fc.record(
        { allow: rules, ask: rules, deny: rules, defaultMode: fc.constant('plan') },
        { requiredKeys: ['allow'] },
      ),
      fc.record({ deny: rules }),
    ),
  },
  { requiredKeys: [] },
)
interface Permissions {
  allow?: string[]
  ask?: string[]
}
const permissionsIn = (one: Record<string, unknown>) => (one.permissions ?? {}) as Permissions

describe('what our commands may run unasked', () => {
  it('comes out without a trace (E-14)', () => {
    fc.assert(
      fc.property(settings, (before) => {
        const kept = structuredClone(before)
        expect(removePermissions(addPermissions(before))).toEqual(kept)
        expect(claude.settings!.remove(claude.settings!.add(before))).toEqual(kept)
        expect(before).toEqual(kept)
      }),
    )
  })

  it('is put in once, after the rules of the person, in its own order', () => {
    fc.assert(
      fc.property(settings, (before) => {
        const once = addPermissions(before)
        const own = permissionsIn(before)
        expect(permissionsIn(once).allow).toEqual([...(own.allow ?? []), ...RULES.allow])
        expect(permissionsIn(once).ask).toEqual([...(own.ask ?? []), ...RULES.ask])
        expect(addPermissions(once)).toEqual(once)
        const { allow: _allow, ask: _ask, ...others } = permissionsIn(once)
        const { allow: _theirs, ask: _asked, ...before_ } = own
        expect(others).toEqual(before_)
      }),
    )
  })

  it('stays where it is when a person adds a rule after it, and gets what an older version lacked', () => {
    const edited = { permissions: { allow: [...RULES.allow, 'Read'], ask: RULES.ask } }
    expect(addPermissions(edited)).toEqual(edited)
    const lacking = { permissions: { allow: [...RULES.allow.slice(1), 'Read'] } }
    expect(permissionsIn(addPermissions(lacking)).allow).toEqual([
      ...RULES.allow.slice(1),
      'Read',
      RULES.allow[0],
    ])
    expect(removePermissions(addPermissions(lacking))).toEqual({ permissions: { allow: ['Read'] } })
  })

  it('leaves settings of an unknown shape as they are', () => {
    for (const permissions of [
      null,
      'x',
      ['Read'],
      { allow: 'Read' },
      { allow: { Read: true } },
      { ask: 'x' },
    ]) {
      expect(addPermissions({ permissions })).toEqual({ permissions })
      expect(removePermissions({ permissions })).toEqual({ permissions })
    }
    const odd = { permissions: { allow: [7, null] } }
    expect(removePermissions(addPermissions(odd))).toEqual(odd)
  })

  // promise: which allow `cortext agent <verb>` with plain arguments and nothing else
  // promise: writes rules into your clients
  // promise: They allow one form of calls, `cortext agent <verb>` with plain arguments
  // promise: Besides these calls, our rules let Claude Code edit the documents of conversations
  it('is one form of calls, and the documents of conversations', () => {
    expect(RULES.allow).toEqual([
      'Bash(cortext agent:*)',
      // The tool on Windows without Git Bash.
      'PowerShell(cortext agent:*)',
      'Edit(/conversations/[0-9]*-[0-9]*-[0-9]*/[0-9]*/*.md)',
    ])
  })
})
