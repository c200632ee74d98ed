import type { Tokenizer } from './index.ts'

/** The division of a model's window. All numbers but the last are tokens. */
export interface ContextBudget {
  modelContextWindow: number
  systemPromptTokens: number
  toolDefinitionTokens: number
  reserveForResponse: number
  /** Tokens for the conversation; never below 0. */
  availableTokens: number
  currentConversationTokens: number
  /** The percentage of the available tokens that the conversation takes; over 100 when it does not fit. */
  utilizationPercent: number
}

/** This part of the window is kept free for the model's answer. */
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

/**
 * Tokens for a client's own instructions and tools: 12k to 25k were seen. The person's instructions and tools need
 * more.
 */
const CLIENT_TOKENS = 30_000

/** Returns the tokens of a window that a handoff may fill: the window minus the reserve and the client's own tokens. */
export function fullBudget(modelContextWindow: number): number {
  const free = modelContextWindow - Math.floor(modelContextWindow * RESERVE_RATIO) - CLIENT_TOKENS
  return Math.max(0, free)
}

/** The default limit of a handoff, in tokens (docs/decisions.md has the reasons). */
export const HANDOFF_BOUND = 60_000

/**
 * Returns the default budget of a handoff: `fullBudget`, but at least a quarter of the window, and at most
 * `HANDOFF_BOUND`. A client with a small window needs less for itself than `CLIENT_TOKENS`.
 */
export function handoffBudget(modelContextWindow: number): number {
  const left = Math.max(fullBudget(modelContextWindow), Math.floor(modelContextWindow / 4))
  return Math.min(left, HANDOFF_BOUND)
}

/**
 * The default budget when the free part of the window is not known: in a session that is already running, and for an
 * agent loop that names no model.
 */
export const UNKNOWN_ROOM = 20_000

/** The window of a model that the table does not have. It is smaller than every window in the table. */
export const DEFAULT_WINDOW = 128_000

/** Windows that the vendors state, by the model's name without its provider. The first pattern that matches counts. */
const WINDOWS: readonly (readonly [RegExp, number])[] = [
  [/\[1m\]|-1m\b/, 1_000_000],
  [/^claude/, 200_000],
  [/^gemini/, 1_048_576],
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-5/, 400_000],
  [/^o[134]\b/, 200_000],
]

/**
 * Returns the window of a model in tokens: from `overrides`, else from the table, else 128,000. The keys of `overrides`
 * are beginnings of names, and the longest one that matches counts. A `provider/` before the name counts only if an
 * override has it too.
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
