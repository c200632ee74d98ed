import type { Reading, ReadReport } from '../../src/clients/contract/reading.ts'
import { reconcile } from '../../src/session/reconcile.ts'
import { type Message, SessionFile } from '../../src/session/schema.ts'

/** Sum of all buckets: must be the size of what was read. */
export function accounted(report: ReadReport): number {
  const sums = [
    report.kept,
    report.derived,
    ...Object.values(report.dropped),
    ...Object.values(report.unknown),
    ...report.unreadable,
  ]
  return sums.reduce((sum, { bytes }) => sum + bytes, 0)
}

export function ids({ messages }: Pick<Reading, 'messages'>): string[] {
  return messages.map(({ id }) => id)
}

/** The same without what the client did: compactions, ways back. */
export function said({ messages }: Pick<Reading, 'messages'>): string[] {
  return ids({ messages: messages.filter(({ event }) => event === undefined) })
}

/** Offsets at which a line begins, the end included. */
export function lineStarts(bytes: Uint8Array): number[] {
  const starts = [0]
  for (const [index, byte] of bytes.entries()) if (byte === 10) starts.push(index + 1)
  return starts
}

/** As publishing gathers what was read of a conversation at several times. */
export function gathered(readings: readonly Pick<Reading, 'messages'>[]): Message[] {
  const at = '2026-01-01T00:00:00Z'
  const session = SessionFile.parse({
    conversation_id: '001-brainstorm-x',
    conversation_type: 'brainstorm',
    created_at: at,
    last_active: at,
  })
  const segment = { client: 'any', nativeId: 'native', startedAt: at, mcpTools: [] }
  let lines: Message[] = []
  for (const { messages } of readings)
    lines = [...lines, ...reconcile(session, lines, [{ ...segment, messages }]).append]
  return reconcile(session, lines, []).messages
}
