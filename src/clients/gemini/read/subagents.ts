import type { Message } from '../../../session/schema.ts'
import type { RawTranscript } from '../../contract/reading.ts'
import { splitLines } from '../../shared/transcript/lines.ts'
import { TranscriptReader } from './transcript-reader.ts'

/**
 * Messages of subagents, by the call that started them. Each subagent has a session of its own, with a file in the side
 * folder. The call contains the id of that session (`agentId`). The file is complete as soon as the call has ended.
 */
export function readSubagents(
  raw: RawTranscript,
  agents: ReadonlyMap<string, string>,
  blobs: Map<string, Uint8Array>,
): Record<string, Message[]> {
  const found = [...agents].flatMap(([agent, call]): [string, Message[]][] => {
    const bytes = raw.readSideFile(`${agent}.jsonl`)
    if (bytes === undefined) return []
    const reader = new TranscriptReader(agent, blobs, (name) => raw.readSideFile(`outputs/${name}`))
    reader.read(splitLines(bytes))
    return [[call, reader.writer.messages]]
  })
  return Object.fromEntries(found)
}
