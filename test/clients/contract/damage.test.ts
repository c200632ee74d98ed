import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { Message } from '../../../src/session/schema.ts'
import { runs, TIME_FOR_RUNS } from '../../helpers/long.ts'
import { accounted, ids, said } from '../readings.ts'
import { everyFixture, everyTranscript } from './every-client.ts'

const some = runs(25, 250)

describe.each(everyTranscript)('a damaged $title', { timeout: TIME_FOR_RUNS }, ({ client, raw }) => {
  const { bytes } = raw
  const whole = client.reading.read(raw)
  const lines = Buffer.from(bytes).toString('utf8').split('\n')
  const records = lines.filter(Boolean).map((line) => JSON.parse(line))
  const read = (damaged: Uint8Array) => client.reading.read({ ...raw, bytes: damaged })

  it('loses none of the other messages, whatever is between the lines (S0-D2e)', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), garbageLike(records)), { maxLength: 8 }), (inserts) => {
        const among = [...lines]
        for (const [at, line] of inserts) among.splice(at % among.length, 0, line)
        const damaged = Buffer.from(among.join('\n'))
        const reading = read(damaged)
        expect(accounted(reading.report)).toBe(damaged.length)
        const found = ids(reading)
        expect(found.filter((id) => ids(whole).includes(id))).toEqual(ids(whole))
        expect(new Set(found).size).toBe(found.length)
      }),
      some,
    )
  })

  it('is read without an error and accounted for, whichever bytes are changed', () => {
    fc.assert(
      fc.property(changes, (some) => {
        const damaged = changed(bytes, some)
        const reading = read(damaged)
        expect(accounted(reading.report)).toBe(damaged.length)
        expect(new Set(ids(reading)).size).toBe(reading.messages.length)
        for (const message of reading.messages) expect(Message.safeParse(message).error).toBeUndefined()
      }),
      some,
    )
  })

  it('is read without an error and accounted for, whatever the values in its records', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(), fc.nat(), fc.jsonValue()), { minLength: 1, maxLength: 5 }),
        (changes) => {
          const changed = structuredClone(records)
          for (const [which, key, value] of changes) mutate(changed[which % changed.length], key, value)
          const damaged = Buffer.from(changed.map((record) => `${JSON.stringify(record)}\n`).join(''))
          const reading = read(damaged)
          expect(accounted(reading.report)).toBe(damaged.length)
          expect(new Set(ids(reading)).size).toBe(reading.messages.length)
          for (const message of reading.messages) expect(Message.safeParse(message).error).toBeUndefined()
        },
      ),
      some,
    )
  })

  it('gives a message once when its lines are repeated at the end', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 6 }), (picks) => {
        const own = lines.filter(Boolean)
        const repeated = picks.map((pick) => own[pick % own.length]!)
        const twice = Buffer.from(`${[...own, ...repeated].join('\n')}\n`)
        const reading = read(twice)
        expect(said(reading)).toEqual(said(whole))
        expect(accounted(reading.report)).toBe(twice.length)
      }),
      some,
    )
  })
})

test.each(everyFixture)('the running turn begins in a damaged $title too', ({ client, raw }) => {
  fc.assert(
    fc.property(changes, (some) => {
      const damaged = changed(raw.bytes, some)
      expect(client.reading.turnStart(damaged)).toBeLessThanOrEqual(damaged.length)
    }),
    some,
  )
})

/** Bytes that are put in place of others, at any offset. */
const changes = fc.array(fc.tuple(fc.nat(), fc.uint8Array({ maxLength: 20 })), { maxLength: 5 })

function changed(bytes: Uint8Array, some: readonly (readonly [at: number, others: Uint8Array])[]): Buffer {
  const damaged = Buffer.from(bytes)
  for (const [at, others] of some)
    damaged.set(others.slice(0, damaged.length - (at % damaged.length)), at % damaged.length)
  return damaged
}

const IDENTITY = ['id', 'uuid', 'parentUuid', '$rewindTo']

/** Lines that are nobody's, and records of the client's kinds with other values and an id of their own. */
function garbageLike(records: Record<string, unknown>[]): fc.Arbitrary<string> {
  const alike = fc
    .tuple(fc.constantFrom(...records), fc.uuid(), fc.jsonValue(), fc.boolean())
    .map(([record, id, value, identified]) => {
      const keys = Object.keys(record).filter((key) => !IDENTITY.includes(key))
      const values = keys.map((key) => [key, key === 'type' ? record[key] : value])
      return JSON.stringify({ ...(identified ? { id } : {}), ...Object.fromEntries(values) })
    })
  return fc.oneof(
    fc.constantFrom(
      '{"type":"user"',
      '[]',
      '42',
      'null',
      '',
      '\r',
      '\ufeff{}',
      '{"type":"__proto__"}',
      '<<<<<<< HEAD',
    ),
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.string().map((line) => line.replaceAll('\n', ' ')),
    alike,
  )
}

/** Puts a value in one place of a record, anywhere in its depth; the number says which. */
function mutate(record: Record<string, unknown>, which: number, value: unknown): void {
  const places: [Record<string, unknown>, string][] = []
  const walk = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, inner] of Object.entries(node)) {
      places.push([node as Record<string, unknown>, key])
      walk(inner)
    }
  }
  walk(record)
  const [node, key] = places[which % places.length]!
  node[key] = value
}
