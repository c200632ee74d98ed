import {
  blocksOf,
  type Fields,
  fieldsOf,
  isObject,
  jsonIn,
  listOf,
  textOf,
} from '../../shared/transcript/fields.ts'

/**
 * Brings a line of a rollout into the form that Codex has written since September 2025: `{ timestamp, type, payload }`.
 * In older files, the first line is the session's metadata: `{ id, timestamp, instructions, git }`. Each other line is
 * an item of the request without a time, or `{ record_type: "state" }`.
 */
export function inEnvelope(record: Fields): Fields {
  if (record.payload !== undefined) return record
  if (record.record_type === 'state') return { type: 'session_state' }
  if (isBareItem(record)) return { type: 'response_item', payload: record, bare: true }
  return isBareMeta(record) ? { timestamp: record.timestamp, type: 'session_meta', payload: record } : record
}

function isBareMeta({ id, timestamp, type, instructions }: Fields): boolean {
  return type === undefined && instructions !== undefined && textOf(id) !== '' && textOf(timestamp) !== ''
}

function isBareItem(record: Fields): boolean {
  const { type, role, content, summary, call_id: call } = record
  if (type === 'message') return textOf(role) !== '' && Array.isArray(content)
  if (type === 'reasoning') return Array.isArray(summary)
  if (type === 'local_shell_call') return record.action !== undefined
  return BARE_CALLS.has(textOf(type)) && textOf(call) !== ''
}

const BARE_CALLS = new Set([
  'custom_tool_call',
  'custom_tool_call_output',
  'function_call',
  'function_call_output',
])

/** The folder that a message about the session's environment names; '' for any other message. */
export function folderIn(payload: Fields): string {
  const [first] = listOf(payload.content)
  const text = textOf((first as Fields | undefined)?.text)
  if (!text.startsWith('<environment_context>')) return ''
  return (
    /<cwd>([^<]+)<\/cwd>|Current working directory: ([^\n]+)/.exec(text)?.slice(1).find(Boolean)?.trim() ?? ''
  )
}

/**
 * Makes a transcript from a session file of the first Codex CLI (2025, written in TypeScript): one JSON object with the
 * session's metadata and the items of the request, without times. With a model of another vendor the items are messages of
 * the chat API. Undefined for any other text.
 */
export function fromOlderFile(text: string): string | undefined {
  if (!/^\ufeff?\s*\{/.test(text)) return undefined
  const file = jsonIn(text.replace(/^\ufeff/, ''))
  if (!isObject(file) || !isObject(file.session) || !Array.isArray(file.items)) return undefined
  return [file.session, ...file.items.flatMap(itemsOf)]
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('')
}

/** Returns a message of the chat API as the items that the later form has for it, and any other item as it is. */
function itemsOf(item: unknown): unknown[] {
  if (!isObject(item) || item.type !== undefined) return [item]
  const { role, content, reasoning, tool_calls: calls, tool_call_id: call_id } = item
  if (role === 'tool') return [{ type: 'function_call_output', call_id, output: content }]
  const parts = blocksOf(content).flatMap((part) =>
    partOf(part, role === 'user' ? 'input_text' : 'output_text'),
  )
  const isNotice =
    role === 'assistant' && Array.isArray(content) && parts.every(({ text }) => NOTICE.test(textOf(text)))
  const thought = textOf(reasoning)
  return [
    ...(thought === '' ? [] : [{ type: 'reasoning', summary: [{ type: 'summary_text', text: thought }] }]),
    ...(parts.length === 0 ? [] : [{ type: 'message', role: isNotice ? 'developer' : role, content: parts }]),
    ...listOf(calls)
      .map(fieldsOf)
      .map(({ id, function: called }) => {
        const { name, arguments: given } = fieldsOf(called)
        return { type: 'function_call', call_id: id, name, arguments: given }
      }),
  ]
}

/** Returns a part of a message in the later form; none for an empty text. What it is not known to be stays as it is. */
function partOf(part: Fields, type: 'input_text' | 'output_text'): Fields[] {
  const { text, image_url: image } = part
  if (image !== undefined) return [{ type: 'input_image', image_url: textOf(fieldsOf(image).url) || image }]
  if (typeof text !== 'string') return [part]
  return text === '' ? [] : [{ type, text }]
}

/** What that client says in the agent's name when the person has changed a setting. */
const NOTICE = /^Switched (?:approval mode|model|provider) to \S+$/
