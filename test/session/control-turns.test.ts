import { expect, test } from 'vitest'
import {
  afterResume,
  beforeControlTurn,
  isControlTurn,
  stopsIn,
  turnsOf,
} from '../../src/session/control-turns.ts'
import { withoutStops } from '../../src/session/stopping/without-stops.ts'
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

const stopCall = { id: 'stop', name: 'Bash', arguments: { command: 'cortext agent stop --summary "x"' } }
const edit = { id: 'edit', name: 'Edit', arguments: { file_path: 'a.md' } }
const asked = said('u', { content: 'REST it is. Let us stop.' })
const stopping = said('s', { role: 'assistant', content: 'REST, then.', tool_calls: [edit, stopCall] })
const result = (call: string, content: string, more = {}) =>
  said(`r-${call}`, { role: 'tool', content, tool_call_id: call, ...more })
const bye = said('bye', { role: 'assistant', content: 'Goodbye.' })
const next = said('next', { content: 'One more thing' })
const idsOf = (messages: Iterable<{ id: string }>) => [...messages].map(({ id }) => id)

test('what follows a stop in words is no part of its turn, and the next prompt begins a turn', () => {
  const all = [asked, stopping, result('edit', 'ok'), result('stop', 'Session saved.'), bye, next]
  expect(idsOf(stopsIn(all).rest)).toEqual(['r-stop', 'bye'])
  expect(turnsOf(all).map(idsOf)).toEqual([['u', 's'], ['next']])
  expect(isControlTurn(turnsOf(all)[0]!)).toBe(true)
  const told = withoutStops(all)
  expect(idsOf(told)).toEqual(['u', 's', 'r-edit', 'next'])
  expect(told[1]).toEqual({ ...stopping, tool_calls: [edit] })
  // The recording ended at the call, so that the record has no result.
  expect(idsOf(withoutStops([asked, stopping]))).toEqual(['u', 's'])
})

test('a stop that failed, was refused or was followed by talk without its result ends no turn', () => {
  const failed = [
    result('stop', 'error: this session is not being recorded'),
    result('stop', 'The user does not want to proceed.', { is_error: true }),
    result('stop', 'no', { refused: true }),
  ]
  for (const answer of [...failed.map((one) => [one]), []]) {
    const all = [asked, stopping, ...answer, bye]
    expect(idsOf(stopsIn(all).rest)).toEqual([])
    expect(turnsOf(all).map(idsOf)).toEqual([['u', 's', 'bye']])
    expect(isControlTurn(turnsOf(all)[0]!)).toBe(false)
    expect(idsOf(withoutStops(all))).toEqual(['u', 's', 'bye'])
  }
})

test('a prompt that only takes leave of a stopped conversation is not told, any other is', () => {
  const stops = said('s', { role: 'assistant', content: '', tool_calls: [stopCall] })
  const told = (content: string) => idsOf(withoutStops([said('u', { content }), stops]))
  for (const leave of ["let's stop here, I need to go", 'That’s enough for today, thanks!', 'OK, bye'])
    expect(told(leave)).toEqual([])
  for (const more of ['No, let us stop.', 'REST. Bye.', 'Stop at PUT', 'Lass uns aufhören', 'thanks'])
    expect(told(more)).toEqual(['u'])
  expect(idsOf(withoutStops([said('u', { content: 'I need to go' })]))).toEqual(['u'])
})

test('two sessions of one conversation are told apart: the stop of one leaves the other whole', () => {
  const of = (session: string, ...all: (typeof asked)[]) =>
    all.map((one) => ({ ...one, id: `${session} ${one.id}`, native_session: session }))
  const [a, b] = [of('a', asked, stopping, result('stop', 'Session saved.'), bye), of('b', next, bye)]
  const mixed = [a[0]!, a[1]!, b[0]!, a[2]!, b[1]!, a[3]!]
  expect(idsOf(stopsIn(mixed).rest)).toEqual(['a r-stop', 'a bye'])
})

test('calls that start or save are left out with what they print', () => {
  const call = (command: string) => ({ id: 'c', name: 'Bash', arguments: { command } })
  const started = said('s', {
    role: 'assistant',
    content: '',
    tool_calls: [call('cortext agent start plan')],
  })
  const all = [asked, started, result('c', 'Already open: 001-plan-x'), bye]
  expect(idsOf(withoutStops(all))).toEqual(['u', 'bye'])
})

test('a rewind after a stop in words leads to the stop, and after one that failed to where the client went', () => {
  const next = said('next', { content: 'one thing more' })
  const stopped = [said('a'), asked, stopping, result('stop', 'Session saved.'), bye, next]
  expect(beforeControlTurn(stopped, 'bye')).toBe('s')
  expect(beforeControlTurn(stopped, 'u')).toBe('u')
  expect(beforeControlTurn(stopped, 'next')).toBe('next')
  const failed = [said('a'), asked, stopping, result('stop', 'error: no workspace', { is_error: true }), bye]
  expect(beforeControlTurn([...failed, next], 'bye')).toBe('bye')
})
