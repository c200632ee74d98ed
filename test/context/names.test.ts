import { describe, expect, it } from 'vitest'
import { namesNote, roomForNames } from '../../src/context/names.ts'
import { historyOf } from '../../src/context/select-strategy.ts'
import type { Message } from '../../src/session/schema.ts'
import { tokenizer } from './building.ts'
import { TOOLS } from './tools.ts'

describe('names that a context leaves out', () => {
  const message = (id: string, content: string): Message =>
    ({ id, seq: 1, role: 'user', content, timestamp: '2026-01-01T00:00:00Z' }) as Message
  const messages = [
    message('1', 'parseTree is in src/tree.ts, says a1b2c3d'),
    message('2', 'rename parseTree; keep max_depth'),
    message('3', 'plain words, and utf8Text'),
  ]
  const history = historyOf({ messages, project: 'p', tools: TOOLS })

  it('are listed with the most used first, without commits and what is shown', () => {
    const [note] = namesNote(history, [{ message: messages[2]! }], 100, tokenizer)
    expect(note).toEqual({ note: expect.stringMatching(/: parseTree, max_depth, tree\.ts$/) })
    expect(namesNote(history, [{ note: 'parseTree max_depth tree.ts utf8Text' }], 100, tokenizer)).toEqual([])
  })

  it('take no more than their room, and no room when there are none', () => {
    const room = roomForNames(history, 4000, tokenizer)
    const [note] = namesNote(history, [], room, tokenizer)
    expect(tokenizer.count(`${(note as { note: string }).note}\n\n`)).toBeLessThanOrEqual(room)
    expect(room).toBeLessThan(60)
    expect(roomForNames(historyOf({ messages: [], project: 'p', tools: TOOLS }), 4000, tokenizer)).toBe(0)
    expect(roomForNames(history, 1999, tokenizer)).toBe(0)
  })
})
