import type { Reading } from '../../clients/contract/reading.ts'
import { readerOf } from '../../clients/index.ts'
import { redactMessages } from '../../redact/messages.ts'
import type { Message } from '../../session/schema.ts'
import type { Blobs } from '../../store/record/attachments.ts'
import type { Workspace } from '../../workspace/open.ts'
import { boundContents } from './bound-contents.ts'

/** A reading of a native session in the form of the record: redacted, and with long tool results cut. */
export interface Prepared {
  messages: Message[]
  subagents: Record<string, Message[]>
  blobs: Blobs
  /** Number of secrets that were replaced, by kind. */
  redacted: Record<string, number>
  /** Bytes of what was said and done, before secrets were replaced and tool results cut. */
  taken: number
}

export function prepare(
  ws: Workspace,
  { messages, subagents, blobs }: Pick<Reading, 'messages' | 'subagents' | 'blobs'>,
): Prepared {
  const redacted: Record<string, number> = {}
  const ready = (said: readonly Message[]) =>
    boundContents(
      ws.config.redact ? redactMessages(said, redacted) : said,
      { toolOutput: ws.config.capture.toolOutput, inline: ws.config.capture.maxInline },
      blobs,
    )
  return {
    messages: ready(messages),
    // An id that a transcript leaves empty cannot be the name of a file.
    subagents: Object.fromEntries(
      Object.entries(subagents).map(([call, said]) => [call || 'unnamed', ready(said)]),
    ),
    blobs,
    redacted,
    taken: takenBytes([...messages, ...Object.values(subagents).flat()]),
  }
}

/** Says why a session may have had more tools than its transcript names. Undefined if no MCP server is configured. */
export function whyMoreTools(ws: Workspace, client: string): string | undefined {
  const { name, tools } = readerOf(client)
  const servers = tools.mcpServers?.(ws.environment, ws.root) ?? []
  return servers.length === 0
    ? undefined
    : `${name} names only the tools that were used; servers: ${servers.join(', ')}`
}

/**
 * Returns the bytes of what messages say: texts, thoughts, tool calls and results, and attached files. The ids, usage,
 * signatures and copies of results in a client's transcript do not count.
 */
function takenBytes(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + bytesOf(message), 0)
}

function bytesOf({
  event,
  content,
  reasoning = '',
  tool_calls: calls,
  attachments = [],
  ...rest
}: Message): number {
  if (event !== undefined) return bytesIn(rest.raw) + bytesIn(rest.summary)
  const files = attachments.reduce((sum, { bytes }) => sum + bytes, 0)
  return bytesIn(content) + bytesIn(reasoning) + bytesIn(calls) + files
}

function bytesIn(value: unknown): number {
  if (value === undefined) return 0
  return Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value))
}
