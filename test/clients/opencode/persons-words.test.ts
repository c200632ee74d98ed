import { expect, it } from 'vitest'
import { answer, done, read, session, text, tool, user } from './transcript.ts'

const asked = (state: object) =>
  read([
    session(),
    user('msg_1', 'go'),
    answer('msg_2', [tool('c1', 'question', state)], { finish: 'tool-calls' }),
    answer('msg_3', [text('Well.')]),
  ]).messages

it('what a person answers to questions is theirs', () => {
  const input = {
    questions: [{ question: 'Which one?' }, { question: 'Which of these?' }, { question: 'Why?' }],
  }
  const messages = asked(
    done(input, 'User has answered your questions: …', {
      metadata: { answers: [['Postgres'], ['a', 'b'], []] },
    }),
  )
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user', 'assistant'])
  expect(messages[3]).toMatchObject({
    content: '> Which one?\n\nPostgres\n\n> Which of these?\n\na, b',
    tool_call_id: 'c1',
  })
})

it('the words with which a person refuses a call are theirs', () => {
  const error = 'The user rejected permission to use this specific tool call'
  const refusal = (text: string) => asked({ status: 'error', input: {}, error: text })
  const withWords = refusal(`${error} with the following feedback: keep it\nfor now`)
  expect(withWords[2]).toMatchObject({ role: 'tool', refused: true, is_error: true })
  expect(withWords[3]).toMatchObject({ role: 'user', content: 'keep it\nfor now' })
  const without = refusal(`${error}.`)
  expect(without.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
  expect(without[2]).toMatchObject({ refused: true })
  expect(refusal(`log: ${error}.`)[2]!.refused).toBeUndefined()
})
