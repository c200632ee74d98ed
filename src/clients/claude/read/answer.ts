import type { Message } from '../../../session/schema.ts'
import { blocksOf, type Fields, fieldsOf, textOf } from '../../shared/transcript/fields.ts'

/** One API message of the model. Claude Code writes it as several lines, one for each content block. */
export interface Answer {
  /** The `message.id` that the API gave; '' when there is none. */
  apiId: string
  message: Message
  texts: string[]
  thoughts: string[]
}

/**
 * What a line added to the answer. `kept`: the answer contains at least one block of the line. `hidden`: at least one
 * block is ciphertext. `unknown`: the blocks of unknown types.
 */
export interface Added {
  kept: boolean
  hidden: boolean
  unknown: Fields[]
}

/** Adds the blocks of one line to the answer. Text stays byte for byte. */
export function addBlocks(answer: Answer, record: Fields): Added {
  const native = fieldsOf(record.message)
  const added: Added = { kept: false, hidden: false, unknown: [] }
  for (const block of blocksOf(native.content)) {
    if (block.type === 'text') answer.texts.push(textOf(block.text))
    else if (block.type === 'thinking') answer.thoughts.push(textOf(block.thinking))
    else if (block.type === 'tool_use') addCall(answer.message, block)
    else if (block.type === 'redacted_thinking') {
      // The block is ciphertext that only the API can read.
      added.hidden = true
      continue
    } else {
      added.unknown.push(block)
      continue
    }
    added.kept = true
  }
  const { message, texts } = answer
  message.content = texts.length > 1 ? texts.map((text) => ({ type: 'text', text })) : (texts[0] ?? '')
  const reasoning = answer.thoughts.filter((thought) => thought !== '').join('\n')
  if (reasoning !== '') message.reasoning = reasoning
  const model = textOf(native.model)
  if (model !== '') message.model = model
  // Every line contains the usage of the message. Only the usage in the last line is complete.
  const tokens = fieldsOf(native.usage).output_tokens
  if (typeof tokens === 'number' && tokens > 0) message.tokens = tokens
  return added
}

function addCall(message: Message, block: Fields): void {
  message.tool_calls ??= []
  message.tool_calls.push({ id: textOf(block.id), name: textOf(block.name), arguments: block.input ?? {} })
}
