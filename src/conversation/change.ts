import { pathInside } from '../io/inside.ts'
import { conversationLock, withLockSync } from '../store/machine/locks/lock.ts'
import { holdMetadata, readMetadataBackup } from '../store/machine/metadata-backup.ts'
import { writeUnpublished } from '../store/machine/unpublished.ts'
import { repositoryState } from '../workspace/git/index.ts'
import type { Workspace } from '../workspace/open.ts'
import { catchUpConversation } from './catch-up.ts'
import { gitSeesRecord } from './held-back.ts'
import { keepCopies } from './keeping/keep-copies.ts'
import { pathNow } from './moved.ts'
import { type PublishOptions, publish } from './publish.ts'
import { checkWritable } from './publishing/read-to-write.ts'
import { type Published, withState } from './publishing/write.ts'
import { readConversation, readNew, totalsOf } from './read.ts'
import { aheadStamp } from './read-mark.ts'

export interface Changed extends Published {
  /** The change was held back: nothing was written into the work tree. */
  held: boolean
}

/**
 * Changes the state of a conversation when nobody has asked to save it. Callers do this when a conversation is resumed
 * or goes quiet, and when its session ends. Where git sees the record, this holds the new state back: the state stays
 * in the local folder until the conversation is published. Elsewhere this publishes the conversation now. Throws what
 * publish throws.
 */
export async function changeState(ws: Workspace, folder: string, options: PublishOptions): Promise<Changed> {
  return gitSeesRecord(ws)
    ? holdBack(ws, folder, options)
    : { ...(await publish(ws, folder, options)), held: false }
}

/**
 * Makes a change that a person asked for. Publishes it at once. If the conversation's state is held back already, does
 * the same as `changeState`.
 */
export async function changeByPerson(
  ws: Workspace,
  folder: string,
  options: PublishOptions,
): Promise<Changed> {
  const { held } = readMetadataBackup(ws.local, pathNow(ws, folder)) ?? {}
  return held !== undefined
    ? changeState(ws, folder, options)
    : { ...(await publish(ws, folder, options)), held: false }
}

async function holdBack(
  ws: Workspace,
  folder: string,
  { change = (session) => session, earlier, state }: PublishOptions,
): Promise<Changed> {
  const path = pathNow(ws, folder)
  const repository = state === undefined ? await repositoryState(ws) : state.repository
  return withLockSync(ws.local, conversationLock(path), () => {
    catchUpConversation(ws, path)
    const news = earlier === undefined ? readNew(ws, path) : undefined
    const read = news ?? checkWritable(readConversation(ws, path, { earlier }))
    const { plan, segments, problems } = read
    const { tokens, asked } = totalsOf(read)
    const counted = withState(ws, { ...read, session: { ...read.session, token_count: tokens } }, repository)
    const session = change(counted, { append: plan.append, asked })
    holdMetadata(ws.local, path, session, pathInside(ws.root, path))
    keepCopies(ws, path)
    writeUnpublished(ws.local, path, aheadStamp(ws, path, pathInside(ws.root, path)), plan.append)
    const contents = segments.map(({ content }) => content)
    return { path, session, appended: plan.append.length, problems, contents, held: true }
  })
}
