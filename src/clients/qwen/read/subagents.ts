import type { Message } from '../../../session/schema.ts'
import type { RawTranscript } from '../../contract/reading.ts'
import { objectIn } from '../../shared/setup/question.ts'
import { splitLines } from '../../shared/transcript/lines.ts'
import { TranscriptReader } from './transcript-reader.ts'

/**
 * Messages of subagents, by the call that started them. Each subagent has a transcript in the side folder, and beside it
 * a file that names the call (`toolUseId`).
 */
export function readSubagents(
  raw: RawTranscript,
  calls: ReadonlySet<string>,
  blobs: Map<string, Uint8Array>,
): Record<string, Message[]> {
  if (calls.size === 0) return {}
  const found = raw.sideFiles.flatMap((path): [string, Message[]][] => {
    if (!path.endsWith('.jsonl')) return []
    const about = raw.readSideFile(path.replace(/\.jsonl$/, '.meta.json'))
    const { toolUseId } = objectIn(Buffer.from(about ?? []).toString('utf8'))
    const bytes = typeof toolUseId === 'string' && calls.has(toolUseId) ? raw.readSideFile(path) : undefined
    if (bytes === undefined) return []
    const reader = new TranscriptReader(raw.nativeId, blobs)
    reader.read(splitLines(bytes))
    return [[toolUseId as string, reader.writer.messages]]
  })
  return Object.fromEntries(found)
}
