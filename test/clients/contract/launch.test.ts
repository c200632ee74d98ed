import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Handoff } from '../../../src/clients/contract/launch.ts'
import { handoffLaunch, nativeLaunch } from '../../../src/journeys/resuming/start-client.ts'
import { everyClient, HOSTILE } from './every-client.ts'

const MAX = 64 * 1024
const handoff = (changes: Partial<Handoff>): Handoff => ({
  nativeId: '11111111-2222-4333-8444-555555555555',
  cwd: '/ws',
  command: 'workspace.plan',
  body: 'Plan THIS.',
  args: 'API design',
  context: '[RESUMED CONVERSATION]',
  recap: '[Resuming "API design"]',
  ...changes,
})
const words = fc.oneof(fc.string({ unit: 'binary' }), fc.constant(HOSTILE))

describe.each(everyClient)('a launch of $id', (client) => {
  it('is its own program, in the folder, with the session to continue', () => {
    const spec = nativeLaunch(client, { nativeId: 'abc', cwd: '/ws' })
    expect(spec).toMatchObject({ command: client.id, cwd: '/ws' })
    expect(spec).not.toHaveProperty('seed')
    expect(spec.args).toContain('abc')
  })

  it('is the same for the same intent, and contains text of the record only in its seed (E-4)', () => {
    const handed = (intent: Handoff) => {
      const { seed, ...spec } = handoffLaunch(client, intent, '/local/contexts')
      return { ...spec, path: seed!.path }
    }
    const plain = handed(handoff({}))
    fc.assert(
      fc.property(words, words, words, (args, context, recap) => {
        const intent = handoff({ args, context, recap })
        expect(client.launch.seed(intent)).toBe(client.launch.seed(intent))
        expect(handed(intent)).toEqual(plain)
      }),
    )
  })

  it('either gives the client the file of its seed, or puts it among the sessions', () => {
    const { args, seed } = handoffLaunch(client, handoff({}), '/local/contexts')
    expect(args.includes(seed!.path)).toBe(client.launch.place === undefined)
  })

  it('hands the instructions, the context and the recap over, verbatim and once, in this order', () => {
    const intent = handoff({
      args: HOSTILE,
      context: `BLOCK\n${HOSTILE}`,
      recap: '`[Resuming "it"]` plan\n\n- Where it stood: `REST`',
    })
    const given = textsIn(client.launch.seed(intent))
    const parts = [intent.body, intent.context, intent.recap]
    const places = parts.map((part) => given.findIndex((text) => text.includes(part)))
    expect(places).not.toContain(-1)
    expect(places).toEqual([...places].sort((a, b) => a - b))
    const [instructions, context, recap] = parts.map((part) => given.filter((text) => text.includes(part)))
    expect([instructions, context].map((texts) => texts?.length)).toEqual([1, 1])
    // Codex CLI keeps what the screen shows apart from what the model reads.
    expect(new Set(recap).size).toBe(1)
  })

  it('has no empty part in place of instructions, for a conversation without any (S1-003i)', () => {
    const body = 'THE INSTRUCTIONS'
    const [without, all] = ['', body].map((text) => textsIn(client.launch.seed(handoff({ body: text }))))
    const isEmpty = (text: string) => text.trim() === ''
    expect(without!.filter(isEmpty)).toEqual(all!.filter((text) => isEmpty(text)))
    expect(without!.join('\n')).not.toMatch(/^\s*\n|\[\/workspace\.plan\]\s/)
    expect(without!.filter((text) => text.includes('[RESUMED CONVERSATION]'))).toHaveLength(1)
  })

  it('fits on a command line, whatever the history contains', () => {
    const intent = handoff({ context: HOSTILE.repeat(10e6 / HOSTILE.length), args: HOSTILE.repeat(99) })
    const spec = handoffLaunch(client, intent, '/local/contexts')
    const line = [spec.command, ...spec.args, ...Object.entries(spec.env).flat()].join('\0')
    expect(Buffer.byteLength(line)).toBeLessThan(MAX)
    expect(textsIn(spec.seed!.content).reduce((sum, text) => sum + text.length, 0)).toBeGreaterThan(9e6)
  })
})

/** All texts in a seed, which is JSON or a line of it each. */
function textsIn(seed: string): string[] {
  return seed
    .split('\n')
    .filter(Boolean)
    .flatMap((line) => textsOf(JSON.parse(line)))
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}
