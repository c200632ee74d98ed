import { describe, expect, test } from 'vitest'
import { messagesIn } from '../../../src/conversation/segments/messages-in.ts'
import { extendToTurnEnd } from '../../../src/conversation/segments/running-turn.ts'
import { isPrompt } from '../../../src/session/live-path.ts'
import type { Binding } from '../../../src/store/machine/binding.ts'
import { everyFixture } from '../../clients/contract/every-client.ts'
import { lineStarts } from '../../clients/readings.ts'
import { tempFolder } from '../../helpers/repository.ts'

describe.each(everyFixture)('a stop from elsewhere in $title', ({ client, raw: { bytes, nativeId } }) => {
  const starts = lineStarts(bytes)
  /** Where the turns begin that begin with a prompt, as the client's reader sees them just after each prompt. */
  const turns = messagesIn({ client: client.id, nativeId }, bytes)
    .filter((message) => isPrompt(message) && Number.isInteger(message.seq))
    .map(({ seq }) => ({ start: client.reading.turnStart(bytes.subarray(0, starts[seq! + 1])), seq: seq! }))
    .filter(({ start, seq }) => start < starts[seq + 1]!)

  test('after a prompt gets all of its turn, and nothing of the next one', () => {
    for (const { seq } of turns) {
      const stop = starts[seq + 1]!
      const next = turns.find(({ start }) => start >= stop)?.start ?? bytes.length
      const end = extended(stop)
      expect(end, `stopped at ${stop}`).toBeLessThanOrEqual(next)
      // A turn that the client began itself is a later turn too: after a background task, or to compact the talk.
      const [first] = messagesIn({ client: client.id, nativeId }, bytes, end, next)
      expect([undefined, 'system', 'tool'], `stopped at ${stop}`).toContain(first?.role)
    }
  })

  /** Where a segment that ended at `to` ends, when the journal has all bytes. No hook has noted a turn. */
  function extended(to: number): number {
    const segment = {
      conversation: 'c',
      journal: 'j',
      from: 0,
      to,
      how: 'start',
      ended_by: 'elsewhere',
      started_at: '',
    } as const
    const binding: Binding = {
      client: client.id,
      native_id: nativeId,
      transcript: '',
      root: '',
      segments: [segment],
    }
    const copy = { generation: 'j', size: bytes.length, read: () => bytes }
    return extendToTurnEnd({ local: tempFolder() }, binding, copy).segments[0]!.to!
  }
})
