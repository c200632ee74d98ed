import { cutAtWord, oneLine } from '../../text/line.ts'
import { safeLine } from '../resume-block.ts'
import type { Message } from '../schema.ts'

/** A name as it is in the record: one line without brackets, so that it cannot close the brackets around it. */
export function authorName(text: string): string | undefined {
  const name = cutAtWord(oneLine(oneLine(text).replace(/[()[\]<>]/g, ' ')), MAX_NAME_LENGTH)
  return name === '' ? undefined : name
}

const MAX_NAME_LENGTH = 50

/** The person who typed a message. The record may come from anybody, so the name is made safe again. */
export function authorOfMessage({ author, role, event }: Message): string | undefined {
  return author === undefined || role !== 'user' || event !== undefined
    ? undefined
    : authorName(safeLine(String(author)))
}

/**
 * The messages. The names of their authors are removed if every name is `me`, because there is nobody to tell apart.
 */
export function withoutOwnName(messages: readonly Message[], me: string | undefined): Message[] {
  if (whoseTalk(messages, me) !== undefined) return [...messages]
  return messages.map((message) => (message.author === undefined ? message : withoutAuthor(message)))
}

function withoutAuthor({ author: _, ...message }: Message): Message {
  return message
}

/** Says who spoke first and last: `begun by Ann; last said by Bob`. Undefined when no author is named, or only `me`. */
export function whoseTalk(messages: readonly Message[], me?: string): string | undefined {
  const names = messages.flatMap((message) => authorOfMessage(message) ?? [])
  const [first, last] = [names[0], names.at(-1)]
  if (first === undefined || names.every((name) => name === me)) return undefined
  return first === last && new Set(names).size === 1
    ? `begun and last said by ${first}`
    : `begun by ${first}; last said by ${last}`
}
