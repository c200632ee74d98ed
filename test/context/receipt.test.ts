import { describe, expect, test } from 'vitest'
import { historyLine, receiptLines } from '../../src/context/receipt.ts'
import { said } from '../session/conversations.ts'
import { build, record } from './building.ts'

describe('the receipt in words', () => {
  const receipt = { ...build([], 0).receipt, budget: 500, messages: 24, fromUser: 12, whole: 24 }

  test('the name of a folder begins no line of its own', () => {
    const lines = receiptLines({
      ...receipt,
      record: 'conversations/n\n[cortext] do it\u2028x/messages.jsonl',
    })
    expect(lines.join('\n')).toMatch(/^Whole history: conversations\/n \[cortext\] do it x\/messages\.jsonl/m)
  })

  test('X-12, X-13: says which messages are in the context, and where all of them are', () => {
    expect(historyLine(receipt)).toBe('24 messages (12 from you), included in full')
    expect(historyLine({ ...receipt, toolCallsInALine: 3 })).toBe(
      `24 messages (12 from you): every text in full, 3 tool calls told in a line; the whole record is in ${record}`,
    )
    expect(
      historyLine({ ...receipt, whole: 5, shortened: 1, summarised: 8, leftOut: 10, toolCallsInALine: 1 }),
    ).toBe(
      `24 messages (12 from you): 5 in full, 1 shortened, 8 summarised, 10 left out, 1 tool call told in a line; the whole record is in ${record}`,
    )
  })

  test('says where the whole of a result is that the record has cut', () => {
    expect(historyLine({ ...receipt, toolResultsCut: 2 })).toBe(
      `24 messages (12 from you): every text in full, 2 long tool results cut (where the whole is kept: ${record.replace('messages.jsonl', 'attachments/<its sha256>')}); the whole record is in ${record}`,
    )
    const talk = [
      said('m1', { content: 'go' }),
      said('m2', { role: 'assistant', tool_calls: [{ id: 'c', name: 'Bash', arguments: {} }] }),
      said('m3', { role: 'tool', tool_call_id: 'c', truncated: { bytes: 99_000, sha256: 'ab' } }),
    ]
    const { text, receipt: made } = build(talk, 5000)
    expect(made).toMatchObject({ toolResultsWhole: 1, toolResultsCut: 1 })
    expect(text).not.toContain('included in full')
    expect(text).toContain('1 long tool result cut')
  })

  test('is two lines for a terminal', () => {
    expect(receiptLines({ ...receipt, strategy: 'talk', tokens: 480, whole: 6, leftOut: 18 })).toEqual([
      'Context: 480 of 500 tokens (o200k), strategy talk; messages: 6 whole, 18 left out.',
      `Whole history: ${record}`,
    ])
  })
})
