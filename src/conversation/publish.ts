import type { Message, SessionFile } from '../session/schema.ts'
import { withLockSync } from '../store/machine/locks/lock.ts'
import { repositoryState } from '../workspace/git/index.ts'
import type { Workspace } from '../workspace/open.ts'
import { authorOf } from './author.ts'
import { catchUpConversation } from './catch-up.ts'
import { pathNow } from './moved.ts'
import { publishPieces } from './publishing/pieces.ts'
import { readWritable } from './publishing/read-to-write.ts'
import {
  type Found,
  type Published,
  type PublishedWhole,
  type State,
  writeNew,
  writeWhole,
} from './publishing/write.ts'
import type { Conversation } from './read.ts'
import { readNew } from './read-new.ts'
import type { PlannedEnd } from './segments/segment-content.ts'

export interface PublishOptions {
  /** Changes the metadata after all other changes. */
  change?: (session: SessionFile, found: Found) => SessionFile
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
export async function publish(
  ws: Workspace,
  folder: string,
  options: PublishOptions = {},
): Promise<Published> {
  const { earlier, ends, pieceBytes, keep, change = (session) => session } = options
  return caughtUp(ws, folder, options.state, (path, state) => {
    if (earlier !== undefined) return writeWhole(ws, readWritable(ws, path, { ends }, earlier), state, change)
    const pieces = publishPieces(ws, path, state, { ends, pieceBytes }, keep)
    const withPieces = (session: SessionFile, found: Found) => change(session, pieces.found(found))
    const news = readNew(ws, path, { ends })
    return pieces.join(
      news === undefined
        ? writeWhole(ws, readWritable(ws, path, { ends }), state, withPieces)
        : writeNew(ws, path, news, state, withPieces),
    )
  })
}

/** Like `publish`, but always reads the whole conversation, and returns it. */
export async function publishWhole(
  ws: Workspace,
  folder: string,
  options: PublishOptions = {},
): Promise<PublishedWhole> {
  return caughtUp(ws, folder, options.state, (path, state) =>
    writeWhole(ws, readWritable(ws, path, { ends: options.ends }, options.earlier), state, options.change),
  )
}

/** Does `work` at the conversation's present path, under its lock, with journals that are up to date. */
async function caughtUp<T>(
  ws: Workspace,
  folder: string,
  given: State | undefined,
  work: (path: string, state: State) => T,
): Promise<T> {
  const path = pathNow(ws, folder)
  const state = given ?? (await stateOf(ws))
  return withLockSync(ws.local, `conversation/${path}`, () => {
    catchUpConversation(ws, path)
    return work(path, state)
  })
}

/** Asks git for the repository's state and the author. */
export async function stateOf(ws: Workspace): Promise<State> {
  const [repository, author] = await Promise.all([repositoryState(ws), authorOf(ws)])
  return { repository, author }
}
