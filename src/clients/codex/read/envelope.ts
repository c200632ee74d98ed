import { type Fields, listOf, textOf } from '../../shared/transcript/fields.ts'

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
