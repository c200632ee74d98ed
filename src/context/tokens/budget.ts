import type { Tokenizer } from './index.ts'

/** How the window of a model is shared (S4-P2-1). All numbers are tokens, but the last. */
export interface ContextBudget {
  modelContextWindow: number
  systemPromptTokens: number
  toolDefinitionTokens: number
  reserveForResponse: number
  /** For the conversation; never below 0. */
  availableTokens: number
  currentConversationTokens: number
  /** Of what is available; over 100 where the conversation does not fit. */
  utilizationPercent: number
}

/** Of the window, kept free for what the model answers. */
const RESERVE_RATIO = 0.25

export function calculateBudget(
  modelContextWindow: number,
  parts: { systemPrompt: string; toolDefinitions: string; conversation: string },
  tokenizer: Tokenizer,
): ContextBudget {
  const systemPromptTokens = tokenizer.count(parts.systemPrompt)
  const toolDefinitionTokens = tokenizer.count(parts.toolDefinitions)
  const reserveForResponse = Math.floor(modelContextWindow * RESERVE_RATIO)
  const free = modelContextWindow - systemPromptTokens - toolDefinitionTokens - reserveForResponse
  const availableTokens = Math.max(0, free)
  const currentConversationTokens = tokenizer.count(parts.conversation)
  return {
    modelContextWindow,
    systemPromptTokens,
    toolDefinitionTokens,
    reserveForResponse,
    availableTokens,
    currentConversationTokens,
    utilizationPercent: percent(currentConversationTokens, availableTokens),
  }
}

/** What a client's own instructions and tools take: 12k to 25k were seen; the person's own come on top. */
const CLIENT_TOKENS = 30_000

/** Tokens that a handoff may fill of a window: less the reserve, and what the client itself needs. */
export function fullBudget(modelContextWindow: number): number {
  const free = modelContextWindow - Math.floor(modelContextWindow * RESERVE_RATIO) - CLIENT_TOKENS
  return Math.max(0, free)
}

/** Where the model is not known: the smallest window that current models of the three clients' vendors have. */
export const DEFAULT_WINDOW = 128_000

/** Begins of model names, without their provider, and the windows that the vendors name. The first that fits counts. */
const WINDOWS: readonly (readonly [RegExp, number])[] = [
  [/\[1m\]|-1m\b/, 1_000_000],
  [/^claude/, 200_000],
  [/^gemini/, 1_048_576],
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-5/, 400_000],
  [/^o[134]\b/, 200_000],
]

/**
 * The window of a model: `overrides` (begin of a name → tokens, the longest that fits) before the table, and 128,000
 * where neither knows it. `provider/` before the name does not count.
 */
export function windowOf(model: string, overrides: Readonly<Record<string, number>> = {}): number {
  const name = model.split('/').at(-1)!.toLowerCase()
  const own = Object.keys(overrides)
    .filter((start) => name.startsWith(start.toLowerCase()) || model.startsWith(start))
    .sort((a, b) => b.length - a.length)[0]
  if (own !== undefined) return overrides[own]!
  return WINDOWS.find(([start]) => start.test(name))?.[1] ?? DEFAULT_WINDOW
}

function percent(part: number, whole: number): number {
  if (whole === 0) return part === 0 ? 0 : 100
  return Math.round((part / whole) * 1000) / 10
}
