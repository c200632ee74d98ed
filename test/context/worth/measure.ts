import { buildContext } from '../../../src/context/build.ts'
import { STRATEGY_NAMES } from '../../../src/context/strategies/index.ts'
import type { Tokenizer } from '../../../src/context/tokens/index.ts'
import { resumeBlock } from '../../../src/session/resume-block.ts'
import type { Message } from '../../../src/session/schema.ts'
import { session } from '../../session/conversations.ts'
import { TOOLS } from '../tools.ts'
import { ENGLISH } from './languages/english.ts'
import { LANGUAGES } from './languages/index.ts'
import { type Fact, type Planted, plantedConversation, type Speech } from './planted.ts'

const BUDGETS = [2000, 4000, 8000, 20_000] as const
const NOW = new Date('2026-02-01T00:00:00Z')

/** Long ones, of 60 to 220 turns: their talk alone has some 6,000 to 28,000 tokens. */
export function conversations(count: number, noise: number, speech: Partial<Speech> = {}): Planted[] {
  const spoken: Speech = { words: 'known', language: ENGLISH, marks: 'latin', ...speech, noise }
  return Array.from({ length: count }, (_, n) => plantedConversation(n + 1, 60 + (n % 5) * 40, spoken))
}

/** What an agent would be given. */
export function contextOf(
  messages: readonly Message[],
  budget: number,
  tokenizer: Tokenizer,
  strategy?: string,
): string {
  return buildContext({
    messages,
    budget,
    tokenizer,
    strategy,
    record: 'conversations/2026-01-01/001-debug-export/.session/messages.jsonl',
    project: 'work',
    tools: TOOLS,
    block: (history) => resumeBlock(session({ context_summary: '' }), { now: NOW, history }),
  }).text
}

/** Of all planted facts, the share that a context holds, and those that it lacks. */
export function worthOf(
  planted: readonly Planted[],
  budget: number,
  tokenizer: Tokenizer,
  strategy?: string,
): { share: number; missed: Fact[] } {
  const missed: Fact[] = []
  let all = 0
  for (const { messages, facts } of planted) {
    const text = contextOf(messages, budget, tokenizer, strategy)
    all += facts.length
    missed.push(...facts.filter(({ mark }) => !text.includes(mark)))
  }
  return { share: 1 - missed.length / all, missed }
}

/** A line for each strategy, begun with; a column for each budget. */
export function worthTable(planted: readonly Planted[], tokenizer: Tokenizer): string[] {
  const rows = STRATEGY_NAMES.map((name, place): Row => {
    const shares = BUDGETS.map((budget) => worthOf(planted, budget, tokenizer, name).share)
    return [place === 0 ? `${name} (the default)` : name, shares.map(percent)]
  })
  return table('begun with', BUDGETS, rows)
}

/**
 * With the default strategy, a line for each language and kind of marks, then how many points lie between the best line
 * and the worst.
 */
export function languageTable(noise: number, words: Speech['words'], tokenizer: Tokenizer): string[] {
  const lines = spoken().map(({ name, ...speech }) => {
    const planted = conversations(20, noise, { words, ...speech })
    return { name, shares: BUDGETS.map((budget) => worthOf(planted, budget, tokenizer).share) }
  })
  const apart = BUDGETS.map((_, column) => {
    const shares = lines.map((line) => line.shares[column]!)
    return Math.max(...shares) - Math.min(...shares)
  })
  return table('language', BUDGETS, [
    ...lines.map(({ name, shares }): Row => [name, shares.map(percent)]),
    ['largest difference', apart.map((share) => `${(share * 100).toFixed(1)} points`)],
  ])
}

/** Every language with each kind of marks. English names are Latin ones. */
export function spoken(): (Pick<Speech, 'language' | 'marks'> & { name: string })[] {
  return LANGUAGES.flatMap((language) => [
    { language, marks: 'latin' as const, name: `${language.name}, Latin names` },
    ...(language === ENGLISH
      ? []
      : [{ language, marks: 'own' as const, name: `${language.name}, names of its own` }]),
  ])
}

type Row = [name: string, cells: string[]]

/** A table in Markdown with a column for each budget. */
export function table(title: string, budgets: readonly number[], rows: readonly Row[]): string[] {
  return [
    `| ${title} | ${budgets.map((budget) => `${budget} tokens`).join(' | ')} |`,
    `| --- |${budgets.map(() => ' ---: |').join('')}`,
    ...rows.map(([name, cells]) => `| ${name} | ${cells.join(' | ')} |`),
  ]
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
