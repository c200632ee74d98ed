import { cutAtWord, oneLine } from '../../text/line.ts'
import { safeLine } from '../resume-block.ts'
import type { Message } from '../schema.ts'

/** A name as it is in the record: one line, with nothing in it that closes the brackets it is shown in. */
export function authorName(text: string): string | undefined {
  const name = cutAtWord(oneLine(oneLine(text).replace(/[()[\]<>]/g, ' ')), LONGEST)
  return name === '' ? undefined : name
}

const LONGEST = 50

/** Who typed a message. The record may come from anybody, so the name is made safe to show once more. */
export function authorOfMessage({ author, role, event }: Message): string | undefined {
  return author === undefined || role !== 'user' || event !== undefined
    ? undefined
    : authorName(safeLine(String(author)))
}

/** The messages without the names of their authors, where all of them are `me`: then there is nobody to tell apart. */
export function withoutMe(messages: readonly Message[], me: string | undefined): Message[] {
  if (whoseTalk(messages, me) !== undefined) return [...messages]
  return messages.map((message) => (message.author === undefined ? message : nameless(message)))
}

function nameless({ author: _, ...message }: Message): Message {
  return message
}

/** `begun by Ann; last said by Bob`; undefined where nobody is named, or nobody but `me`. */
export function whoseTalk(messages: readonly Message[], me?: string): string | undefined {
  const names = messages.flatMap((message) => authorOfMessage(message) ?? [])
  const [first, last] = [names[0], names.at(-1)]
  if (first === undefined || names.every((name) => name === me)) return undefined
  return first === last && new Set(names).size === 1
    ? `begun and last said by ${first}`
    : `begun by ${first}; last said by ${last}`
}
