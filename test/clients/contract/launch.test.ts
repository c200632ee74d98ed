import { isAbsolute, relative } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Handoff, LaunchSpec } from '../../../src/clients/contract/launch.ts'
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
  folder: '/local/contexts',
  ...changes,
})
const words = fc.oneof(fc.string({ unit: 'binary' }), fc.constant(HOSTILE))

describe.each(everyClient)('a launch of $id', (client) => {
  it('is its own program, in the folder, with the session to continue', () => {
    const spec = client.launch.native({ nativeId: 'abc', cwd: '/ws' })
    expect(spec).toMatchObject({ command: client.id, cwd: '/ws', files: [] })
    expect(spec.args).toContain('abc')
  })

  it('is the same for the same intent, and contains text of the record only in its files (E-4)', () => {
    const plain = client.launch.handoff(handoff({}))
    fc.assert(
      fc.property(words, words, words, (args, context, recap) => {
        const intent = handoff({ args, context, recap })
        const spec = client.launch.handoff(intent)
        expect(client.launch.handoff(intent)).toEqual(spec)
        expect({ ...spec, files: spec.files.map(({ path }) => path) }).toEqual({
          ...plain,
          files: plain.files.map(({ path }) => path),
        })
      }),
    )
  })

  it('has files below the folder it may use, whatever the id is', () => {
    const spec = client.launch.handoff(handoff({}))
    expect(spec.files.length).toBeGreaterThan(0)
    for (const { path } of spec.files) {
      expect(isAbsolute(path)).toBe(true)
      expect(relative('/local/contexts', path)).not.toMatch(/^\.\.|\//)
    }
  })

  it('hands the instructions, the context and the recap over, verbatim and once, in this order', () => {
    const intent = handoff({
      args: HOSTILE,
      context: `BLOCK\n${HOSTILE}`,
      recap: '`[Resuming "it"]` plan\n\n- Where it stood: `REST`',
    })
    const given = textsIn(client.launch.handoff(intent))
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
    const [without, all] = ['', body].map((text) => textsIn(client.launch.handoff(handoff({ body: text }))))
    const isEmpty = (text: string) => text.trim() === ''
    expect(without!.filter(isEmpty)).toEqual(all!.filter((text) => isEmpty(text)))
    expect(without!.join('\n')).not.toMatch(/^\s*\n|\[\/workspace\.plan\]\s/)
    expect(without!.filter((text) => text.includes('[RESUMED CONVERSATION]'))).toHaveLength(1)
  })

  it('fits on a command line, whatever the history contains', () => {
    const spec = client.launch.handoff(
      handoff({ context: HOSTILE.repeat(10e6 / HOSTILE.length), args: HOSTILE.repeat(99) }),
    )
    const line = [spec.command, ...spec.args, ...Object.entries(spec.env).flat()].join('\0')
    expect(Buffer.byteLength(line)).toBeLessThan(MAX)
    expect(textsIn(spec).reduce((sum, text) => sum + text.length, 0)).toBeGreaterThan(9e6)
  })
})

/** All texts in the files of a launch, which hold JSON or a line of it each. */
function textsIn({ files }: LaunchSpec): string[] {
  return files
    .flatMap(({ content }) => content.split('\n').filter(Boolean))
    .flatMap((line) => textsOf(JSON.parse(line)))
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}
