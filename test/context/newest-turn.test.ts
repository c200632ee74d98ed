import { expect, test } from 'vitest'
import { cutTurn, newestTurn } from '../../src/context/newest-turn.ts'
import { historyOf } from '../../src/context/select-strategy.ts'
import type { Room } from '../../src/context/strategy.ts'
import { said } from '../session/conversations.ts'
import { TOOLS } from './tools.ts'

/** Ten characters count as a token. */
function room(tokens: number): Room {
  const cost: Room['cost'] = (piece, limit = Number.POSITIVE_INFINITY) => {
    const count = Math.ceil(('note' in piece ? piece.note : `${piece.message.content}`).length / 10)
    return count <= limit ? count : Number.POSITIVE_INFINITY
  }
  return {
    tokens,
    cost,
    count: (text) => Math.ceil(text.length / 10),
    cut: (text, limit) => text.slice(0, 10 * limit),
  }
}

function turn(question: number, answer: number) {
  const messages = [
    said('m0', { content: 'q'.repeat(10 * question) }),
    said('m1', { role: 'assistant', content: 'a'.repeat(10 * answer) }),
  ]
  return historyOf({ messages, project: 'work', tools: TOOLS })
}

const costs = (question: number, answer: number, tokens: number) =>
  cutTurn(turn(question, answer), room(tokens), tokens).map(({ piece, whole }) => [
    room(tokens).cost(piece),
    whole,
  ])

test('of the newest turn, the smaller message is whole, and the larger one gets the rest of the room', () => {
  expect(costs(10, 900, 100)).toEqual([
    [10, true],
    [90, false],
  ])
  expect(costs(900, 10, 100)).toEqual([
    [90, false],
    [10, true],
  ])
})

test('two large messages of the newest turn get half of the room each, in the order of the talk', () => {
  expect(costs(900, 800, 100)).toEqual([
    [50, false],
    [50, false],
  ])
})

test('the receipt of the newest turn counts what is whole and what is cut', () => {
  expect(newestTurn(turn(10, 900), room(100))).toMatchObject({ whole: 1, shortened: 1 })
  expect(newestTurn(turn(10, 20), room(100))).toMatchObject({ whole: 2, shortened: 0 })
})
