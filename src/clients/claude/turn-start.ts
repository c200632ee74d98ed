import { type Line, splitLines } from '../lines.ts'
import { blocksOf, fieldsOf, textOf } from '../shape.ts'
import { sortTyped } from './read/typed.ts'

/** How far back the prompt of a running turn is looked for before the whole transcript is read. */
const NEAR = 1024 * 1024

/**
 * Byte offset of the record with which the running turn begins: the last prompt that has no final answer behind
 * it; the end of the transcript when every prompt is answered (the running turn's own is not written yet).
 */
export function turnStart(bytes: Uint8Array): number {
  const near = Math.max(0, bytes.length - NEAR)
  return (
    lastOpenPrompt(splitLines(bytes, near)) ??
    (near === 0 ? bytes.length : (lastOpenPrompt(splitLines(bytes)) ?? bytes.length))
  )
}

/** Undefined when no prompt or answer is among the lines. */
function lastOpenPrompt(lines: Line[]): number | undefined {
  const end = lines.at(-1)
  for (const line of lines.toReversed()) {
    if (line.content.kind !== 'record') continue
    const { record } = line.content
    if (record.isSidechain === true) continue
    if (record.type === 'assistant' && isFinal(fieldsOf(record.message).stop_reason))
      return end === undefined ? 0 : end.start + end.bytes.length
    if (record.type === 'user' && record.isMeta !== true && isPrompt(record)) return line.start
  }
  return undefined
}

function isFinal(stopReason: unknown): boolean {
  return typeof stopReason === 'string' && stopReason !== 'tool_use' && stopReason !== 'pause_turn'
}

function isPrompt(record: Record<string, unknown>): boolean {
  const blocks = blocksOf(fieldsOf(record.message).content)
  if (blocks.some((block) => block.type === 'tool_result')) return false
  const kind = sortTyped(textOf(blocks.find((block) => block.type === 'text')?.text)).kind
  return kind === 'prompt' || kind === 'command' || kind === 'shell-input'
}
