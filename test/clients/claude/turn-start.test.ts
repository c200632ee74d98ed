import { describe, expect, it } from 'vitest'
import { claude } from '../../../src/clients/claude/index.ts'
import { answer, bytesOf, call, read, record, result, SAMPLES, sample, text, user } from './transcript.ts'

const asked = { stop_reason: 'tool_use' }
const rest = [user('u1', null, 'one'), answer('a1', 'u1', 'm1', text('first'))]
const working = answer('a2', 'u2', 'm2', call('t2', 'Bash', { command: 'cortext stop' }), asked)
const system = (uuid: string, parent: string, subtype: string, fields: object = {}) =>
  record(uuid, parent, { type: 'system', subtype, ...fields })

/** The index of the record with which the running turn begins; the number of records when it is not written. */
function startOf(records: readonly object[]): number {
  let left = claude.reading.turnStart(bytesOf(records))
  const index = records.findIndex((one) => {
    if (left === 0) return true
    left -= bytesOf([one]).length
    return false
  })
  expect(left).toBe(0)
  return index === -1 ? records.length : index
}

describe('where the running turn begins', () => {
  it('agrees with the reading, wherever real transcripts end', () => {
    for (const name of SAMPLES.filter((one) => one !== 'slash-permission-denied')) {
      const bytes = sample(name)
      const starts = [0, ...[...bytes.entries()].flatMap(([at, byte]) => (byte === 10 ? [at + 1] : []))]
      for (const end of starts) {
        const { messages, facts } = read(bytes.subarray(0, end))
        const prompt = messages.findLast(({ role }) => role === 'user')
        const expected = facts.settled || prompt === undefined ? end : starts[prompt.seq!]
        expect([name, end, claude.reading.turnStart(bytes.subarray(0, end))]).toEqual([name, end, expected])
      }
    }
  })

  it('is at the prompt, while tools are at work', () => {
    const turn = [...rest, user('u2', 'a1', 'two'), working]
    expect(startOf(turn.slice(0, 3))).toBe(2)
    expect(startOf(turn)).toBe(2)
    expect(startOf([...turn, user('r2', 'a2', result('t2', 'ok'))])).toBe(2)
    const more = answer('a3', 'r2', 'm3', text('and'), { stop_reason: null })
    expect(startOf([...turn, user('r2', 'a2', result('t2', 'ok')), more])).toBe(2)
  })

  it('is at a slash command, not at its body', () => {
    const typed = '<command-message>w.stop</command-message>\n<command-name>/w.stop</command-name>'
    const body = user('u3', 'u2', [text('Body')], { isMeta: true })
    expect(startOf([...rest, user('u2', 'a1', typed), body])).toBe(2)
    expect(startOf([...rest, user('u2', 'a1', typed), body, { ...working, parentUuid: 'u3' }])).toBe(2)
  })

  it('is at a prompt of an image, not at what the client adds to it or says by itself', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: '' } }
    const aside = text('<system-reminder>x</system-reminder>')
    expect(startOf([...rest, user('u2', 'a1', [aside, image])])).toBe(2)
    expect(startOf([...rest, user('u2', 'a1', [aside])])).toBe(3)
  })

  it('is at the end where the last turn is over, however it ended', () => {
    const interrupted = user('u4', 'a2', [text('[Request interrupted by user for tool use]')])
    const synthetic = record('s1', 'u2', {
      type: 'assistant',
      message: { model: '<synthetic>', content: [text('No response requested.')] },
    })
    const two = [...rest, user('u2', 'a1', 'two')]
    const silent = answer('a2', 'u2', 'm2', text('done'), { stop_reason: null })
    for (const ended of [
      rest,
      [...two, working, interrupted],
      [...two, synthetic],
      [...two, silent, system('d1', 'a2', 'turn_duration')],
    ])
      expect(startOf(ended)).toBe(ended.length)
  })

  it('is at the next prompt after an interruption', () => {
    const interrupted = user('u4', 'u2', [text('[Request interrupted by user]')])
    const lines = [...rest, user('u2', 'a1', 'two'), interrupted, user('u5', 'u4', 'three')]
    expect(startOf(lines)).toBe(4)
  })

  it('is at the prompt of the turn, not at one that was typed meanwhile', () => {
    const queued = record('q1', 'a2', {
      type: 'attachment',
      attachment: { type: 'queued_command', prompt: 'and stop', commandMode: 'prompt' },
    })
    const enqueue = { type: 'queue-operation', operation: 'enqueue', content: 'and stop' }
    expect(startOf([...rest, user('u2', 'a1', 'two'), working, enqueue, queued])).toBe(2)
  })

  it('is not at the summary of a compaction, between turns or within one', () => {
    const boundary = { ...system('c1', '', 'compact_boundary'), parentUuid: null }
    const summary = user('c2', 'c1', 'In short: …', { isCompactSummary: true })
    const caveat = user('c3', 'c2', '<local-command-caveat>x</local-command-caveat>', { isMeta: true })
    const command = user('c4', 'c3', '<command-name>/compact</command-name>')
    const output = user('c5', 'c4', '<local-command-stdout>Compacted</local-command-stdout>')
    expect(startOf([...rest, boundary, summary, caveat, command, output])).toBe(7)
    expect(
      startOf([...rest, user('u2', 'a1', 'two'), boundary, summary, { ...working, parentUuid: 'c2' }]),
    ).toBe(2)
  })

  it('is at a command to the client that the model works on, and not at one that was typed meanwhile', () => {
    const typed = (name: string) =>
      `<command-name>/${name}</command-name>\n<command-args>ship it</command-args>`
    const goal = [...rest, user('u2', 'a1', typed('goal')), user('u3', 'u2', 'Body', { isMeta: true })]
    expect(startOf(goal)).toBe(4)
    expect(startOf([...goal, { ...working, parentUuid: 'u3' }])).toBe(2)
    const meanwhile = [...rest, user('u2', 'a1', 'two'), working, user('u3', 'a2', typed('rename'))]
    expect(startOf([...meanwhile, answer('a3', 'u3', 'm3', call('t3', 'Bash'), asked)])).toBe(2)
  })

  it('is not at a shell command, unless the model answers it', () => {
    const shell = [
      user('u2', 'a1', '<bash-input>ls</bash-input>'),
      user('u3', 'u2', '<bash-stdout>x</bash-stdout><bash-stderr></bash-stderr>'),
    ]
    expect(startOf([...rest, ...shell])).toBe(4)
    expect(startOf([...rest, ...shell, { ...working, parentUuid: 'u3' }])).toBe(2)
  })

  it('needs no prompt: a background task or a hook can wake the model', () => {
    const note = user('u2', 'a1', '<task-notification>done</task-notification>')
    expect(startOf([...rest, note, working])).toBe(2)
    expect(startOf([...rest, { ...note, isMeta: true }, working])).toBe(2)
    const hook = user('u2', 'a1', 'Stop hook feedback: go on', { isMeta: true })
    expect(startOf([...rest, hook, working])).toBe(3)
  })

  it('is above an answer that was written above its prompt', () => {
    const prompt = user('u2', 'a1', 'two')
    expect(startOf([...rest, working, prompt])).toBe(2)
    expect(startOf([...rest, answer('a2', 'u2', 'm2', text('done')), prompt])).toBe(4)
  })

  it('is not at what a subagent, the hand-off or damage left', () => {
    const seed = { ...user('s1', null, 'seed'), cortext: { seed: true } }
    const side = { ...user('s2', 's1', 'agent'), isSidechain: true }
    expect(startOf([seed])).toBe(1)
    expect(startOf([...rest, side])).toBe(3)
    const torn = Buffer.concat([bytesOf(rest), Buffer.from('{"type":"user","mess')])
    expect(claude.reading.turnStart(torn)).toBe(torn.length)
    expect(claude.reading.turnStart(new Uint8Array())).toBe(0)
  })

  it('is found in 5 MB, near the end and far from it', () => {
    const past = Array.from({ length: 40 }, (_, n) => [
      user(`p${n}`, n === 0 ? null : `q${n - 1}`, 'x'.repeat(60_000)),
      answer(`q${n}`, `p${n}`, `m${n}`, text('y'.repeat(60_000))),
    ]).flat()
    expect(startOf([...past, user('u2', 'q39', 'two'), { ...working, parentUuid: 'u2' }])).toBe(80)
    expect(startOf(past)).toBe(80)
    const results = Array.from({ length: 80 }, (_, n) =>
      user(`r${n}`, 'a2', result('t2', 'z'.repeat(60_000))),
    )
    expect(startOf([...rest, user('u2', 'a1', 'two'), working, ...results])).toBe(2)
    expect(startOf([...rest, ...results])).toBe(82)
  })
})
