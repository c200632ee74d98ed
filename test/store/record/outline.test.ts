import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RECORD } from '../../../src/store/layout.ts'
import { isOutline, openWhole } from '../../../src/store/record/outline.ts'
import { readMessages } from '../../../src/store/record/read-messages.ts'
import { tempFolder } from '../sandbox.ts'

const TIME = '2026-01-01T00:00:00Z'

/** A conversation's folder with this messages.jsonl. */
function recordFolder(text: string): string {
  const folder = tempFolder()
  mkdirSync(dirname(join(folder, RECORD.messages)))
  writeFileSync(join(folder, RECORD.messages), text)
  return folder
}

test('law: an outline has no long text, and its whole message is the one that is read without outlines', () => {
  const text = fc.oneof(fc.string(), fc.constant('said — '.repeat(60)))
  const arbitrary = fc.oneof(
    fc.record({
      id: fc.uuid(),
      role: fc.constantFrom('user', 'tool'),
      content: text,
      timestamp: fc.constant(TIME),
    }),
    fc.record({
      ...{ id: fc.uuid(), role: fc.constant('assistant'), content: text, timestamp: fc.constant(TIME) },
      ...{ reasoning: text, seq: fc.nat(), zebra: fc.jsonValue() },
      tool_calls: fc.array(fc.record({ id: fc.string(), name: fc.string(), arguments: fc.jsonValue() })),
    }),
    fc.record({
      id: fc.uuid(),
      role: fc.constant('system'),
      content: text,
      timestamp: fc.constant(TIME),
      event: text,
    }),
    // A line of an older form, and one that is no message.
    fc.record({ role: fc.constant('user'), content: text, timestamp: fc.constant(TIME) }),
    fc.record({
      ...{ id: fc.uuid(), role: fc.constant('assistant'), content: text, timestamp: fc.constant(TIME) },
      tokens: fc.record({ count: fc.nat() }),
    }),
    fc.record({
      ...{ id: fc.uuid(), role: fc.constant('tool'), content: text, timestamp: fc.constant(TIME) },
      ...{ parentId: fc.uuid(), tool: fc.record({ callId: fc.uuid(), name: fc.string() }) },
    }),
    fc.record({ noise: text }),
  )
  const ends = fc.constantFrom('\n', '\r\n', '\n\n')
  fc.assert(
    fc.property(fc.array(fc.tuple(arbitrary, ends)), fc.boolean(), (lines, bom) => {
      const all = lines.map(([value, end]) => JSON.stringify(value) + end).join('')
      const folder = recordFolder(bom ? `\ufeff${all}` : all)
      const outlines = readMessages(folder, RECORD.messages, undefined, true)
      const whole = openWhole(folder)
      const read = readMessages(folder)
      expect(outlines.lines.map(whole.of)).toEqual(read.lines)
      expect({ ...outlines, lines: [] }).toEqual({ ...read, lines: [] })
      for (const line of outlines.lines.filter(isOutline)) expect(line.content).toBe('')
      whole.close()
    }),
    { numRuns: 150 },
  )
})

test('a record that is rewritten while it is read is reported, and no other message is shown instead', () => {
  const long = (id: string) =>
    `${JSON.stringify({ id, role: 'user', content: id.repeat(400), timestamp: TIME })}\n`
  const folder = recordFolder(long('a') + long('b'))
  const { lines } = readMessages(folder, RECORD.messages, undefined, true)
  const path = join(folder, RECORD.messages)
  writeFileSync(join(dirname(path), 'new'), long('b') + long('a'))
  renameSync(join(dirname(path), 'new'), path)
  const whole = openWhole(folder)
  expect(() => whole.of(lines[0]!)).toThrow(expect.objectContaining({ code: 'unreadable' }))
  whole.close()
})
