import { describe, expect, it } from 'vitest'
import { accounted, answer, call, read, result, script, user } from './transcript.ts'

const REFUSED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file)."

/** What the reader makes of the answer to one call, and what is said behind it. */
function answered(text: string, { toolUseResult, input = {}, tool = 'Bash', ...fields }: Answered = {}) {
  return read([
    user('u1', null, 'go'),
    answer('a1', 'u1', 'm1', call('t1', tool, input), { stop_reason: 'tool_use' }),
    user('r1', 'a1', result('t1', text, fields.is_error === true ? { is_error: true } : {}), {
      ...(toolUseResult === undefined ? {} : { toolUseResult }),
      ...fields,
    }),
    answer('a2', 'r1', 'm2', { type: 'text', text: 'Well.' }),
  ])
}

interface Answered {
  toolUseResult?: unknown
  input?: object
  tool?: string
  is_error?: boolean
  userFeedback?: string
}

describe('what a person says in the answer to a call', () => {
  it('ends before the note that the client adds where it keeps memories', () => {
    const note = "\n\nNote: The user's next message may contain a correction or preference."
    const text = `${REFUSED} To tell you how to proceed, the user said:\nuse tabs${note}`
    expect(script(answered(text, { is_error: true }))).toContain('user: use tabs')
  })

  it('is found in a call of a subagent too', () => {
    const text = 'Permission for this tool use was denied. It was rejected. The user said:\nnot there'
    const reading = answered(text, { is_error: true })
    expect(script(reading)).toContain('user: not there')
    expect(reading.messages.find(({ role }) => role === 'tool')).toMatchObject({ refused: true })
    const plain = answered('Permission for this tool use was denied.', { is_error: true })
    expect(plain.messages.find(({ role }) => role === 'tool')).not.toHaveProperty('refused')
  })

  it('is a message of theirs after the answer, which stays as it was', () => {
    const text = `${REFUSED} To tell you how to proceed, the user said:\nkeep it\nfor the release`
    const reading = answered(text, { is_error: true })
    expect(script(reading)).toEqual([
      'user: go',
      'assistant: ',
      `tool Bash: ${text}`,
      'user: keep it\nfor the release',
      'assistant: Well.',
    ])
    const [, , refused, said, next] = reading.messages
    expect(refused).toMatchObject({ refused: true, is_error: true })
    expect(said).toMatchObject({ role: 'user', tool_call_id: 't1' })
    expect(next!.parent_id).toBe(said!.id)
    expect(reading.messages.some(({ event }) => event === 'rewound')).toBe(false)
    expect(accounted(reading.report)).toBe(reading.report.bytes)
  })

  it('is taken from its own field where there is one', () => {
    const { messages } = answered(REFUSED, { is_error: true, userFeedback: 'not yet' })
    expect(messages[3]).toMatchObject({ role: 'user', content: 'not yet' })
  })

  it.each([
    [
      'a refusal without words',
      `${REFUSED} STOP what you are doing and wait for the user to tell you how to proceed.`,
    ],
    [
      'questions that they would rather talk about',
      `${REFUSED} To tell you how to proceed, the user said:\nThe user wants to clarify these questions.\n    This means more.`,
    ],
  ])('is nothing for %s', (_, text) => {
    const { messages } = answered(text, { is_error: true })
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect(messages[2]).toMatchObject({ refused: true })
  })

  it('is nothing where a tool only prints such words', () => {
    const { messages } = answered(`log: ${REFUSED} To tell you how to proceed, the user said:\nkeep it`)
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect(messages[2]!.refused).toBeUndefined()
  })

  it('is below the questions that it answers', () => {
    const { messages } = answered('Your questions have been answered: …', {
      tool: 'AskUserQuestion',
      toolUseResult: {
        questions: [{ question: 'Which one?' }, { question: 'Which\nof these?' }, { question: 'And that?' }],
        answers: { 'Which one?': 'Postgres', 'Which\nof these?': ['a', 'b'], 'And that?': '' },
        annotations: { 'Which one?': { notes: 'but only version 17' } },
        response: 'Go on then.',
      },
    })
    expect(messages[3]!.content).toBe(
      '> Which one?\n\nPostgres\nbut only version 17\n\n> Which\n> of these?\n\na, b\n\nGo on then.',
    )
  })

  it('has the lines that they changed in a plan', () => {
    const head = 'User has approved your plan. You can now start coding.\n\n'
    const plan = { plan: '# Plan\n\n1. REST\n2. Tests\n' }
    const edited = answered(`${head}## Approved Plan (edited by user):\n# Plan\n\n1. gRPC\n2. Tests`, {
      tool: 'ExitPlanMode',
      input: plan,
    })
    expect(edited.messages[3]!.content).toBe('Changes to the plan:\n\n- 1. REST\n+ 1. gRPC')
    const approved = answered(`${head}## Approved Plan:\n# Plan\n\n1. REST\n2. Tests`, {
      tool: 'ExitPlanMode',
      input: plan,
    })
    expect(approved.messages).toHaveLength(4)
  })
})
