import { type Fields, fieldsOf, isObject, listOf, textOf } from '../../shared/transcript/fields.ts'
import type { OpenCodeRecord } from './record.ts'

/** Notes of the client between the messages. */
const NOTES = new Set(['agent-switched', 'model-switched', 'location-switched', 'idle'])
/** Texts that the client itself says to the model. */
const SYNTHETIC = new Set(['synthetic', 'system', 'skill'])

/**
 * Converts a message of OpenCode 2 (`Session.Message.Info` of its public schema) into the shape of 1.18, which the
 * other modules read. A message of an unknown kind keeps that kind as its role, and so becomes an unknown event with
 * all its content.
 */
export function fromOpenCode2(record: Fields): OpenCodeRecord {
  const message = fieldsOf(record.message)
  const id = textOf(record.id)
  const session = textOf(record.sessionID)
  const type = textOf(message.type)
  if (NOTES.has(type)) return { type: 'note', id, session }
  const base = { id, sessionID: session, time: message.time }
  const as = (role: string, info: Fields, parts: Fields[]): OpenCodeRecord => {
    return { type: 'message', id, session, info: { ...base, role, ...info }, parts }
  }
  if (type === 'user') return as('user', {}, saidParts(message))
  if (SYNTHETIC.has(type)) return as('user', {}, [{ type: 'text', text: message.text, synthetic: true }])
  if (type === 'assistant') return as('assistant', answerInfo(message), answerParts(message))
  if (type === 'compaction' && message.status === 'completed')
    return as('assistant', { summary: true, finish: 'stop' }, [{ type: 'text', text: message.summary }])
  return as(type || 'unknown', {}, [message])
}

/** Our plugin notes the command as it was typed in the metadata. */
function saidParts({ text, files, metadata }: Fields): Fields[] {
  const given = listOf(files).map(fieldsOf)
  return [
    ...given.map(({ uri, mime, name }) => ({ type: 'file', url: uri, mime, filename: name })),
    { type: 'text', text, metadata },
  ]
}

function answerInfo({ model, finish, error, tokens }: Fields): Fields {
  const { id, providerID } = fieldsOf(model)
  const name = textOf(fieldsOf(error).type) || 'error'
  return {
    modelID: id,
    providerID,
    finish,
    tokens,
    ...(isObject(error) ? { error: { ...error, name } } : {}),
  }
}

function answerParts({ content }: Fields): Fields[] {
  return listOf(content)
    .map(fieldsOf)
    .map((part) => (part.type === 'tool' ? toolPart(part) : part))
}

function toolPart({ id, name, state, time }: Fields): Fields {
  const { status, input, content, error, metadata } = fieldsOf(state)
  const output = listOf(content)
    .map((one) => textOf(fieldsOf(one).text))
    .join('\n')
  const states: Record<string, Fields> = {
    completed: { status, input, output },
    error: { status, input, error: textOf(fieldsOf(error).message) || output },
    running: { status, input },
  }
  const end = fieldsOf(time).completed
  const said = states[textOf(status)] ?? { status: 'pending', input: {} }
  return { type: 'tool', id, callID: id, tool: name, state: { ...said, metadata, time: { end } } }
}
