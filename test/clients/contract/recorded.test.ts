import { describe, expect, it } from 'vitest'
import { livePath } from '../../../src/session/live-path.ts'
import type { Message } from '../../../src/session/schema.ts'
import { everyClient, everyFixture } from './every-client.ts'

/** What `npm run record-fixtures` makes of each real client: the same talk, so the same must be read. */
const recorded = everyFixture.filter(({ title }) => title.endsWith('/recorded'))

const TALK = [
  'user: /workspace.brainstorm API design',
  'user: read the note',
  'assistant: It says THE NOTE.',
  'user: two at once',
  'assistant: Both done.',
  'user: one that fails',
  'assistant: It failed.',
  'user: send an agent',
  'assistant: The agent is back.',
  'user: said instead',
  'assistant: Better.',
  'user: never answered',
  'user: last words',
  'assistant: Goodbye.',
]
/** What is not said with a client that has no subagents. */
const OF_SUBAGENT = ['user: send an agent', 'assistant: The agent is back.']
const TAKEN_BACK = ['user: to be taken back', 'assistant: Not for long.']

it('there is a recording of every version that was tested', () => {
  const tested = everyClient
    .filter(({ id }) => id !== 'tiny')
    .flatMap(({ id, tested }) => tested.map((version) => `${id}/${version}/recorded`))
  expect(recorded.map(({ title }) => title).sort()).toEqual(tested.sort())
})

describe.each(recorded)('the talk that was held with $title', ({ client, raw }) => {
  const { messages, subagents, facts } = client.reading.read(raw)
  const live = livePath(messages)
  const alone = client.tools.noSubagents === true

  it('is there in order, and what was taken back is not on its path (S2-3)', () => {
    const talk = alone ? TALK.filter((line) => !OF_SUBAGENT.includes(line)) : TALK
    expect(lines(live).filter((line) => TALK.includes(line))).toEqual(talk)
    const kept = client.reading.removesTakenBack === true ? [] : TAKEN_BACK
    expect(lines(messages).filter((line) => TAKEN_BACK.includes(line))).toEqual(kept)
    expect(messages.filter(({ event }) => event === 'rewound')).not.toEqual([])
    for (const line of TAKEN_BACK) expect(lines(live)).not.toContain(line)
  })

  it('has each tool with its output, and marks the one that failed (S3-W1)', () => {
    const results = messages.filter(({ tool_call_id }) => tool_call_id !== undefined)
    const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls)
    expect(results.map(({ tool_call_id }) => tool_call_id).sort()).toEqual(calls.map(({ id }) => id).sort())
    const failed = [false, false, false, true, ...(alone ? [] : [false])]
    expect(results.map(({ is_error }) => is_error === true)).toEqual(failed)
    expect(textOf(results[0]!)).toContain('THE NOTE')
  })

  it('has what the model thought', () => {
    expect(messages.map(({ reasoning }) => reasoning)).toContain('It lies there.')
  })

  it.skipIf(alone)('has what the subagent said, by its call', () => {
    const [call] = Object.keys(subagents)
    expect(Object.keys(subagents)).toHaveLength(1)
    const caller = messages.find(({ tool_calls = [] }) => tool_calls.some(({ id }) => id === call))
    const prompts = messages.filter(({ role }) => role === 'user')
    expect(textOf(prompts.findLast(({ seq }) => seq! < caller!.seq!)!)).toBe('send an agent')
    expect(JSON.stringify(subagents)).toContain('I looked around.')
  })

  it('has the compaction with a summary, once, and knows that its last turn is over', () => {
    const compactions = messages.filter(({ event }) => event === 'compacted')
    expect(compactions.map(({ summary }) => summary)).toEqual([
      expect.stringMatching(/scripted|The summary below/i),
    ])
    expect(facts).toMatchObject({ settled: true, model: expect.any(String) })
  })
})

function lines(messages: readonly Message[]): string[] {
  // Clients without slash commands of one's own call a skill.
  const typed = (text: string) => text.replace(/^\$workspace[-:]/, '/workspace.')
  return messages.map((message) => `${message.role}: ${typed(textOf(message))}`)
}

function textOf({ content }: Message): string {
  return typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('')
}
