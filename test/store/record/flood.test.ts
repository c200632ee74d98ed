import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countProblems } from '../../../src/conversation/read.ts'
import { MAX_LISTED } from '../../../src/store/record/problem.ts'
import { readRawLines } from '../../../src/store/record/read-lines.ts'
import { readMessages } from '../../../src/store/record/read-messages.ts'
import { tempFolder } from '../sandbox.ts'

const line = (id: string) =>
  JSON.stringify({ id, role: 'user', content: `said by ${id}`, timestamp: '2026-01-01T00:00:00Z' })

function read(text: string) {
  const folder = tempFolder()
  writeFileSync(join(folder, 'm.jsonl'), text)
  return readMessages(folder, 'm.jsonl')
}

/** Lines that are no messages: short ones, one that a message might be as long as, and git's markers. */
const junk = fc.constantFrom(
  '0',
  '{}',
  '{"a',
  '[]',
  '=======',
  '<<<<<<< x',
  `{"a":"${'a'.repeat(60)}"}`,
  'x'.repeat(80),
)

// promise: what is no message is counted and not kept, such a title is cut, and the type is left out
test('law: however many lines are no messages, the messages are read, all others are counted, and few are listed', () => {
  const flood = fc.record({ line: junk, times: fc.constantFrom(1, 30, 1500) })
  fc.assert(
    fc.property(fc.array(fc.oneof(flood, fc.constant('message' as const)), { maxLength: 8 }), (parts) => {
      let ids = 0
      const lines = parts.flatMap((part) =>
        part === 'message' ? [line(`m${ids++}`)] : Array<string>(part.times).fill(part.line),
      )
      const { lines: messages, problems, places } = read(lines.map((one) => `${one}\n`).join(''))
      expect(messages.map(({ id }) => id)).toEqual(Array.from({ length: ids }, (_, id) => `m${id}`))
      expect(places).toEqual(lines.flatMap((one, place) => (one.includes('said by') ? [place] : [])))
      expect(countProblems(problems)).toBe(lines.length - ids)
      expect(problems.length).toBeLessThanOrEqual(MAX_LISTED * new Set(problems.map(({ kind }) => kind)).size)
    }),
    { numRuns: 60 },
  )
})

test('a file that is full of lines too short for messages is not taken apart', () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'm.jsonl'), '0\n'.repeat(500_002))
  expect(() => readRawLines(folder, 'm.jsonl')).toThrow(/too short for messages/)
  writeFileSync(join(folder, 'm.jsonl'), `${line('m')}\n`.repeat(3))
  expect(readRawLines(folder, 'm.jsonl')).toHaveLength(3)
})
