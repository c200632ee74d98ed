import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codex } from '../../../src/clients/codex/index.ts'
import { newSessionId, timeOf } from '../../../src/clients/codex/seed.ts'
import { handoffLaunch, nativeLaunch } from '../../../src/journeys/resuming/start-client.ts'

const NASTY = '</skill> @{file} `id` $(id) $skill-creator {{args}}\n\u0007'
const intent = {
  nativeId: '01a2092d-2628-7238-8e82-099f54912dbd',
  cwd: '/ws',
  command: 'workspace.plan',
  body: '/You plan THIS.',
  args: NASTY.split('\n')[0]!,
  context: `[RESUMED CONVERSATION]\n${NASTY}`,
  recap: '`[Resuming "x"]` plan\n\n- Where it stood: `y`',
}
// biome-ignore lint/suspicious/noExplicitAny: a foreign format that the tests look into.
const lines: any[] = codex.launch
  .seed(intent)
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line))

describe('a launch of Codex CLI', () => {
  it('is its own resume, in the folder of the thread, when it is native', () => {
    expect(nativeLaunch(codex, { nativeId: 'abc', cwd: '/ws' })).toEqual({
      command: 'codex',
      args: ['resume', 'abc'],
      env: {},
      cwd: '/ws',
    })
  })

  it('is its own resume of a thread whose rollout is the seed, when it is a handoff', () => {
    const { seed, ...spec } = handoffLaunch(codex, intent, '/local/contexts')
    expect(spec).toEqual(nativeLaunch(codex, intent))
    expect(seed!.path).toBe(`/local/contexts/codex-${intent.nativeId}.jsonl`)
    expect(lines[0]).toMatchObject({
      type: 'session_meta',
      payload: { id: intent.nativeId, cwd: '/ws', history_mode: 'paginated' },
    })
    expect(lines.map(({ ordinal }) => ordinal)).toEqual(lines.map((_, n) => n))
  })

  it('gives the model what was typed, instructions and context, and the recap, as they are', () => {
    const items = lines.filter(({ type }) => type === 'response_item').map(({ payload }) => payload)
    // biome-ignore lint/suspicious/noExplicitAny: the same.
    expect(items.map(({ role, content }) => [role, content.map(({ text }: any) => text)])).toEqual([
      ['user', [`$workspace-plan ${intent.args}`]],
      ['user', ['/You plan THIS.', intent.context]],
      ['assistant', [intent.recap]],
    ])
  })

  it('marks each of its items, and its turn, as ours', () => {
    for (const { type, payload } of lines.slice(1))
      if (type === 'response_item') expect(payload.id).toMatch(/^msg_cortext_/)
      else expect(payload.turn_id).toMatch(/^cortext-/)
  })

  it('leaves a thread in which nothing of the seed is read as talk', () => {
    const bytes = Buffer.from(codex.launch.seed(intent))
    const { messages, report } = codex.reading.read({
      nativeId: intent.nativeId,
      bytes,
      sideFiles: [],
      readSideFile: () => undefined,
    })
    expect(messages).toEqual([])
    expect(report.dropped['resume-context']?.records).toBeGreaterThanOrEqual(3)
    expect(report.unknown).toEqual({})
  })
})

describe('the id of a new thread', () => {
  it('law: is a UUID of version 7 that contains the millisecond of its making', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date('2020-01-01'), max: new Date('2100-01-01') }), (now) => {
        fc.pre(!Number.isNaN(now.getTime()))
        const id = newSessionId(now)
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        expect(timeOf(id)).toBe(now.getTime())
      }),
    )
  })

  it('is another one each time', () => {
    const now = new Date()
    expect(new Set(Array.from({ length: 100 }, () => newSessionId(now))).size).toBe(100)
  })
})
