import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Bounds, boundContents } from '../../../src/conversation/segments/bound-contents.ts'
import { textOf } from '../../../src/session/live-path.ts'
import { said, text } from '../../session/conversations.ts'

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

function bound(content: Parameters<typeof said>[1], bounds: Bounds) {
  const blobs = new Map<string, Uint8Array | string>()
  const [message] = boundContents([said('r', { role: 'tool', ...content })], bounds, blobs)
  return { message: message!, blobs }
}

describe('boundContents', () => {
  test('law: a result within the bound stays as it is; of a longer one head and tail stay around a marker', () => {
    const bounds = fc.record({
      toolOutput: fc.oneof(fc.constantFrom('full' as const, 'metadata' as const), fc.nat(4000)),
      inline: fc.nat(4000),
    })
    const content = fc.tuple(text, text, text).map((parts) => parts.join(''))
    fc.assert(
      fc.property(content, bounds, (whole, { toolOutput, inline }) => {
        const { message, blobs } = bound({ content: whole }, { toolOutput, inline })
        const bytes = Buffer.from(whole)
        const allowed =
          toolOutput === 'full' ? Number.POSITIVE_INFINITY : toolOutput === 'metadata' ? 0 : toolOutput
        const limit = Math.min(inline, allowed)
        if (bytes.length <= limit) {
          expect(message).toEqual(said('r', { role: 'tool', content: whole }))
          expect(blobs.size).toBe(0)
          return
        }
        const hash = sha256(bytes)
        expect(message.truncated).toEqual({ bytes: bytes.length, sha256: hash })
        expect([...blobs]).toEqual(bytes.length <= allowed ? [[hash, whole]] : [])
        const marker = `[… ${bytes.length} bytes in all, sha256 ${hash} …]`
        const kept = message.content as string
        expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(Math.max(limit, Buffer.byteLength(marker)))
        const [head = '', tail = ''] = kept.split(marker)
        const readable = bytes.toString()
        expect(readable.startsWith(head.slice(0, -1))).toBe(true)
        expect(readable.endsWith(tail.slice(1))).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  test('keeps 64 KiB whole; of more, 8 KiB of head and of tail, never half a character', () => {
    const bounds: Bounds = { toolOutput: 'full', inline: 64 * 1024 }
    expect(bound({ content: 'x'.repeat(64 * 1024) }, bounds).message).not.toHaveProperty('truncated')
    const { message } = bound({ content: '日本語😀'.repeat(10_000) }, bounds)
    expect(message.content).toMatch(
      /^(日本語😀)+日?本?語?\n\[… 130000 bytes in all, sha256 [0-9a-f]{64} …\]\n本?語?😀?(日本語😀)+$/u,
    )
    expect(Buffer.byteLength(message.content as string)).toBeGreaterThan(16 * 1024 - 20)
  })

  test('bounds the text of parts, and keeps pictures', () => {
    const parts = [
      { type: 'text', text: 'a'.repeat(500) },
      { type: 'image', sha256: '0' },
      { type: 'text', text: 'b'.repeat(500) },
    ]
    const { message, blobs } = bound({ content: parts }, { toolOutput: 'full', inline: 400 })
    expect(message.content).toEqual([
      { type: 'text', text: expect.stringMatching(/^a+\n\[….*…\]\nb+$/) },
      parts[1],
    ])
    const whole = `${'a'.repeat(500)}\n${'b'.repeat(500)}`
    expect(message.truncated).toEqual({ bytes: 1001, sha256: sha256(whole) })
    expect(Buffer.from([...blobs.values()][0]!).toString()).toBe(whole)
    expect(textOf(message).length).toBeLessThanOrEqual(400)
  })

  test('never cuts what people and agents said', () => {
    for (const role of ['user', 'assistant', 'system'] as const)
      expect(
        bound({ role, content: 'x'.repeat(99) }, { toolOutput: 'metadata', inline: 0 }).message.content,
      ).toHaveLength(99)
  })
})
