import { type Fields, fieldsOf, isObject, listOf, textOf } from '../../shared/transcript/fields.ts'
import type { Line } from '../../shared/transcript/lines.ts'
import { fromOpenCode2 } from './opencode-2.ts'
import type { OpenCodeRecord } from './record.ts'

/** The record of a line. Undefined for a line without one. */
export function recordIn(line: Line): OpenCodeRecord | undefined {
  return line.content.kind === 'record' ? recordOf(line.content.record) : undefined
}

/** Undefined for fields that are none of these records. */
function recordOf(fields: Fields): OpenCodeRecord | undefined {
  const id = textOf(fields.id)
  const info = fieldsOf(fields.info)
  if (id === '') return undefined
  if (fields.type === 'session') return { type: 'session', id, info, mcp: listOf(fields.mcp).map(textOf) }
  if (fields.type === 'message' && isObject(fields.message)) return fromOpenCode2(fields)
  if (fields.type === 'removed') return { type: 'removed', id, session: textOf(fields.sessionID) }
  if (fields.type !== 'message' || textOf(info.role) === '') return undefined
  const parts = listOf(fields.parts).filter(isObject)
  return { type: 'message', id, session: textOf(info.sessionID), info, parts }
}
