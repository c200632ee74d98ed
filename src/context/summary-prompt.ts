import { textOf } from '../session/live-path.ts'
import type { Message } from '../session/schema.ts'
import { wholeCharacters } from '../text/whole-characters.ts'

import { type Answers, callsIn, toolOf } from './rendering/answers.ts'

/** The prompt that asks a model for a summary. */
export interface SummaryPrompt {
  system: string
  user: string
  /** Tokens that the answer may have. */
  maxTokens: number
}

const SYSTEM = `You are summarizing a coding conversation for context continuity.
The summary will be injected into a future conversation so the AI can continue helping.

PRESERVE in your summary:
- The original task/goal the user requested
- Key technical decisions and their rationale
- Files that were created, modified, or deleted
- Current state of the work (what's done, what's pending)
- Any errors encountered and how they were resolved
- Important constraints or preferences the user mentioned

DO NOT include:
- Greetings, pleasantries, or filler
- Full file contents (just note what files were involved)
- Detailed tool outputs (just outcomes)
- Redundant information

Write as a concise narrative paragraph, not bullet points.`

const TOOL_OUTPUT_LENGTH = 200
const SPARE_TOKENS = 100

/**
 * Makes the prompt for `messages`. `calls` must have the tool names of the whole conversation, because the call of a
 * result may be in another part of it.
 */
export function summaryPrompt(
  messages: readonly Message[],
  targetTokens: number,
  calls = callsIn(messages),
): SummaryPrompt {
  const conversation = messages.map((message) => renderForPrompt(message, calls)).join('\n\n')
  return {
    system: SYSTEM,
    user: `Target length: approximately ${targetTokens} tokens.\n\nCONVERSATION TO SUMMARIZE:\n\n${conversation}`,
    maxTokens: targetTokens + SPARE_TOKENS,
  }
}

function renderForPrompt(message: Message, calls: Answers['calls']): string {
  const text = textOf(message)
  const content =
    message.role === 'tool'
      ? `[Tool ${toolOf(message, calls)}: ${wholeCharacters(text.slice(0, TOOL_OUTPUT_LENGTH))}...]`
      : text
  return `${message.role.toUpperCase()}: ${content}`
}
