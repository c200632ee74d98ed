import { expect, test } from 'vitest'
import { isFarewell, isGoodbye } from '../../src/session/stopping/goodbye.ts'

test.each([
  'Let us stop here.',
  "let's stop here, I need to go",
  "that's enough for today, thanks",
  'I have to leave now.',
  'bye',
  "let's pause",
])('"%s" takes leave, also where no call stops', (words) => {
  expect(isFarewell(words)).toBe(true)
})

test.each(['leave it there', 'pause at one', 'stop then run it over', 'do it all and stop'])(
  '"%s" may answer a question: without a call that stops, the next agent gets it',
  (words) => {
    expect(isGoodbye(words)).toBe(true)
    expect(isFarewell(words)).toBe(false)
  },
)
