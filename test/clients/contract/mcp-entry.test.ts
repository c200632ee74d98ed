import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { everyClient } from './every-client.ts'

const KEYS = ['mcpServers', 'mcp']
const server = fc.dictionary(fc.constantFrom('command', 'args', 'env', 'url', 'x'), fc.jsonValue())
const servers = fc.dictionary(fc.constantFrom('notes', 'files', '__proto__', 'Cortext'), server)
/** A file as a person has it: of any content, and with servers where one of the clients has them. */
const settings = fc
  .tuple(
    fc.dictionary(
      fc.string().filter((key) => !KEYS.includes(key)),
      fc.jsonValue(),
    ),
    fc.record({ mcpServers: servers, mcp: servers }, { requiredKeys: [] }),
  )
  .map(([any, known]): Record<string, unknown> => ({ ...any, ...known }))

const withServers = everyClient.flatMap(({ id, mcpEntry }) =>
  mcpEntry === undefined ? [] : [{ id, own: mcpEntry }],
)

test('all three clients take servers', () => {
  expect(withServers.map(({ id }) => id)).toEqual(expect.arrayContaining(['claude', 'gemini', 'opencode']))
})

describe.each(withServers)('the server in the file of $id', ({ own }) => {
  it("can be put in without changing anything of the person's, and taken out without a trace", () => {
    fc.assert(
      fc.property(settings, (before) => {
        const copy = structuredClone(before)
        const once = own.add(before)
        expect(once).not.toEqual(before)
        expect(own.add(once)).toEqual(once)
        expect(own.remove(once)).toEqual(before)
        expect(own.remove(before)).toEqual(before)
        expect(before).toEqual(copy)
      }),
    )
  })

  it('starts `cortext mcp`', () => {
    expect(JSON.stringify(own.add({}))).toMatch(/"cortext".*"cortext".*"mcp"/)
  })

  it('is left alone when it is another one under our name', () => {
    for (const key of KEYS) {
      const theirs = { [key]: { cortext: { command: 'npx', args: ['something'] } } }
      const after = own.add(theirs)
      expect(after[key]).toEqual(theirs[key])
      expect(own.remove(after)).toEqual(theirs)
    }
  })

  it('is taken out with what a person has added to it', () => {
    const [[key, put]] = Object.entries(own.add({})) as [[string, Record<string, object>]]
    const edited = { [key]: { cortext: { ...put.cortext, timeout: 5 } }, x: 1 }
    expect(own.add(edited)).toEqual(edited)
    expect(own.remove(edited)).toEqual({ x: 1 })
  })

  it("is refused by name where the file's servers are not an object", () => {
    const [key] = Object.keys(own.add({})) as [string]
    for (const odd of [1, [], 'x', null]) {
      const settings = { [key]: odd }
      expect(() => own.add(settings)).toThrow(expect.objectContaining({ code: 'refused' }))
      expect(own.remove(settings)).toEqual(settings)
    }
  })
})
