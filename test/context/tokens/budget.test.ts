import { expect, test } from 'vitest'
import {
  calculateBudget,
  DEFAULT_WINDOW,
  fullBudget,
  handoffBudget,
  windowOf,
} from '../../../src/context/tokens/budget.ts'
import type { Tokenizer } from '../../../src/context/tokens/index.ts'

/** A token a character: sums can be read. */
const letters: Tokenizer = { count: (text) => text.length }

test('S4-P2-1…4, S4-P2-12: a budget has all fields, computed from the texts', () => {
  const parts = {
    systemPrompt: 'x'.repeat(100),
    toolDefinitions: 'x'.repeat(50),
    conversation: 'x'.repeat(300),
  }
  expect(calculateBudget(1001, parts, letters)).toEqual({
    modelContextWindow: 1001,
    systemPromptTokens: 100,
    toolDefinitionTokens: 50,
    reserveForResponse: 250,
    availableTokens: 601,
    currentConversationTokens: 300,
    utilizationPercent: 49.9,
  })
  expect(calculateBudget(100, parts, letters)).toMatchObject({ availableTokens: 0, utilizationPercent: 100 })
  expect(calculateBudget(0, { ...parts, conversation: '' }, letters)).toMatchObject({
    availableTokens: 0,
    utilizationPercent: 0,
  })
})

test.each([
  ['claude-sonnet-4-5-20250929', 200_000],
  ['claude-sonnet-4-5[1m]', 1_000_000],
  ['anthropic/claude-opus-4-1', 200_000],
  ['gemini-3.8-flash', 1_048_576],
  ['openai/gpt-5.2', 400_000],
  ['unknown', DEFAULT_WINDOW],
])('the window of %s is %i', (model, window) => {
  expect(windowOf(model)).toBe(window)
})

// promise: context windows of models in tokens, by the beginnings of their names
test('windows in the settings come before the table, the longest name first', () => {
  const own = { claude: 500_000, 'claude-x': 7, 'fake/': 9 }
  expect(windowOf('claude-y', own)).toBe(500_000)
  expect(windowOf('p/claude-x1', own)).toBe(7)
  expect(windowOf('fake/anything', own)).toBe(9)
})

test('a full budget is the window without the answer and without what the client needs', () => {
  expect(fullBudget(200_000)).toBe(120_000)
  expect(fullBudget(1000)).toBe(0)
})

// promise: Without it: what the window of the model leaves, 60,000 at most
test('X-13 S1-003k a handoff gets what the window leaves, up to 60,000 tokens, and a quarter of a small window', () => {
  const given = [1_000_000, 200_000, DEFAULT_WINDOW, 100_000, 64_000, 32_000, 0].map(handoffBudget)
  expect(given).toEqual([60_000, 60_000, 60_000, 45_000, 18_000, 8_000, 0])
})
