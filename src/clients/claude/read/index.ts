import type { RawTranscript, Reading } from '../../client.ts'
import { Account } from './account.ts'
import { readFacts } from './facts.ts'
import { splitLines } from './lines.ts'
import { Strands } from './subagents.ts'
import { Talk } from './talk.ts'

/**
 * A Claude Code transcript → messages, facts, and an account of every byte. Format: observed on 2.1.38, 2.1.39,
 * 2.1.197 and 2.1.330. Never throws on content. Pure: it reads nothing but what it is given.
 *
 * A stretch is read by itself: what lies before it is looked at only for line numbers, for whether a parent lies
 * there, and for the tools that were given. So the stretch should not begin inside an answer of the model.
 */
export function readTranscript(raw: RawTranscript): Reading {
  const from = raw.from ?? 0
  const lines = splitLines(raw.bytes, from, raw.to)
  const blobs = new Map<string, Uint8Array>()
  const buffer = Buffer.from(raw.bytes.buffer, raw.bytes.byteOffset, raw.bytes.byteLength)
  const firstAttachment = buffer.indexOf('"type":"attachment"')
  const context = {
    nativeSession: raw.nativeId,
    blobs,
    side: (path: string) => raw.side(path),
    liesBefore: (uuid: string) => {
      const at = buffer.indexOf(`"uuid":${JSON.stringify(uuid)}`)
      return at !== -1 && at < from
    },
    attachmentsFrom: firstAttachment === -1 ? Number.POSITIVE_INFINITY : firstAttachment,
  }
  const account = new Account()
  const strands = new Strands(raw)
  const talk = new Talk({ ...context, account, subagent: (line, record) => strands.add(line, record) })
  talk.read(lines)
  const subagents = strands.read(talk, from === 0, (strand) => {
    const own = new Talk({ ...context, liesBefore: () => false, account: new Account(), subagent: 'self' })
    own.read(strand)
    return own
  })
  const { model, settled, messages } = talk
  return {
    messages,
    subagents,
    blobs,
    facts: { ...readFacts(raw.bytes, from, lines), ...(model === undefined ? {} : { model }), settled },
    report: account.report(),
  }
}
