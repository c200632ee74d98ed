import { rescueList } from '../shared/transcript/cut-json.ts'
import { type Fields, fieldsOf, isObject, jsonIn, listOf, textOf } from '../shared/transcript/fields.ts'

/**
 * Makes the transcript from the output of `opencode export`. If the output was cut, the transcript has the complete
 * messages, and the rest as an unreadable line. Undefined for any other text.
 */
export function fromExport(text: string): string | undefined {
  const whole = linesIn(text.replace(/^\ufeff/, ''))
  if (whole !== undefined) return whole
  const rescued = /^\ufeff?\s*\{\s*"info"/.test(text) ? rescueList(text, 'messages') : undefined
  const lines = rescued === undefined ? undefined : linesIn(rescued.json)
  if (rescued === undefined || lines === undefined) return undefined
  const rest = text.slice(rescued.end).replaceAll(/[\r\n]/g, ' ')
  return rest.trim() === '' ? lines : `${lines}${rest}\n`
}

function linesIn(text: string): string | undefined {
  const session = jsonIn(text)
  const id = textOf(fieldsOf(fieldsOf(session).info).id)
  const records = id === '' ? undefined : recordsOf(id, session)
  return records?.map((record) => `${JSON.stringify(record)}\n`).join('')
}

/**
 * The records of an exported session. Its subagents have exports of their own. Undefined when it is not a whole
 * session.
 */
export function recordsOf(id: string, session: unknown): Fields[] | undefined {
  const { info, messages } = fieldsOf(session)
  const records = listOf(messages).map((message) => recordOf(fieldsOf(message)))
  if (!Array.isArray(messages) || !records.every(isObject)) return undefined
  return [{ type: 'session', id, info, mcp: [] }, ...withOwnIds(records)]
}

/**
 * The messages with one id for each. An export has each message once, so two with one id and different contents are two
 * messages, one of whose ids a program has scrubbed.
 */
function withOwnIds(records: readonly Fields[]): Fields[] {
  const contents = new Map<string, Map<string, string>>()
  return records.map((record) => {
    const native = textOf(record.id)
    const ids = contents.get(native) ?? new Map<string, string>()
    contents.set(native, ids)
    const content = JSON.stringify([record.info, record.parts])
    const id = ids.get(content) ?? (ids.size === 0 ? native : `${native}~${ids.size}`)
    ids.set(content, id)
    return { ...record, id }
  })
}

/** The record of a message. Undefined where this is not a message. */
function recordOf({ info, parts }: Fields): Fields | undefined {
  return isObject(info) && Array.isArray(parts) ? { type: 'message', id: info.id, info, parts } : undefined
}
