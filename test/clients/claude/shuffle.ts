import fc from 'fast-check'
import { SAMPLES, sample } from './transcript.ts'

/**
 * A sample with some lines moved: of the lines with a prompt a part is written behind the first lines of its answer.
 * The numbers pick which, modulo what there is.
 */
export const shuffle = fc.record({
  name: fc.constantFrom(...SAMPLES),
  moves: fc.array(fc.record({ turn: fc.nat(99), from: fc.nat(9), count: fc.nat(9), past: fc.nat(9) }), {
    minLength: 1,
    maxLength: 3,
  }),
})
export type Shuffle = typeof shuffle extends fc.Arbitrary<infer Value> ? Value : never

export function shuffled({ name, moves }: Shuffle): Uint8Array {
  const lines = Buffer.from(sample(name)).toString('utf8').trimEnd().split('\n')
  const turns = turnsOf(lines.map(kindOf))
  for (const move of moves) {
    const turn = turns.splice(move.turn % (turns.length || 1), 1)[0]
    if (turn === undefined) continue
    const { begin, answer: first, end } = turn
    const from = begin + (move.from % (first - begin))
    const late = lines.slice(from, from + 1 + (move.count % (first - from)))
    const to = first + 1 + (move.past % (end - first))
    lines.splice(from, to - from, ...lines.slice(from + late.length, to), ...late)
  }
  return Buffer.from(lines.map((line) => `${line}\n`).join(''))
}

function kindOf(line: string): 'answer' | 'result' | 'other' {
  if (line.includes('"type":"tool_result"')) return 'result'
  return JSON.parse(line).type === 'assistant' ? 'answer' : 'other'
}

/** Where the lines with a prompt begin, where its answer begins, and where that ends. */
function turnsOf(kinds: ReturnType<typeof kindOf>[]) {
  return kinds.flatMap((kind, answer) => {
    const begin = kinds.findLastIndex((before, at) => at < answer && before !== 'other') + 1
    if (kind !== 'answer' || begin === answer) return []
    const end = kinds.findIndex((behind, at) => at > answer && behind !== 'answer')
    return [{ begin, answer, end: end === -1 ? kinds.length : end }]
  })
}
