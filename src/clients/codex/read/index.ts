import type { RawTranscript, Reading } from '../../contract/reading.ts'
import { ByteLedger } from '../../shared/transcript/byte-ledger.ts'
import { bufferOf, splitLines } from '../../shared/transcript/lines.ts'
import { readSubagents } from './subagents.ts'
import { TranscriptReader } from './transcript-reader.ts'
import { untoldLines } from './untold.ts'

/**
 * Reads a thread of Codex CLI into messages, facts, and a report on every byte: its rollout files one behind the other
 * (../parts.ts). The format was observed on 0.169.0. Never throws on content. Pure: it reads nothing but what it is given.
 *
 * What lies before the segment is read too, since a rewind goes back there. What was said there is in the result only
 * where a line of the segment adds to it.
 */
export function readTranscript(raw: RawTranscript): Reading {
  const from = raw.from ?? 0
  const blobs = new Map<string, Uint8Array>()
  const ledger = new ByteLedger()
  const reader = new TranscriptReader(raw.nativeId, blobs)
  const { talk, calls } = reader
  const before = splitLines(raw.bytes, 0, from)
  const lines = splitLines(raw.bytes, from, raw.to, raw.firstLine)
  const untold = untoldLines([...before, ...lines], raw.firstLine !== undefined)
  reader.read(before, untold)
  talk.touched.clear()
  reader.lineage.missing.length = 0
  calls.agents.clear()
  // A rewind stands before the prompt with which a segment begins.
  const last = talk.messages.findLastIndex(({ event }) => event === undefined)
  const back = talk.messages.slice(last + 1).filter(({ event }) => event === 'rewound')
  reader.read(lines, untold, ledger)
  if (talk.touched.size > 0) for (const event of back) talk.touched.add(event)
  const messages = talk.messages.filter((message) => talk.touched.has(message))
  const { title, cwd, clientVersion } = reader
  const { model, settled } = reader.answers
  const { missing } = reader.lineage
  return {
    messages,
    subagents: readSubagents(raw, calls.agents, blobs),
    blobs,
    facts: {
      ...usedIn(messages),
      ...(model === undefined ? {} : { model }),
      ...(title === undefined ? {} : { title }),
      ...(cwd === undefined ? {} : { cwd }),
      ...(clientVersion === undefined ? {} : { clientVersion }),
      settled,
    },
    report: { ...ledger.report(), ...(missing.length === 0 ? {} : { missing }) },
  }
}

/** Whether a file goes on from another one there: only who knows that one can tell what of it still counts. */
export function refersBack(bytes: Uint8Array): boolean {
  return bufferOf(bytes).includes('"history_base"') || bufferOf(bytes).includes('"thread_rolled_back"')
}

function usedIn(messages: Reading['messages']) {
  const said = messages.filter(({ event }) => event === undefined)
  const [from, to] = [said[0]?.native_id, said.at(-1)?.native_id]
  const names = said.flatMap((message) => message.tool_calls ?? []).map(({ name }) => name)
  return {
    mcpTools: [...new Set(names.filter((name) => name.startsWith('mcp__')))].sort(),
    calledToolsOnly: true as const,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  }
}
