import { expect, test } from 'vitest'
import { afterResume, beforeControlTurn, isControlTurn, turnsOf } from '../../src/session/control-turns.ts'
import { said } from './conversations.ts'

const typed = (content: string) => isControlTurn([said('m', { content })])
const ran = (command: string) =>
  isControlTurn([
    said('u', { content: 'please' }),
    said('a', {
      role: 'assistant',
      tool_calls: [{ id: 't', name: 'Bash', arguments: { command, timeout: 5 } }],
    }),
  ])

test('a turn that stops or resumes belongs to no conversation, whoever asked for it', () => {
  expect(typed('/workspace.stop-conversation')).toBe(true)
  expect(typed('/workspace.resume api')).toBe(true)
  expect(typed('$workspace-resume api')).toBe(true)
  expect(typed('$workspace:stop-conversation')).toBe(true)
  expect(ran('cortext stop --summary-stdin')).toBe(true)
  expect(ran(' cortext resume --here api')).toBe(true)
  expect(ran('cortext agent stop --summary "a"')).toBe(true)
  expect(ran('cortext agent resume --part 2')).toBe(true)
  expect(ran('cortext agent search stop')).toBe(false)
})

test('any other turn belongs to a conversation', () => {
  expect(typed('/workspace.brainstorm resume')).toBe(false)
  expect(typed('$workspace-brainstorm resume')).toBe(false)
  expect(typed('what does /workspace.resume do?')).toBe(false)
  expect(ran('cortext resume --list')).toBe(false)
  expect(ran('echo cortext stop')).toBe(false)
  expect(isControlTurn([])).toBe(false)
})

test('a turn is a message of the person and the answers to it', () => {
  const answer = (id: string) => said(id, { role: 'assistant' })
  const event = said('e', { role: 'system', event: 'resumed' })
  const turns = turnsOf([answer('before'), said('u1'), answer('a1'), event, answer('a2'), said('u2')])
  expect(turns.map((turn) => turn.map(({ id }) => id))).toEqual([['before'], ['u1', 'a1', 'a2'], ['u2']])
})

test('what is said in the answer to a call begins no turn: which conversation to resume is part of the resume', () => {
  const resume = said('u1', { content: '/workspace.resume' })
  const ask = said('a1', { role: 'assistant', tool_calls: [{ id: 't1', name: 'Ask', arguments: {} }] })
  const chosen = said('w1', { content: 'the second', tool_call_id: 't1' })
  const here = said('a2', {
    role: 'assistant',
    tool_calls: [{ id: 't2', name: 'Bash', arguments: { command: 'cortext agent resume 2' } }],
  })
  expect(turnsOf([resume, ask, chosen, here])).toHaveLength(1)
  expect(afterResume([resume, ask, chosen, here])).toEqual([])
  const next = said('u2')
  expect(afterResume([resume, ask, chosen, here, next])).toEqual([next])
})

test('a rewind into control turns leads to the last words before them, also where a file has thousands', () => {
  const few = [
    said('a'),
    ...Array.from({ length: 20 }, (_, n) => said(`c${n}`, { content: '/workspace.resume x' })),
  ]
  expect(beforeControlTurn(few, 'c19')).toBe('a')
  const many = Array.from({ length: 30_000 }, (_, n) => said(`m${n}`, { content: '/workspace.resume x' }))
  expect(beforeControlTurn(many, 'm29999')).toMatch(/^m\d+$/)
})
