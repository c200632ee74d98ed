import { splitLines } from '../../../src/clients/shared/transcript/lines.ts'

/** Offset of the last prompt, if no answer follows it; otherwise the end. */
export function turnStart(bytes: Uint8Array): number {
  for (const { content, start } of splitLines(bytes).toReversed()) {
    if (content.kind !== 'record') continue
    if (content.record.role === 'assistant') break
    if (content.record.role === 'user') return start
  }
  return bytes.length
}
