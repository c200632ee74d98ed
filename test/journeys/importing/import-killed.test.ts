import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type Lab, workspaceLab } from '../../helpers/workspace-lab.ts'

const DYING = fileURLToPath(new URL('../../helpers/dying.cjs', import.meta.url))
const ID = '44444444-2222-4333-8444-555555555555'
const DEATHS = 6

/** A transcript of three pieces: prompts, calls and answers, with long results. */
function transcript(): string {
  const lines: string[] = []
  const add = (turn: number, step: number, type: string, message: object) => {
    const uuid = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
    const at = turn * 4 + step
    const timestamp = new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString()
    const link = { parentUuid: at === 0 ? null : uuid(at - 1), uuid: uuid(at), sessionId: ID }
    lines.push(JSON.stringify({ ...link, type, message, timestamp }))
  }
  for (let turn = 0; turn < 60; turn++) {
    const call = {
      type: 'tool_use',
      id: `toolu_${turn}`,
      name: 'Read',
      input: { file_path: `/p/${turn}.ts` },
    }
    const result = {
      type: 'tool_result',
      tool_use_id: `toolu_${turn}`,
      content: `line ${turn}\n`.repeat(15_000),
    }
    const answer = (part: string, block: object, stop_reason: string) => ({
      ...{ id: `msg_${turn}${part}`, role: 'assistant', model: 'm', stop_reason, content: [block] },
    })
    add(turn, 0, 'user', { role: 'user', content: `Explain the outbox of order ${turn}` })
    add(turn, 1, 'assistant', answer('a', call, 'tool_use'))
    add(turn, 2, 'user', { role: 'user', content: [result] })
    add(
      turn,
      3,
      'assistant',
      answer('b', { type: 'text', text: `The outbox of ${turn} is a table.` }, 'end_turn'),
    )
  }
  return `${lines.join('\n')}\n`
}

interface Lines {
  id: string
  seq?: number
  event?: string
}

/** The messages of the record, without the line that a kill has torn, and what is said of the conversation. */
function saved(lab: Lab, path: string) {
  const read = (file: string) => readFileSync(join(lab.root, path, '.session', file), 'utf8')
  const lines = read('messages.jsonl')
    .split('\n')
    .flatMap((line): Lines[] => {
      try {
        return [JSON.parse(line)]
      } catch {
        return []
      }
    })
  const { status, context_summary, message_count, token_count, title } = JSON.parse(read('session.json'))
  const messages = lines.map(({ event, ...message }) => (event === 'started' ? { event } : message))
  return { messages, said: { status, context_summary, message_count, token_count, title } }
}

// promise: A long transcript of Claude
test('an import that was killed between any two pieces is finished by the next one', async () => {
  const begin = async () => {
    const lab = await workspaceLab()
    const file = join(lab.home, 'aside', `${ID}.jsonl`)
    mkdirSync(join(lab.home, 'aside'))
    writeFileSync(file, transcript())
    return { lab, args: ['import', 'claude', '--file', file, '--json'] }
  }
  const finish = async ({ lab, args }: Awaited<ReturnType<typeof begin>>) => {
    const { imported } = await lab.json<{ imported: [{ path: string }] }>(args)
    return saved(lab, imported[0].path)
  }
  const counted = await begin()
  const env = { NODE_OPTIONS: `--require ${DYING}` }
  const { stderr } = await counted.lab.cortext(counted.args, { env: { ...env, COUNT: '1' } })
  const steps = Number(/^(\d+)$/m.exec(stderr)?.[1])
  const whole = await finish(counted)
  expect(whole.said).toMatchObject({ status: 'paused', message_count: 180 })
  for (let death = 1; death <= DEATHS; death++) {
    const killed = await begin()
    // Lines about the progress are steps too, and there are more of them on a busy machine.
    const at = Math.floor((steps * death) / (2 * DEATHS))
    const { code } = await killed.lab.cortext(killed.args, { env: { ...env, DIE_AT: `${at}` } })
    expect(code, `killed at step ${at} of ${steps}`).not.toBe(0)
    expect(await finish(killed), `killed at step ${at} of ${steps}`).toEqual(whole)
  }
}, 300_000)
