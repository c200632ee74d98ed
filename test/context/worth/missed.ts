import type { Tokenizer } from '../../../src/context/tokens/index.ts'
import { conversations, spoken, table, worthOf } from './measure.ts'
import type { Fact, Speech } from './planted.ts'

const BUDGETS = [4000, 8000] as const

/**
 * How many planted facts the default strategy misses, by language and marks, kind and speaker; of words that rules are
 * made with also by sentence. Held-out sentences are not named, for they are worth nothing once a rule was made for them.
 */
export function missedTable(noise: number, words: Speech['words'], tokenizer: Tokenizer): string[] {
  const rows = spoken().flatMap(({ name, ...speech }) => {
    const planted = conversations(20, noise, { words, ...speech })
    const counted = (facts: readonly Fact[]): Map<string, number> => countsOf(facts, words === 'known')
    const missed = BUDGETS.map((budget) => counted(worthOf(planted, budget, tokenizer).missed))
    const all = counted(planted.flatMap(({ facts }) => facts))
    return [...all].toSorted(byKind).flatMap(([sort, count]): [string, string[]][] => {
      const cells = missed.map((of) => of.get(sort) ?? 0)
      return cells.every((one) => one === 0)
        ? []
        : [[`${name}: ${sort}`, cells.map((one) => `${one} of ${count}`)]]
    })
  })
  return table('missed', BUDGETS, rows)
}

function countsOf(facts: readonly Fact[], bySentence: boolean): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { kind, by, said } of facts)
    for (const sort of [`${kind} by ${by}`, ...(bySentence ? [`${kind} by ${by}: ${said}`] : [])])
      counts.set(sort, 1 + (counts.get(sort) ?? 0))
  return counts
}

function byKind([one]: [string, number], [other]: [string, number]): number {
  return one < other ? -1 : 1
}
