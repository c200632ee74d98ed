import { sha256 } from '../../../crypto.ts'
import type { Message } from '../../../session/schema.ts'
import type { RawTranscript, Reading } from '../../contract/reading.ts'
import { ByteLedger } from '../../transcript/byte-ledger.ts'
import { blocksOf, fieldsOf, plainText, textOf } from '../../transcript/fields.ts'
import { splitLines } from '../../transcript/lines.ts'
import { SEED } from './rules.ts'

/** Reads what was typed and answered. */
export function readTranscript({ nativeId, bytes, from = 0, to }: RawTranscript): Reading {
  const ledger = new ByteLedger()
  const messages: Message[] = []
  for (const line of splitLines(bytes, from, to)) {
    const { content } = line
    const record = content.kind === 'record' ? content.record : {}
    const item = fieldsOf(fieldsOf(record.payload).item)
    const role = ROLES[textOf(item.type)]
    const id = textOf(item.id)
    const isSeed = id.startsWith(SEED)
    if (role === undefined || isSeed) {
      ledger.enter(line, { dropped: isSeed ? 'resume-context' : 'client-state' })
      continue
    }
    ledger.enter(line, 'kept')
    messages.push({
      id: sha256(`codex\0${id}`).slice(0, 32),
      role,
      content: blocksOf(item.content)
        .map((part) => plainText(part.text))
        .join(''),
      timestamp: textOf(record.timestamp),
      native_id: id,
      client: 'codex',
      native_session: nativeId,
      seq: line.seq,
    })
  }
  const settled = messages.at(-1)?.role === 'assistant'
  const facts = { mcpTools: [], settled }
  return { messages, subagents: {}, blobs: new Map(), facts, report: ledger.report() }
}

const ROLES: Record<string, 'user' | 'assistant'> = { UserMessage: 'user', AgentMessage: 'assistant' }
