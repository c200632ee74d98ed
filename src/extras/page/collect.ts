import { toolVocabulary } from '../../clients/all-tools.ts'
import { readerList } from '../../clients/index.ts'
import { type Conversation, type Outlined, readOutlined } from '../../conversation/read.ts'
import { CortextError } from '../../errors.ts'
import { listInside, readInside } from '../../io/inside.ts'
import { isTalk } from '../../session/live-path.ts'
import { type Range, rangeOf } from '../../session/range.ts'
import type { Message } from '../../session/schema.ts'
import { readAttachment } from '../../store/record/attachments.ts'
import { lengthOf } from '../../store/record/outline.ts'
import { paste } from '../../text/paste.ts'
import type { Workspace } from '../../workspace/open.ts'
import { withoutPlaces } from '../without-places.ts'
import { MAX } from './html/bounds.ts'
import type { ShownConversation } from './html/conversation-page.ts'

export interface WantedPart {
  /** The first and the last message, by number or id. */
  from?: string | undefined
  to?: string | undefined
  /** Keeps paths as they were recorded. Default: they name no folder of this machine. */
  paths?: boolean | undefined
}

/** A conversation with all that its page shows, and the parts that could not be read. */
export interface Collected {
  shown: ShownConversation
  conversation: Conversation
  /** The wanted part. */
  range: Range
  problems: string[]
}

/**
 * Reads a conversation, or a part of it, and its documents as they are now, saved or not. Leaves out files that are
 * links or too large. If the page would be too long, leaves out the oldest messages too. Lists all of these in
 * `problems`. Throws what readConversation throws, and `not-found` for a message that is missing.
 */
export function collect(ws: Workspace, path: string, wanted: WantedPart = {}): Collected {
  const outlined = readOutlined(ws, path)
  try {
    return collected(ws, outlined, wanted)
  } finally {
    outlined.close()
  }
}

function collected(ws: Workspace, conversation: Outlined, wanted: WantedPart): Collected {
  const { path } = conversation
  const problems = conversation.problems.map(({ path: file, line, kind }) => `${file}:${line}: ${kind}`)
  const orNote = <T>(read: () => T): T | undefined => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof CortextError)) throw error
      if (!problems.includes(error.message)) problems.push(error.message)
      return undefined
    }
  }
  const { folder, session, segments } = conversation
  const range = rangeOf(conversation.messages, wanted)
  const shorten = wanted.paths === true ? <T>(value: T) => value : withoutPlaces(ws)
  const shown = newestOf(conversation, range, shorten)
  if (shown.left !== undefined) problems.push(shown.left)
  const names = orNote(() => listInside(ws.root, path, '.md')) ?? []
  const documents = names.sort().flatMap((name) => {
    const text = orNote(() => readInside(ws.root, `${path}/${name}`))
    return text === undefined || text.trim() === '' ? [] : [{ name, text: shorten(text) }]
  })
  const blobs = new Map(segments.flatMap(({ content }) => [...content.blobs]))
  const read = (sha256: string, maxBytes: number) => {
    const blob = blobs.get(sha256) ?? orNote(() => readAttachment(folder, sha256, maxBytes))
    const bytes = typeof blob === 'string' ? Buffer.from(blob) : blob
    return bytes !== undefined && bytes.length <= maxBytes ? bytes : undefined
  }
  return {
    shown: {
      ...{ path, session: shorten(session), ...shown, documents, read, zone: timeZone() },
      ...{ tools: toolVocabulary(), clients: CLIENTS },
    },
    conversation,
    range,
    problems,
  }
}

/**
 * Reads whole the newest messages of a range that fit on a page. All messages are returned, because they give these their
 * numbers. `only`: those that are shown, if not all are. `left`: which ones of the range are not, in words.
 */
function newestOf(
  { messages, path, whole }: Outlined,
  range: Range,
  shorten: (message: Message) => Message,
): Pick<ShownConversation, 'messages' | 'only' | 'left'> {
  let room = MAX.page
  let first = range.messages.length
  while (first > 0 && room > 0) room -= lengthOnPage(range.messages[--first]!)
  const [older, shown] = [range.messages.slice(0, first), new Set(range.messages.slice(first))]
  if (shown.size === messages.length) return { messages: messages.map((message) => shorten(whole(message))) }
  const only = new Set<Message>()
  const all = messages.map((message) => {
    if (!shown.has(message)) return message
    const read = shorten(whole(message))
    only.add(read)
    return read
  })
  const numbers = new Map(messages.filter(isTalk).map((message, index) => [message, index + 1]))
  const [from, to] = [older.find(isTalk), older.findLast(isTalk)].map((one) => one && numbers.get(one))
  if (from === undefined || to === undefined) return { messages: all, only }
  const command = paste`cortext export ${path} --format html --from ${String(from)} --to ${String(to)} --output earlier.html`
  return {
    ...{ messages: all, only },
    left: `messages ${from} to ${to}, because the page would be too long; a page of them: ${command}`,
  }
}

function lengthOnPage(message: Message): number {
  return Math.min(lengthOf(message), message.role === 'tool' ? MAX.result : MAX.talk) + MAX.message
}

const CLIENTS = Object.fromEntries(readerList().map(({ id, name }) => [id, name]))

/** The time zone of this machine, in which the pages show times. */
export function timeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}
