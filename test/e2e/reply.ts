import { randomBytes } from 'node:crypto'

/** What the fake model says: text, or blocks in order. */
export type Reply = string | Block | Block[] | HeldReply | typeof LIMIT

/** The provider refuses the request: the person has reached their limit of use. Only Anthropic's API knows it here. */
export const LIMIT = Symbol('the limit of use is reached')

/** A reply whose first bytes are sent at once and whose end waits, to catch a client in the middle of a turn. */
interface HeldReply {
  blocks: Block[]
  until: Promise<unknown>
}

export type Block =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> }

export const text = (value: string): Block => ({ type: 'text', text: value })

export const thinking = (value: string): Block => ({
  type: 'thinking',
  thinking: value,
  signature: 'c2lnbmVk',
})

export const tool = (name: string, input: Record<string, unknown>): Block => ({
  type: 'tool_use',
  id: `toolu_${hex()}`,
  name,
  input,
})

export const bash = (command: string): Block => tool('Bash', { command, description: 'a scripted command' })

export const read = (path: string): Block => tool('Read', { file_path: path })

export function blocksOf(reply: Reply): Block[] {
  if (typeof reply === 'string') return [text(reply)]
  if (reply === LIMIT) throw new Error('this API has no answer for a limit')
  if (Array.isArray(reply)) return reply
  return 'blocks' in reply ? reply.blocks : [reply]
}

/** Until when the end of a reply waits. */
export function heldUntil(reply: Reply): Promise<unknown> | undefined {
  return typeof reply === 'object' && 'until' in reply ? reply.until : undefined
}

/** The whole answer of the Messages API. Ids differ in every run, as the real ones do. */
export function asMessage(model: string, blocks: Block[]) {
  return {
    id: `msg_${hex()}`,
    type: 'message',
    role: 'assistant',
    model,
    content: blocks,
    stop_reason: blocks.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: 100,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 20,
    },
  }
}

type StreamEvent = { type: string; [field: string]: unknown }

/** The same answer as the API streams it. */
export function asEvents(message: ReturnType<typeof asMessage>): StreamEvent[] {
  const { content, stop_reason, stop_sequence, usage } = message
  const begun = { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } }
  return [
    { type: 'message_start', message: begun },
    ...content.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: emptied(block) },
      ...deltas(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage: { output_tokens: 20 } },
    { type: 'message_stop' },
  ]
}

function emptied(block: Block): Block {
  if (block.type === 'text') return { ...block, text: '' }
  if (block.type === 'thinking') return { ...block, thinking: '', signature: '' }
  return { ...block, input: {} }
}

function deltas(block: Block): Record<string, unknown>[] {
  if (block.type === 'text') return [{ type: 'text_delta', text: block.text }]
  if (block.type === 'tool_use') {
    return [{ type: 'input_json_delta', partial_json: JSON.stringify(block.input) }]
  }
  return [
    { type: 'thinking_delta', thinking: block.thinking },
    { type: 'signature_delta', signature: block.signature },
  ]
}

function hex(): string {
  return randomBytes(12).toString('hex')
}
