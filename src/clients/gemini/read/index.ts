import type { RawTranscript, Reading, ReadingFacts } from '../../contract/reading.ts'
import { ByteLedger } from '../../shared/transcript/byte-ledger.ts'
import { fieldsOf, textOf } from '../../shared/transcript/fields.ts'
import { bufferOf, type Line, splitLines } from '../../shared/transcript/lines.ts'
import { oneObject } from './one-object.ts'
import { readSubagents } from './subagents.ts'
import { TranscriptReader } from './transcript-reader.ts'

/**
 * Reads a Gemini CLI session file into messages, facts, and a report on every byte. The format was observed on 0.61.0.
 * Never throws on content. Pure: it reads nothing but what it is given.
 *
 * What lies before the segment is read too, since records refer to the client's list. What was said there is in the
 * result only where a record of the segment adds to it.
 */
export function readTranscript(raw: RawTranscript): Reading {
  const from = raw.from ?? 0
  const old = oneObject(raw.bytes.subarray(0, raw.to))
  const before = old === undefined ? splitLines(raw.bytes, 0, from) : from > 0 ? old : []
  const lines = old === undefined ? splitLines(raw.bytes, from, raw.to, raw.firstLine) : from > 0 ? [] : old
  const blobs = new Map<string, Uint8Array>()
  const ledger = new ByteLedger()
  const reader = new TranscriptReader(raw.nativeId, blobs, (name) => raw.side(`outputs/${name}`))
  reader.read(before)
  reader.touched.clear()
  // The client writes a rewind before the prompt with which a segment begins.
  const last = reader.messages.findLastIndex(({ event }) => event === undefined)
  const back = reader.messages.slice(last + 1).filter(({ event }) => event === 'rewound')
  reader.agents.clear()
  reader.read(lines, ledger)
  if (reader.touched.size > 0) for (const event of back) reader.touched.add(event)
  const messages = reader.messages.filter((message) => reader.touched.has(message))
  return {
    messages,
    subagents: readSubagents(raw, reader.agents, blobs),
    blobs,
    facts: {
      ...factsOf(lines, messages),
      ...(reader.model === undefined ? {} : { model: reader.model }),
      settled: reader.settled,
    },
    report: ledger.report(),
  }
}

/** Whether the client writes its list again there: only who knows the list can tell what of it is new. */
export function refersBack(bytes: Uint8Array): boolean {
  return bufferOf(bytes).includes('"messages":[')
}

function factsOf(
  lines: readonly Line[],
  messages: Reading['messages'],
): Omit<ReadingFacts, 'model' | 'settled'> {
  const said = messages.filter((message) => message.event === undefined)
  const [from, to] = [said[0]?.native_id, said.at(-1)?.native_id]
  const title = lines.map(titleIn).findLast((one) => one !== '')
  const calls = said.flatMap((message) => message.tool_calls ?? [])
  const mcpTools = new Set(calls.map(({ name }) => name).filter((name) => name.startsWith('mcp__')))
  return {
    mcpTools: [...mcpTools].sort(),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(title === undefined ? {} : { title }),
  }
}

/** The client asks the model for a title at the next start, and adds the title to the file then. */
function titleIn({ content }: Line): string {
  if (content.kind !== 'record') return ''
  return textOf(fieldsOf(content.record.$set).summary) || textOf(content.record.summary)
}
