import { crypto } from '../hash.ts'
import * as z from '../zod.ts'
import { textOf } from './live-path.ts'
import type { Message } from './schema.ts'

const Count = z.int().check(z.nonnegative())

/** A model's summary of a range of messages: the content of `.session/summaries/<name>.json` (format 1.0). */
export const SummaryFile = z.looseObject({
  version: z._default(z.string(), '1.0'),
  /** Both ends are included. The range follows the live path, so messages that a rewind took back are not in it. */
  range: z.looseObject({
    startMessageId: z.string(),
    endMessageId: z.string(),
    /** The `seq` of these two messages; null for a message without one. */
    startSeq: z._default(z.nullable(z.number()), null),
    endSeq: z._default(z.nullable(z.number()), null),
    /** How many messages the range has, tool results included. */
    messageCount: Count,
  }),
  /** The `hashOf` of the range's messages when they were summarised. If it differs now, the summary is stale. */
  hash: z.string(),
  summary: z.looseObject({ content: z.string(), tokens: Count, model: z.string() }),
  /** Tokens (o200k) of the texts in the range. */
  originalTokens: Count,
  /** `summary.tokens` divided by `originalTokens`, rounded to three decimals. */
  compressionRatio: z.number(),
  created_at: z.string(),
})
export type SummaryFile = z.infer<typeof SummaryFile>

/** `sha256:<hex>` over everything that a summary may depend on: ids and contents, in order. */
export function hashOf(messages: readonly Message[]): string {
  const hash = crypto().createHash('sha256')
  for (const message of messages) {
    const { id, role, tool_name: tool = '', tool_calls: calls = [] } = message
    hash.update(`${JSON.stringify([id, role, textOf(message), tool, calls])}\n`)
  }
  return `sha256:${hash.digest('hex')}`
}
