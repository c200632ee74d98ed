import { clientList } from '../../clients/index.ts'
import { toolVocabulary } from '../../clients/tool-vocabulary.ts'
import { type Conversation, readConversation } from '../../conversation/read.ts'
import { CortextError } from '../../errors.ts'
import { listInside, readInside } from '../../io/inside.ts'
import { readAttachment } from '../../store/record/attachments.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { ShownConversation } from './html/conversation-page.ts'

/** A conversation with all that its page shows, and the parts that could not be read. */
export interface Collected {
  shown: ShownConversation
  conversation: Conversation
  problems: string[]
}

/**
 * Reads a conversation and its documents as they are now, saved or not. Omits symbolic links, and files that are too
 * large; lists both in `problems`. Throws what readConversation throws.
 */
export function collect(ws: Workspace, path: string): Collected {
  const conversation = readConversation(ws, path)
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
  const { folder, session, messages, segments } = conversation
  const names = orNote(() => listInside(ws.root, path, '.md')) ?? []
  const documents = names.sort().flatMap((name) => {
    const text = orNote(() => readInside(ws.root, `${path}/${name}`))
    return text === undefined || text.trim() === '' ? [] : [{ name, text }]
  })
  const blobs = new Map(segments.flatMap(({ content }) => [...content.blobs]))
  const read = (sha256: string, maxBytes: number) => {
    const bytes = blobs.get(sha256) ?? orNote(() => readAttachment(folder, sha256, maxBytes))
    return bytes !== undefined && bytes.length <= maxBytes ? bytes : undefined
  }
  return {
    shown: {
      ...{ path, session, messages, documents, read, zone: timeZone() },
      ...{ tools: toolVocabulary(), clients: CLIENTS },
    },
    conversation,
    problems,
  }
}

const CLIENTS = Object.fromEntries(clientList().map(({ id, name }) => [id, name]))

/** The time zone of this machine, in which the pages show times. */
export function timeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}
