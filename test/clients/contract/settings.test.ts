import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { everyClient } from './every-client.ts'

const own = fc.record({ type: fc.constant('command'), command: fc.string() }, { requiredKeys: ['type'] })
const entry = fc.record({ matcher: fc.string(), hooks: fc.array(own) }, { requiredKeys: ['hooks'] })
const event = fc.constantFrom(
  ...['SessionStart', 'Stop', 'UserPromptSubmit', 'BeforeAgent', 'AfterAgent', 'Said', 'Own', '__proto__'],
)
/** Settings as a person has them: of any content, and with the keys that clients know in their shape. */
const settings = fc
  .tuple(
    fc.dictionary(fc.string(), fc.jsonValue()),
    fc.record(
      {
        hooks: fc.dictionary(event, fc.array(entry, { maxLength: 3 })),
        permissions: fc.record(
          // What we leave empty goes: an empty list of the person's is taken for ours.
          { allow: fc.array(fc.string(), { minLength: 1 }), deny: fc.array(fc.string()) },
          { requiredKeys: ['allow'] },
        ),
        general: fc.record(
          { vimMode: fc.boolean(), sessionRetention: fc.jsonValue() },
          { requiredKeys: ['vimMode'] },
        ),
        policyPaths: fc.array(fc.string(), { minLength: 1 }),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([any, known]): Record<string, unknown> => ({ ...without(any, RESERVED), ...known }))

const RESERVED = ['hooks', 'permissions', 'general', 'policyPaths']

const withSettings = everyClient.flatMap(({ id, settings, personal }) => [
  ...(settings === undefined ? [] : [{ id, own: settings }]),
  ...(personal?.settings === undefined ? [] : [{ id: `${id}, the person’s own`, own: personal.settings }]),
])

describe.each(withSettings)('the settings of $id', ({ own }) => {
  // promise: Hooks are added to a client's project settings as marked entries, and `cortext uninstall`
  it('are the same after our entries are put in and taken out again', () => {
    fc.assert(
      fc.property(settings, (before) => {
        const copy = structuredClone(before)
        expect(own.remove(own.add(before))).toEqual(before)
        expect(before).toEqual(copy)
      }),
    )
  })

  it('have our entries once, however often they are put in', () => {
    fc.assert(
      fc.property(settings, (before) => {
        const once = own.add(before)
        expect(own.add(once)).toEqual(once)
      }),
    )
  })

  it('keep all that the person has in them', () => {
    fc.assert(
      fc.property(settings, (before) => {
        const after = own.add(before)
        for (const [key, value] of Object.entries(before))
          if (!RESERVED.includes(key)) expect(after[key]).toEqual(value)
        for (const [name, entries] of Object.entries(before.hooks ?? {}))
          expect((after.hooks as Record<string, unknown[]>)[name]).toEqual(
            expect.arrayContaining(entries as unknown[]),
          )
      }),
    )
  })

  it('are left alone when they have none of our entries', () => {
    fc.assert(
      fc.property(settings, (before) => {
        expect(own.remove(before)).toEqual(before)
      }),
    )
  })

  it('are one file below the folder, and get an entry', () => {
    expect(own.file).toMatch(/^(?:\.[a-z]+\/)?[a-z./]+\.json$/)
    expect(own.add({})).not.toEqual({})
  })

  it('are refused by name when they are not settings, and stay as they are', () => {
    for (const odd of [{ hooks: 1 }, { hooks: [] }, { hooks: { Stop: 1, AfterAgent: 1, Answered: 1 } }]) {
      expect(() => own.add(odd)).toThrow(expect.objectContaining({ code: 'refused' }))
      expect(own.remove(odd)).toEqual(odd)
    }
  })
})

function without(settings: Record<string, unknown>, keys: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => !keys.includes(key)))
}

const ROOT = join(import.meta.dirname, '../../..')

test.each(everyClient)(
  'init brings $id a rule, or a hook before a tool, for the calls that it names as unasked, or none',
  (client) => {
    const shipped = (path: string) => readFileSync(join(ROOT, path), 'utf8')
    const files = client.pack.files?.(shipped).map(({ content }) => content) ?? []
    const brought = [JSON.stringify(client.settings?.add({}) ?? {}), ...files].join('\n')
    const words = client.unasked?.split(' ') ?? ['cortext', 'agent']
    const allows =
      new RegExp(words.join('\\W+')).test(brought) || /PreToolUse|PermissionRequest/.test(brought)
    expect(allows).toBe(client.unasked !== undefined)
  },
)
