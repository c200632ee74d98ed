import type { RawTranscript, Reading } from '../../contract/reading.ts'
import type { Fields } from '../../shared/transcript/fields.ts'
import { splitLines } from '../../shared/transcript/lines.ts'
import { readTalk } from '../../shared/transcript/read-talk.ts'
import { followsElsewhere } from '../../shared/transcript/tree-talk.ts'
import { callsTool, fateOf } from './rules.ts'
import { TranscriptReader } from './transcript-reader.ts'
import { isSent, typedIn } from './typed.ts'

/** Reads a session of Qwen Code. The format was observed on 0.24.4. */
export function readTranscript(raw: RawTranscript): Reading {
  return readTalk(raw, new TranscriptReader(raw))
}

/** Whether a record, apart from the first one, follows a record that is not in these bytes. */
export function refersBack(bytes: Uint8Array): boolean {
  return followsElsewhere(bytes, 'uuid', 'parentUuid')
}

/**
 * The byte offset of the record that begins the running turn: the last prompt without a final answer after it, or the
 * record before that prompt which says what the person typed. It is the end of the file when every prompt is answered.
 */
export function turnStart(bytes: Uint8Array): number {
  let start: number | undefined
  let prompt: Fields | undefined
  for (const line of splitLines(bytes).toReversed()) {
    const record = line.content.kind === 'record' ? line.content.record : undefined
    if (record === undefined) continue
    // The prompt of a command follows its own record, with further records of the client between them.
    if (isSent(record) || (prompt !== undefined && typedIn(record, prompt) !== undefined)) return line.start
    const { as } = fateOf(record)
    if (start !== undefined && as !== 'dropped' && as !== 'derived') return start
    if (isFinal(record)) break
    if (as === 'prompt' || as === 'notification') start = line.start
    if (as === 'prompt') prompt = record
  }
  return start ?? bytes.length
}

function isFinal(record: Fields): boolean {
  const { as } = fateOf(record)
  return (as === 'answer' && !callsTool(record)) || as === 'rewind'
}
