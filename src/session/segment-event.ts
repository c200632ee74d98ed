import { crypto } from '../hash.ts'
import type { EventName, Message } from './schema.ts'

/** How a segment of a native session came to belong to a conversation. */
export interface SegmentBegin {
  client: string
  nativeId: string
  /** The native id of the segment's first record. With it, the event has the same id on every machine. */
  from: string | undefined
  startedAt: string
  how: 'start' | 'resume' | 'adopt' | 'import'
  cleared?: boolean | undefined
}

/**
 * The line that marks where a segment begins; it goes before the segment's first message. A segment without messages
 * has no such line.
 */
export function segmentEvent(begin: SegmentBegin, messages: readonly Message[]): Message[] {
  const first = messages[0]
  if (first === undefined) return []
  const event: EventName = begin.cleared === true ? 'cleared' : begin.how === 'resume' ? 'resumed' : 'started'
  const identity = [begin.client, event, begin.nativeId, begin.from ?? ''].join('\0')
  return [
    {
      id: crypto().createHash('sha256').update(identity).digest('hex').slice(0, 32),
      role: 'system',
      content: '',
      timestamp: begin.startedAt,
      client: begin.client,
      native_session: begin.nativeId,
      ...(first.seq === undefined ? {} : { seq: first.seq }),
      event,
      ...(begin.how === 'adopt' || begin.how === 'import' ? { how: begin.how } : {}),
    },
  ]
}
