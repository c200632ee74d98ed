import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HookEvent, HookLanguage } from '../../../src/clients/contract/hooks.ts'
import { hookLanguages } from '../../../src/clients/hook-languages.ts'
import { FIXTURES, filesBelow } from '../fixtures.ts'
import { everyClient, HOSTILE } from './every-client.ts'

const KINDS = ['session-start', 'command', 'turn-start', 'turn-end', 'session-end', 'other']
const languages: [string, HookLanguage][] = Object.entries(hookLanguages)

/** Payloads of real clients; of one client they are foreign to the others. */
const samples = everyClient.flatMap(({ id }) => {
  const folder = join(FIXTURES, id, 'hooks')
  return filesBelow(folder).map((name) => {
    const recorded = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    return recorded.stdin ?? recorded
  })
})
const mutated = fc
  .tuple(fc.constantFrom(...samples), fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), fc.nat())
  .map(([payload, more, value, which]) => {
    const keys = Object.keys(payload)
    return { ...payload, ...more, [keys[which % keys.length]!]: value }
  })
const env = fc.dictionary(fc.string(), fc.string())

it('every client of the list has its hook language in the other list', () => {
  expect(languages.map(([id]) => id).sort()).toEqual(everyClient.map(({ id }) => id).sort())
  for (const { id, hooks } of everyClient) expect(new Map(languages).get(id)).toBe(hooks)
})

describe.each(languages)('the hooks of %s', (_, language) => {
  it('make an event of any payload', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.jsonValue(), mutated), env, (payload, variables) => {
        const event = language.parse(payload, variables)
        expect(KINDS).toContain(event.kind)
        for (const value of [event.nativeId, event.transcript, event.cwd]) expect(typeof value).toBe('string')
        if (event.kind === 'command')
          expect([typeof event.command, typeof event.args]).toEqual(['string', 'string'])
      }),
    )
  })

  it('make an event of kind "other" of an unknown payload', () => {
    const odd = [null, undefined, 1, 'x', [], {}, ...['__proto__', 'toString', 'Nope'].flatMap(named)]
    for (const payload of odd) expect(language.parse(payload, {}).kind).toBe('other')
    fc.assert(
      fc.property(fc.anything(), (any) => {
        expect(language.parse(any, {}).kind).toBe('other')
      }),
    )
  })

  it('answer in one line that contains the text, or not at all', () => {
    const kinds = KINDS as HookEvent['kind'][]
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.oneof(fc.string(), fc.constant(HOSTILE)), (kind, text) => {
        const event: HookEvent = { kind, nativeId: 's', transcript: 't', cwd: '/p', command: 'c', args: 'a' }
        for (const said of [language.contextFor(event, text), language.messageFor(event, text)]) {
          if (said === '') continue
          expect(said).not.toContain('\n')
          expect(JSON.stringify(JSON.parse(said))).toContain(JSON.stringify(text))
        }
      }),
    )
  })
})

function named(name: string): object[] {
  return [{ hook_event_name: name }, { event: name }]
}
