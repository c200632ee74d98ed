import type { Message } from '../session/schema.ts'
import { conversationLock, withLockSync } from '../store/machine/locks/lock.ts'
import { repositoryState } from '../workspace/git/index.ts'
import type { Workspace } from '../workspace/open.ts'
import { authorOf } from './author.ts'
import { catchUpConversation } from './catch-up.ts'
import { keepInHistory } from './keeping/history.ts'
import { pathNow } from './moved.ts'
import { publishNew } from './publishing/publish-new.ts'
import { readWritable } from './publishing/read-to-write.ts'
import { type Change, type State, type Written, write } from './publishing/write.ts'
import type { Conversation } from './read.ts'
import type { PlannedEnd } from './segments/segment-content.ts'

export interface PublishOptions {
  /** Changes the metadata after all other changes. */
  change?: Change
  /** An earlier reading. Files that have changed since are read again under the lock. */
  earlier?: Conversation | undefined
  /** The ends up to which live segments are published. */
  ends?: readonly PlannedEnd[]
  /** About how many bytes of a long transcript are published at a time. */
  pieceBytes?: number | undefined
  /**
   * Makes a function that gets the messages of one piece after another and chooses those that `change` needs. After a
   * publishing in pieces, `found.messages` has the chosen messages and all messages of the last piece.
   */
  keep?: () => (part: readonly Message[]) => Message[]
  /** Git's answers. A caller with many conversations asks git once and passes them. */
  state?: State | undefined
}

/**
 * Copies new bytes of the transcript into the journal, then brings the record up to date: writes attachments and
 * subagents, appends what messages.jsonl lacks, and writes session.json. All of this is fsynced when `publish` returns.
 * A second call changes nothing; after a kill at any point, the next call does the rest. Reads only what is new while
 * nothing else has changed the record. Publishes a conversation whose folder was moved at its present path. Throws
 * `newer-version` when a newer program wrote the conversation, `unsettled` when git has put another conversation into
 * its folder, and `not-found`, `locked`, `disk-full`, `unwritable`, `unreadable` or `unsafe-path`.
 */
export async function publish(ws: Workspace, folder: string, options: PublishOptions = {}): Promise<Written> {
  const { earlier, ends, pieceBytes, keep, change = (session) => session } = options
  const path = pathNow(ws, folder)
  const state = options.state ?? (await stateOf(ws))
  return withLockSync(ws.local, conversationLock(path), () => {
    catchUpConversation(ws, path)
    const reach = { ends, pieceBytes }
    const written =
      earlier === undefined
        ? publishNew(ws, path, state, reach, change, keep)
        : write(ws, readWritable(ws, path, reach, earlier), state, change)
    keepInHistory(ws, path, written.session)
    return written
  })
}

/** Asks git for the repository's state and the author. */
export async function stateOf(ws: Workspace): Promise<State> {
  const [repository, author] = await Promise.all([repositoryState(ws), authorOf(ws)])
  return { repository, author }
}
