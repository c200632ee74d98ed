import { blocksOf, type Fields, fieldsOf, textOf } from '../shared/transcript/fields.ts'
import { splitLines } from '../shared/transcript/lines.ts'
import { Before } from './read/before.ts'
import { inTalkOrder } from './read/message-order.ts'
import { fateOf, isClientText } from './read/rules.ts'
import { classifyText } from './read/typed.ts'

/**
 * `turnStart` first reads only this many bytes at the end. It reads the whole transcript if they do not contain the
 * start of the running turn.
 */
const NEAR_BYTES = 1024 * 1024

/**
 * The byte offset where the running turn begins. That is the last prompt, if no final answer follows it. If the model
 * has worked on after the end of a turn without a new prompt, it is the first record of that work. Otherwise it is the
 * end of the transcript: the prompt of the running turn is not written yet.
 */
export function turnStart(bytes: Uint8Array): number {
  const near = Math.max(0, bytes.length - NEAR_BYTES)
  return startAfter(bytes, near) ?? (near === 0 ? undefined : startAfter(bytes, 0)) ?? bytes.length
}

/**
 * The start of the running turn after `from`. Undefined when neither a prompt nor the end of a turn comes after `from`.
 */
function startAfter(bytes: Uint8Array, from: number): number | undefined {
  const before = new Before(bytes, from)
  const lines = inTalkOrder(splitLines(bytes, from), (uuid) => before.hasRecord(uuid))
  let start = bytes.length
  for (const { content, start: here } of lines.toReversed()) {
    if (content.kind !== 'record' || content.record.isSidechain === true) continue
    const step = stepOf(content.record)
    // A person's shell command begins a turn only if the model answered it.
    if (step === 'end' || (step === 'shell' && start === bytes.length)) return start
    // A command to the client, such as `/goal`, is part of the turn only if the model works after it.
    if (step === 'command' && start === bytes.length) continue
    // When a turn was written out of order, its answer can be above its prompt in the file.
    if (step !== undefined) start = Math.min(start, here)
    if (step === 'prompt' || step === 'shell') return start
  }
  return undefined
}

/** The meaning of a record for a turn: it begins the turn, it is the model's work in it, or it ends the turn. */
function stepOf(record: Fields): 'prompt' | 'shell' | 'command' | 'work' | 'end' | undefined {
  const fate = fateOf(record)
  switch (fate.as) {
    case 'user':
      return stepOfUser(record)
    case 'assistant':
      return isFinal(fieldsOf(record.message).stop_reason) ? 'end' : 'work'
    case 'turn-end':
      return 'end'
    case 'dropped':
      // The client answered in the model's place.
      return record.type === 'assistant' && fate.rule !== 'resume-context' ? 'end' : undefined
    default:
      return undefined
  }
}

function isFinal(stopReason: unknown): boolean {
  return typeof stopReason === 'string' && stopReason !== 'tool_use' && stopReason !== 'pause_turn'
}

function stepOfUser(record: Fields): ReturnType<typeof stepOf> {
  const { content } = fieldsOf(record.message)
  const blocks = blocksOf(content)
  if (blocks.some((block) => block.type === 'tool_result')) return undefined
  const typedBlocks = typeof content === 'string' ? blocks : blocks.filter((block) => !isClientText(block))
  if (typedBlocks.length === 0) return undefined
  const typed = classifyText(textOf(typedBlocks.find((block) => block.type === 'text')?.text))
  const { kind } = typed
  // The end of a background task wakes the model. Some versions mark its record as the client's own (`isMeta`).
  if (kind === 'note') return 'prompt'
  if (record.isMeta === true) return undefined
  if (kind === 'interruption') return 'end'
  if (kind === 'shell-input') return 'shell'
  if (kind === 'local-command') return typed.hasWords ? 'command' : undefined
  return kind === 'prompt' || kind === 'command' ? 'prompt' : undefined
}
