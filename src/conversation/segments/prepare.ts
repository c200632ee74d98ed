import type { Reading } from '../../clients/contract/reading.ts'
import { clientOf } from '../../clients/index.ts'
import { redactMessages } from '../../redact/messages.ts'
import type { Message } from '../../session/schema.ts'
import type { Workspace } from '../../workspace/open.ts'
import { boundContents } from './bound-contents.ts'
import { takenBytes } from './taken-bytes.ts'

/** What was read of a native session, as the record holds it: redacted, and cut where it is too long for a line. */
export interface Prepared {
  messages: Message[]
  subagents: Record<string, Message[]>
  blobs: Map<string, Uint8Array>
  /** How many secrets were replaced, by kind. */
  redacted: Record<string, number>
  /** Bytes of what was said and done, as it was read: nothing replaced or cut yet. */
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
    subagents: Object.fromEntries(Object.entries(subagents).map(([call, said]) => [call, ready(said)])),
    blobs,
    redacted,
    taken: takenBytes([...messages, ...Object.values(subagents).flat()]),
  }
}

/** Why a session may have had more tools than its transcript names. Undefined where no server is configured. */
export function whyMoreTools(ws: Workspace, client: string): string | undefined {
  const { name, tools } = clientOf(client)
  const servers = tools.mcpServers?.(ws.environment, ws.root) ?? []
  return servers.length === 0
    ? undefined
    : `${name} names only the tools that were used; servers: ${servers.join(', ')}`
}
