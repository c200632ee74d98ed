import { callsIn } from '../../context/rendering/answers.ts'
import { type SummaryPrompt, summaryPrompt } from '../../context/summary-prompt.ts'
import { cutToTokens } from '../../context/tokens/cut.ts'
import type { Tokenizer } from '../../context/tokens/index.ts'
import { textOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'

/** Tokens of a prompt's instructions. */
const FRAME_TOKENS = 400
/** Tokens of the role before each text. */
const TOKENS_PER_MESSAGE = 8

/**
 * Divides the messages, in their order, into prompts of at most about `maxTokens` tokens. A message that is longer than
 * a prompt is cut.
 */
export function inChunks(
  messages: readonly Message[],
  maxTokens: number,
  targetTokens: number,
  tokenizer: Tokenizer,
): SummaryPrompt[] {
  const room = Math.max(1000, maxTokens - FRAME_TOKENS)
  const chunks: Message[][] = [[]]
  let used = 0
  for (const message of messages) {
    // A prompt contains only the beginning of a tool result, so the length of the result does not matter.
    const whole = message.role === 'tool' ? 0 : tokenizer.count(textOf(message))
    const fits = whole + TOKENS_PER_MESSAGE <= room
    const tokens =
      (fits ? whole : room - TOKENS_PER_MESSAGE) + TOKENS_PER_MESSAGE + (message.role === 'tool' ? 80 : 0)
    if (used + tokens > room && used > 0) {
      chunks.push([])
      used = 0
    }
    const shown = fits
      ? message
      : { ...message, content: cutToTokens(textOf(message), room - TOKENS_PER_MESSAGE, tokenizer) }
    chunks.at(-1)!.push(shown)
    used += tokens
  }
  const calls = callsIn(messages)
  return chunks.map((chunk) => summaryPrompt(chunk, targetTokens, calls))
}
