import { expect, test } from 'vitest'
import { redactMessages } from '../../src/redact/messages.ts'
import { said } from '../session/conversations.ts'

// Put together here, so that no scanner takes this file for a leak.
const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`
const key = `key ${secret}`

test.each([
  ['its text', { content: key }],
  [
    'a part of it',
    {
      content: [
        { type: 'text', text: 'see' },
        { type: 'text', text: key },
      ],
    },
  ],
  ['what the agent thought', { reasoning: key }],
  ['the input of a tool', { tool_calls: [{ id: 't', name: 'Bash', arguments: { env: [{ value: key }] } }] }],
  ['what a client added', { raw: { attachment: { lines: [key] } } }],
  ['the summary of a compaction', { summary: key }],
])('E-20 a secret in %s is replaced, and counted', (_, fields) => {
  const found = {}
  const [redacted] = redactMessages([said('m1', fields as Parameters<typeof said>[1])], found)
  expect(JSON.stringify(redacted)).not.toContain(secret)
  expect(JSON.stringify(redacted)).toMatch(/key \[REDACTED:github-token:/)
  expect(found).toEqual({ 'github-token': 1 })
})

test('E-20 secrets of one kind are counted over all messages; one without any is the same object', () => {
  const found = {}
  const plain = said('m3')
  const redacted = redactMessages([said('m1', { content: key }), said('m2', { content: key }), plain], found)
  expect(found).toEqual({ 'github-token': 2 })
  expect(redacted[2]).toBe(plain)
  expect(redacted[0]).toMatchObject({ id: 'm1', timestamp: plain.timestamp })
})
