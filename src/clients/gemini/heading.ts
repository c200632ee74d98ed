import { titleLine } from '../shared/transcript/facts.ts'
import { type Fields, fieldsOf, isObject, listOf, textOf } from '../shared/transcript/fields.ts'
import { splitLines } from '../shared/transcript/lines.ts'
import { oneObject } from './read/one-object.ts'
import { bodyOf } from './read/parts.ts'
import { isSeed } from './read/rules.ts'
import { sortSaid } from './read/said.ts'

/** Id and title of a session file from its two ends, for a list to choose from. */
export function readHeading(head: Uint8Array, tail: Uint8Array) {
  const heading = { nativeId: '', title: '', isMain: true, said: false }
  let own = ''
  let first = ''
  const old = oneObject(head)
  for (const { content } of old ?? [...splitLines(head), ...splitLines(tail)]) {
    if (content.kind !== 'record') continue
    const { record } = content
    if (heading.nativeId === '' && typeof record.projectHash === 'string') {
      heading.nativeId = textOf(record.sessionId)
      heading.isMain = record.kind !== 'subagent'
    }
    own = textOf(fieldsOf(record.$set).summary) || textOf(record.summary) || own
    for (const message of messagesIn(record)) {
      if (message.type === 'gemini') heading.said = true
      first ||= typedIn(message)
    }
  }
  heading.said ||= first !== ''
  heading.title = titleLine(own || first)
  return heading
}

function messagesIn(record: Fields): Fields[] {
  if (typeof record.id === 'string') return [record]
  return [...listOf(fieldsOf(record.$set).messages), ...listOf(record.messages)].filter(isObject)
}

function typedIn(message: Fields): string {
  if (message.type !== 'user' || isSeed(message)) return ''
  const said = sortSaid(message)
  if (said.kind === 'shell') return `!${said.command}`
  const content = said.kind === 'prompt' ? bodyOf(said.parts, new Map()).content : ''
  return typeof content === 'string'
    ? content
    : (content.find((part) => part.type === 'text')?.text as string) || ''
}
