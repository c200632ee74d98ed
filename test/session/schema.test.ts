import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isMessage, Message, SessionFile } from '../../src/session/schema.ts'
import { documentAt } from '../helpers/documents.ts'

test('each key of the files on disk is in the README of the store', () => {
  const page = documentAt('src/store/README.md')
  for (const key of [...Object.keys(SessionFile.shape), ...Object.keys(Message.shape)])
    expect(page, 'a new key: add a row').toMatch(new RegExp(`\`${key}\\b`))
})

const key = fc.constantFrom(
  ...Object.keys(Message.shape),
  ...['unknown', '__proto__', 'constructor', 'toString'],
)
const value = fc.oneof(
  fc.constantFrom<unknown>('user', 'tool', '', null, true, 0, -1.5, [], {}),
  fc.constantFrom([{ type: 'text', text: 'a' }], [{ text: 'a' }], [{ id: 'a', name: 'b', arguments: null }]),
  fc.constantFrom({ bytes: 1, sha256: 'a' }, [{ media_type: 'a', sha256: 'b', bytes: 1 }]),
  fc.jsonValue(),
)
/** Own keys of any name, as JSON.parse makes them. */
const line = fc
  .tuple(fc.constantFrom(0, 3, 4, 4, 4, 4), fc.array(fc.tuple(key, value), { maxLength: 6 }))
  .map(([count, more]) => {
    const required = [
      ['id', 'a'],
      ['role', 'user'],
      ['content', 'said'],
      ['timestamp', '2026-01-01T00:00:00Z'],
    ].slice(0, count)
    const entries = [...required, ...more].map(
      ([name, one]) => `${JSON.stringify(name)}:${JSON.stringify(one)}`,
    )
    return JSON.parse(`{${entries.join(',')}}`) as unknown
  })

test('law: a line is a message exactly where the schema says so', () => {
  let messages = 0
  fc.assert(
    fc.property(fc.oneof({ weight: 9, arbitrary: line }, fc.jsonValue()), (one) => {
      const verdict = Message.safeParse(one).success
      expect(isMessage(one)).toBe(verdict)
      if (verdict) messages += 1
    }),
    { numRuns: 3000 },
  )
  expect(messages).toBeGreaterThan(300)
})
