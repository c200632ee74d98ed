import { bodyOf } from '../shared/genai/parts.ts'
import { titleLine } from '../shared/transcript/facts.ts'
import { type Fields, fieldsOf, isObject, listOf, textOf } from '../shared/transcript/fields.ts'
import { splitLines } from '../shared/transcript/lines.ts'
import { oneObject } from './read/one-object.ts'
import { isSeed } from './read/rules.ts'
import { classifyUserRecord } from './read/said.ts'
import { beginsWithTask } from './read/shared-file.ts'

/** Reads the id and the title of a session file from its two ends, for lists of sessions. */
export function readHeading(head: Uint8Array, tail: Uint8Array) {
  const heading = { nativeId: '', title: '', isMain: true, sharesId: false, hasTalk: false }
  let ownTitle = ''
  let firstPrompt = ''
  const old = oneObject(head)
  for (const { content } of old ?? [...splitLines(head), ...splitLines(tail)]) {
    if (content.kind !== 'record') continue
    const { record } = content
    if (heading.nativeId === '' && typeof record.projectHash === 'string') {
      heading.nativeId = textOf(record.sessionId)
      heading.sharesId = beginsWithTask(record)
      heading.isMain = record.kind !== 'subagent' && !heading.sharesId
    }
    ownTitle = textOf(fieldsOf(record.$set).summary) || textOf(record.summary) || ownTitle
    for (const message of messagesIn(record)) {
      if (message.type === 'gemini') heading.hasTalk = true
      firstPrompt ||= typedIn(message)
    }
  }
  heading.hasTalk ||= firstPrompt !== ''
  heading.title = titleLine(ownTitle || firstPrompt)
  return heading
}

/**
 * For the file of a subagent: the session that started it. Since a subagent has an id of its own, only the name of the
 * file's folder says which session that is ('').
 */
export function subagentOf(bytes: Uint8Array): string | undefined {
  const { isMain, nativeId, sharesId } = readHeading(bytes, new Uint8Array())
  return isMain ? undefined : sharesId ? nativeId : ''
}

function messagesIn(record: Fields): Fields[] {
  if (typeof record.id === 'string') return [record]
  return [...listOf(fieldsOf(record.$set).messages), ...listOf(record.messages)].filter(isObject)
}

function typedIn(message: Fields): string {
  if (message.type !== 'user' || isSeed(message)) return ''
  const classified = classifyUserRecord(message)
  if (classified.kind === 'shell') return `!${classified.command}`
  const content = classified.kind === 'prompt' ? bodyOf(classified.parts, new Map()).content : ''
  return typeof content === 'string'
    ? content
    : (content.find((part) => part.type === 'text')?.text as string) || ''
}
