import { crypto } from '../crypto.ts'
import * as z from '../zod.ts'
import { textOf } from './live-path.ts'
import type { Message } from './schema.ts'

const COUNT = z.int().check(z.nonnegative())

/** A model's summary of a range of messages, as `.session/summaries/<name>.json` holds it (S4-DS-5, format 1.0). */
export const SummaryFile = z.looseObject({
  version: z._default(z.string(), '1.0'),
  /** Both ends included, on the live path: what a rewind took back is not in it. */
  range: z.looseObject({
    startMessageId: z.string(),
    endMessageId: z.string(),
    /** `seq` of these two; null where a message has none. */
    startSeq: z._default(z.nullable(z.number()), null),
    endSeq: z._default(z.nullable(z.number()), null),
    /** Tool results included. */
    messageCount: COUNT,
  }),
  /** `hashOf` the messages of the range, as they were: another one means that the summary is of something else. */
  hash: z.string(),
  summary: z.looseObject({ content: z.string(), tokens: COUNT, model: z.string() }),
  /** o200k, of the texts of the range. */
  originalTokens: COUNT,
  /** `summary.tokens` to `originalTokens`, of three places. */
  compressionRatio: z.number(),
  created_at: z.string(),
})
export type SummaryFile = z.infer<typeof SummaryFile>

/** `sha256:<hex>` over ids and contents, in order: of whatever a summary may rest on. */
export function hashOf(messages: readonly Message[]): string {
  const hash = crypto().createHash('sha256')
  for (const message of messages) {
    const { id, role, tool_name: tool = '', tool_calls: calls = [] } = message
    hash.update(`${JSON.stringify([id, role, textOf(message), tool, calls])}\n`)
  }
  return `sha256:${hash.digest('hex')}`
}
