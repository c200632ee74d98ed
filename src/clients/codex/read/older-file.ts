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
