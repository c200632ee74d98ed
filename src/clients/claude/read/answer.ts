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
 * block is ciphertext. `results`: the results of tools that the API itself ran. `unknown`: the blocks of unknown types.
 */
export interface Added {
  kept: boolean
  hidden: boolean
  results: Fields[]
  unknown: Fields[]
}

/** Adds the blocks of one line to the answer. Text stays byte for byte. */
export function addBlocks(answer: Answer, record: Fields): Added {
  const native = fieldsOf(record.message)
  const added: Added = { kept: false, hidden: false, results: [], unknown: [] }
  for (const block of blocksOf(native.content)) {
    if (block.type === 'text') answer.texts.push(textOf(block.text))
    else if (block.type === 'thinking') answer.thoughts.push(textOf(block.thinking))
    else if (CALLS.has(textOf(block.type))) addCall(answer.message, block)
    else if (isServerResult(block)) added.results.push(block)
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

/** Calls of the client's tools, and of tools that the API runs: its own, such as web_search, and those of an MCP server. */
const CALLS = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use'])

function isServerResult({ type, tool_use_id: id }: Fields): boolean {
  return textOf(type).endsWith('_tool_result') && typeof id === 'string'
}

/** The words in the result of a tool that the API ran: titles, addresses, texts, outputs. The rest is ciphertext. */
export function serverResult(content: unknown): string {
  const words: string[] = []
  const collect = (value: unknown, key = ''): void => {
    if (typeof value === 'string') {
      if (SHOWN.has(key)) words.push(value)
    } else if (Array.isArray(value)) for (const one of value) collect(one, key)
    else for (const [name, one] of Object.entries(fieldsOf(value))) collect(one, name)
  }
  collect(content, 'text')
  return words.filter((one) => one !== '').join('\n')
}

const SHOWN = new Set(['title', 'url', 'text', 'data', 'stdout', 'stderr', 'error_code'])

function addCall(message: Message, block: Fields): void {
  message.tool_calls ??= []
  message.tool_calls.push({ id: textOf(block.id), name: textOf(block.name), arguments: block.input ?? {} })
}
