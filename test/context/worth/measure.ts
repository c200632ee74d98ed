import { buildContext } from '../../../src/context/build.ts'
import { STRATEGY_NAMES } from '../../../src/context/strategies/index.ts'
import type { Tokenizer } from '../../../src/context/tokens/index.ts'
import { resumeBlock } from '../../../src/session/resume-block.ts'
import { session } from '../../session/conversations.ts'
import { TOOLS } from '../tools.ts'
import { KNOWN_WORDS, type Planted, plantedConversation, type Wording } from './planted.ts'

const BUDGETS = [2000, 4000, 8000, 20_000] as const
const NOW = new Date('2026-02-01T00:00:00Z')

/** Long ones, of 60 to 220 turns: their talk alone has some 6,000 to 33,000 tokens. */
export function conversations(count: number, noise: number, words: Wording = KNOWN_WORDS): Planted[] {
  return Array.from({ length: count }, (_, n) =>
    plantedConversation(n + 1, 60 + (n % 5) * 40, { noise, words }),
  )
}

/** Of all planted facts, the share that a context holds, and those that it lacks. */
export function worthOf(
  planted: readonly Planted[],
  budget: number,
  tokenizer: Tokenizer,
  strategy?: string,
): { share: number; missed: string[] } {
  const missed: string[] = []
  let all = 0
  for (const { messages, facts } of planted) {
    const { text } = buildContext({
      messages,
      budget,
      tokenizer,
      strategy,
      record: 'conversations/2026-01-01/001-debug-export/.session/messages.jsonl',
      project: 'work',
      tools: TOOLS,
      block: (history) => resumeBlock(session({ context_summary: '' }), { now: NOW, history }),
    })
    all += facts.length
    for (const { kind, mark } of facts) if (!text.includes(mark)) missed.push(`${kind} ${mark}`)
  }
  return { share: 1 - missed.length / all, missed }
}

/** A line for each strategy, begun with; a column for each budget. */
export function worthTable(planted: readonly Planted[], tokenizer: Tokenizer): string[] {
  const row = (name: string, strategy: string): string =>
    `| ${name} | ${BUDGETS.map((budget) => percent(worthOf(planted, budget, tokenizer, strategy).share)).join(' | ')} |`
  return [
    `| begun with | ${BUDGETS.map((budget) => `${budget} tokens`).join(' | ')} |`,
    `| --- |${BUDGETS.map(() => ' ---: |').join('')}`,
    ...STRATEGY_NAMES.map((name, place) => row(place === 0 ? `${name} (the default)` : name, name)),
  ]
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
