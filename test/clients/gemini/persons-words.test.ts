import { expect, it } from 'vitest'
import { read, script } from './transcript.ts'

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()

/** A call as the client writes it once it has ended, and the answer behind it. */
function answered(name: string, args: object, output: string, alone = false) {
  const response = [{ functionResponse: { id: 'c1', name, response: { output } } }]
  const called = {
    id: 'c1',
    name,
    args,
    status: 'success',
    timestamp: at(3),
    ...(alone ? {} : { result: response }),
  }
  return read([
    { sessionId: 'native', projectHash: '1', startTime: at(0), lastUpdated: at(0), kind: 'main' },
    { id: 'u1', timestamp: at(1), type: 'user', content: [{ text: 'go' }] },
    { id: 'a1', timestamp: at(2), type: 'gemini', content: '', thoughts: [], toolCalls: [called] },
    ...(alone ? [{ id: 'r1', timestamp: at(4), type: 'user', content: response }] : []),
    { id: 'a2', timestamp: at(5), type: 'gemini', content: 'Well.', thoughts: [] },
  ])
}

const QUESTIONS = {
  questions: [
    { question: 'Which one?', type: 'text' },
    { question: 'Why?', type: 'text' },
  ],
}
const ANSWERS = '{"answers":{"0":"Postgres","1":""}}'

it.each([false, true])(
  'what a person answers to questions is theirs (in a record of its own: %s)',
  (alone) => {
    const reading = answered('ask_user', QUESTIONS, ANSWERS, alone)
    expect(script(reading)).toEqual([
      'user: go',
      'assistant: ',
      `tool: ${ANSWERS}`,
      'user: > Which one?\n\nPostgres',
      'assistant: Well.',
    ])
    expect(reading.messages[3]).toMatchObject({ tool_call_id: 'c1' })
  },
)

it('what a person says of a plan that they refuse is theirs, and nothing else that a tool answers', () => {
  const plan = 'The plan is stored at: /p/plan.md\nRevise the plan based on the feedback.'
  const refused = answered('exit_plan_mode', {}, `Plan rejected. User feedback: use gRPC\n\n${plan}`)
  expect(refused.messages[2]).toMatchObject({ refused: true })
  expect(refused.messages[3]).toMatchObject({ role: 'user', content: 'use gRPC' })
  const silent = answered('exit_plan_mode', {}, `Plan rejected. No feedback provided.\n\n${plan}`)
  expect(silent.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
  expect(silent.messages[2]).toMatchObject({ refused: true })
  expect(
    answered('ask_user', QUESTIONS, 'User dismissed ask_user dialog without answering.').messages,
  ).toHaveLength(4)
  expect(answered('read_file', {}, `Plan rejected. User feedback: no\n\n${plan}`).messages).toHaveLength(4)
})
