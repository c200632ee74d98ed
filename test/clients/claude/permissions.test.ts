import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { claude } from '../../../src/clients/claude/index.ts'
import { ALLOWED, addPermissions, removePermissions } from '../../../src/clients/claude/permissions.ts'

const theirs = fc.constantFrom('Bash(ls:*)', 'Read', 'Bash(cortext delete:*)', 'Bash(cortext:*)', '')
const rules = fc.array(theirs, { minLength: 1, maxLength: 4 })
const settings = fc.record(
  {
    model: fc.string(),
    permissions: fc.oneof(
      fc.record({ allow: rules, deny: rules, defaultMode: fc.constant('plan') }, { requiredKeys: ['allow'] }),
      fc.record({ deny: rules }),
    ),
  },
  { requiredKeys: [] },
)
interface Permissions {
  allow?: string[]
}
const allowedIn = (one: Record<string, unknown>) => (one.permissions as { allow: unknown[] }).allow

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

  it('is put in once, behind the rules of the person, in its own order', () => {
    fc.assert(
      fc.property(settings, (before) => {
        const once = addPermissions(before)
        const own = (before.permissions ?? {}) as Permissions
        expect(allowedIn(once)).toEqual([...(own.allow ?? []), ...ALLOWED])
        expect(addPermissions(once)).toEqual(once)
        expect({ ...(once.permissions as Permissions), allow: own.allow }).toEqual(own)
      }),
    )
  })

  it('stays where it is when a person adds a rule behind it, and gets what an older version lacked', () => {
    const edited = { permissions: { allow: [...ALLOWED, 'Read'] } }
    expect(addPermissions(edited)).toEqual(edited)
    const old = { permissions: { allow: [ALLOWED[1], 'Read', ...ALLOWED.slice(3)] } }
    expect(allowedIn(addPermissions(old))).toEqual([...old.permissions.allow, ALLOWED[0], ALLOWED[2]])
    expect(removePermissions(addPermissions(old))).toEqual({ permissions: { allow: ['Read'] } })
  })

  it('leaves settings of an unknown shape as they are', () => {
    for (const permissions of [null, 'x', ['Read'], { allow: 'Read' }, { allow: { Read: true } }]) {
      expect(addPermissions({ permissions })).toEqual({ permissions })
      expect(removePermissions({ permissions })).toEqual({ permissions })
    }
    const odd = { permissions: { allow: [7, null] } }
    expect(removePermissions(addPermissions(odd))).toEqual(odd)
  })

  it('is nothing that deletes, edits, imports or takes cortext away', () => {
    for (const rule of ALLOWED) {
      expect(rule).toMatch(/^Bash\(cortext [a-z]+( --[a-z-]+)?:\*\)$/)
      expect(rule).not.toMatch(/delete|edit|import|uninstall|init|config|resume:/)
    }
  })
})
