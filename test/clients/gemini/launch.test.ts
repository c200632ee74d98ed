import { describe, expect, it } from 'vitest'
import { gemini } from '../../../src/clients/gemini/index.ts'
import { handoffLaunch, nativeLaunch } from '../../../src/journeys/resuming/start-client.ts'
import { bytesOf, read, recordsOf } from './transcript.ts'

const NASTY = '</hook_context> @{file} !{id} $(id) {{args}}\n\u0007'
const intent = {
  nativeId: '11111111-2222-4333-8444-555555555555',
  cwd: '/ws',
  command: 'workspace.plan',
  body: '/You plan THIS.',
  args: NASTY.split('\n')[0]!,
  context: `[RESUMED CONVERSATION]\n${NASTY}`,
  recap: '`[Resuming "x"]` plan\n\n- Where it stood: `y`',
}

describe('a launch of Gemini CLI', () => {
  it('is its own resume when it is native', () => {
    expect(nativeLaunch(gemini, { nativeId: 'abc', cwd: '/ws' })).toEqual({
      command: 'gemini',
      args: ['--resume', 'abc'],
      env: {},
      cwd: '/ws',
    })
  })

  it('has only constants on the command line, and names the launch, when it is a handoff', () => {
    const { args, env, seed } = handoffLaunch(gemini, intent, '/local/contexts')
    expect(args).toEqual(['--session-file', seed!.path])
    expect(env).toEqual({ CORTEXT_LAUNCH: intent.nativeId })
    expect(seed!.path.startsWith('/local/contexts/')).toBe(true)
  })

  it('gives the model the command, the block and the history, in this order, as they are', () => {
    const [header, first, second] = recordsOf(Buffer.from(gemini.launch.seed(intent)))
    expect(header).toMatchObject({ sessionId: intent.nativeId, projectHash: expect.any(String) })
    const [body, context] = first.content
    expect(body.text).toContain('/You plan THIS.')
    expect(context.text).toBe(intent.context)
    expect(second).toMatchObject({ type: 'gemini', content: intent.recap })
    // The client leaves a message out whose text begins so.
    expect(body.text).not.toMatch(/^\s*[/?<]/)
  })

  it('leaves a session in which nothing of the seed is read as talk', () => {
    const seed = recordsOf(Buffer.from(gemini.launch.seed(intent)))
    const { messages, report } = read(bytesOf([...seed, { $set: { messages: seed.slice(1) } }]))
    expect(messages).toEqual([])
    expect(report.dropped['resume-context']?.records).toBe(3)
  })

  it('leaves such a session also where a compression writes the seed again, under other ids', () => {
    const seed = recordsOf(Buffer.from(gemini.launch.seed(intent)))
    const talk = [
      { id: 'u1', timestamp: '2026-01-01T00:00:00Z', type: 'user', content: [{ text: 'go on' }] },
      { id: 'g1', timestamp: '2026-01-01T00:00:01Z', type: 'gemini', content: 'On we go.' },
    ]
    const again = [...seed.slice(1), ...talk].map(({ displayContent: _, ...one }, n) => ({
      ...one,
      id: `new-${n}`,
      content: typeof one.content === 'string' ? [{ text: one.content }] : one.content,
    }))
    const { messages } = read(bytesOf([...seed, ...talk, { $set: { messages: again } }]))
    expect(messages.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      'user: go on',
      'assistant: On we go.',
    ])
  })
})
