import { expect, test } from 'vitest'
import type { Message } from '../../src/session/schema.ts'
import { withoutStops } from '../../src/session/stopping/without-stops.ts'
import { said } from './conversations.ts'

const user = (id: string, content: string, more: Partial<Message> = {}) => said(id, { content, ...more })
const agent = (id: string, more: Partial<Message> = {}) =>
  said(id, { role: 'assistant', content: `Answer ${id}`, ...more })
const texts = (messages: readonly Message[]) => withoutStops(messages).map(({ content }) => content)
const call = { id: 't', name: 'Bash', arguments: { command: 'ls' } }

test.each([
  "let's stop here, I need to go",
  "that's enough for today, thanks",
  'I need to go now. We can pick this up tomorrow.',
  'bye',
])('a farewell at the end of a session is left out of contexts, and what the agent said stays: %j', (bye) => {
  const talk = [user('a', 'REST or GraphQL?'), agent('b'), user('c', bye), agent('d')]
  expect(texts(talk)).toEqual(['REST or GraphQL?', 'Answer b', 'Answer d'])
  const [first, ...others] = talk
  expect(texts([user('a', bye), ...others.slice(0, 1)]), 'the first request').toEqual([bye, 'Answer b'])
  expect(texts([first!, agent('b'), user('c', bye), agent('d', { tool_calls: [call] })]), 'work').toContain(
    bye,
  )
  expect(texts([...talk, user('e', 'One more'), agent('f')]), 'more was said').toContain(bye)
  const elsewhere = { native_session: 'other' }
  const resumed = [...talk, user('e', 'One more', elsewhere), agent('f', elsewhere)]
  expect(texts(resumed), 'resumed elsewhere').not.toContain(bye)
})

test.each([
  'ok, go',
  'finish it now',
  'stop the server',
  'We take GraphQL. I need to go.',
  'REST it is. Let us stop.',
])('what may ask for something, or decides something, stays: %j', (text) => {
  expect(texts([user('a', 'REST?'), agent('b'), user('c', text), agent('d')])).toContain(text)
})
