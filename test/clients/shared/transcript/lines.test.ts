import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitLines } from '../../../../src/clients/shared/transcript/lines.ts'

const split = (text: string, from = 0) => splitLines(Buffer.from(text), from)
const kinds = (text: string) => split(text).map(({ content }) => content.kind)
const records = (text: string) =>
  split(text).flatMap(({ content }) => (content.kind === 'record' ? [content.record] : []))

describe('the lines of a transcript', () => {
  test('several records on one line are records, in their order, and every byte is in one of them', () => {
    const text = '{"n":0}\n{"n":1,"text":"}{ \\" é"}{"n":2} {"n":3}\n{"n":4}\n'
    expect(records(text).map(({ n }) => n)).toEqual([0, 1, 2, 3, 4])
    const lines = split(text)
    expect(lines.map(({ number }) => number)).toEqual([0, 1, 1, 1, 2])
    expect(lines.map(({ seq }) => seq)).toEqual([...lines.map(({ seq }) => seq)].sort((a, b) => a - b))
    expect(new Set(lines.map(({ seq }) => seq)).size).toBe(5)
    expect(Buffer.concat(lines.map(({ bytes }) => bytes)).toString()).toBe(text)
    // A reading that begins at one of them gives it the same place.
    const [, , third] = lines
    expect(split(text, third!.start)[0]).toMatchObject({ number: 1, seq: third!.seq })
  })

  test('a record stays while the next one on its line is written, or when that one is damaged', () => {
    expect(kinds('{"a":{"b":1}}{"c":')).toEqual(['record', 'unreadable'])
    expect(kinds('{"a":1} rest of something\n{"b":2}\n')).toEqual(['record', 'unreadable', 'record'])
  })

  test('an object within a damaged or unfinished record is no record', () => {
    for (const text of [
      '{"a":{"b":1}',
      '{"a":{"b":1}\n',
      '"b":1}}{"c":2}\n',
      '[{"a":1}{"b":2}\n',
      'x {"a":1}\n',
    ])
      expect(kinds(text)).toEqual(['unreadable'])
  })

  test('a record after a torn one is a record, if it is like those of earlier lines', () => {
    const record = (n: number) =>
      `{"id":${n},"type":"t","time":"x","message":{"id":1,"type":"t","parts":[{"a":1}]}}`
    for (const torn of [
      '{"id":1,"type":"t',
      '{"id":1,"message":{"id":1,"type":"t","parts":[{"a":1}]}',
      '}',
      '\\"',
    ])
      for (const glued of [record(2), `${record(2)}${record(3)}`, `${record(2)} ${record(3)} `]) {
        const text = `${record(0)}\n${torn}${glued}\n${record(4)}\n`
        const ids = records(text).map(({ id }) => id)
        expect(ids, text).toEqual(glued.includes('"id":3') ? [0, 2, 3, 4] : [0, 2, 4])
        expect(Buffer.concat(split(text).map(({ bytes }) => bytes)).toString()).toBe(text)
      }
    expect(kinds(`${record(0)}\n{"id":1,"message":{"id":1,"type":"t","parts":[{"a":1}]}\n`)).toEqual([
      'record',
      'unreadable',
    ])
  })

  test('a torn line of many objects takes effort that grows with its length', () => {
    const record = '{"id":0,"type":"t","time":"x"}'
    for (const torn of ['{"a":'.repeat(200_000), '{"a":{"b":1},'.repeat(100_000), '{"'.repeat(500_000)])
      expect(kinds(`${record}\n${torn}\n${record}\n`)).toEqual(['record', 'unreadable', 'record'])
  })

  test('zeros that a crash has left are blank, also around a record', () => {
    const zeros = '\0'.repeat(2000)
    expect(kinds(`{"a":1}\n${zeros}\n{"b":2}\n`)).toEqual(['record', 'blank', 'record'])
    expect(kinds(`${zeros}{"a":1}\n{"b":2}${zeros}`)).toEqual(['record', 'record'])
  })

  test('law: every byte is in exactly one line, whatever the bytes are', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'{}"\\a\n \0é') })
    fc.assert(
      fc.property(letters, (text) => {
        expect(Buffer.concat(split(text).map(({ bytes }) => bytes)).equals(Buffer.from(text))).toBe(true)
      }),
    )
  })
})
