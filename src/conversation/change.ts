import { placeInside } from '../io/inside.ts'
import type { SessionFile } from '../session/schema.ts'
import { lastAsked } from '../session/summary.ts'
import { withLockSync } from '../store/machine/locks/lock.ts'
import { holdMetadata, readMetadataBackup } from '../store/machine/metadata-backup.ts'
import { writeUnpublished } from '../store/machine/unpublished.ts'
import { repositoryState } from '../workspace/git/index.ts'
import type { Workspace } from '../workspace/open.ts'
import { catchUpConversation } from './catch-up.ts'
import { gitLooks } from './held.ts'
import { keepCopies } from './keep-copies.ts'
import { aheadStamp } from './mark.ts'
import { pathNow } from './moved.ts'
import { checkWritable, type Published, type PublishOptions, publish, withState } from './publish.ts'
import { readConversation } from './read.ts'
import { readNew, sessionOf } from './read-new.ts'
import { tokensOf } from './tokens.ts'

/** The outcome of a change. When `held` is set, nothing was written into the work tree. */
export interface Changed extends Published {
  held: boolean
}

/**
 * Changes the state of a conversation that nobody asked to be saved: it begins, is resumed, goes quiet, or its session
 * ends. Where git looks, the new state stays on this machine's side until the conversation is published, as the words in
 * its journal do; elsewhere it is published. Throws what publish throws.
 */
export async function changeState(ws: Workspace, asked: string, options: PublishOptions): Promise<Changed> {
  return gitLooks(ws) ? hold(ws, asked, options) : { ...(await publish(ws, asked, options)), held: false }
}

/** Changes what a person edits: with the words that are held back, where there are any; else at once. */
export async function changeAsked(ws: Workspace, asked: string, options: PublishOptions): Promise<Changed> {
  const { held } = readMetadataBackup(ws.local, pathNow(ws, asked)) ?? {}
  return held !== undefined
    ? changeState(ws, asked, options)
    : { ...(await publish(ws, asked, options)), held: false }
}

async function hold(
  ws: Workspace,
  asked: string,
  { change = (session) => session, known, state }: PublishOptions,
): Promise<Changed> {
  const path = pathNow(ws, asked)
  const repository =
    state === undefined ? await repositoryState(ws.root, ws.environment.env) : state.repository
  return withLockSync(ws.local, `conversation/${path}`, () => {
    catchUpConversation(ws, path)
    const now = stateNow(ws, path, known)
    const session = change(withState(now.session, now.append, repository), now)
    holdMetadata(ws.local, path, session, placeInside(ws.root, path))
    keepCopies(ws, path, session)
    writeUnpublished(ws.local, path, aheadStamp(ws, path, placeInside(ws.root, path)), now.append)
    const { problems, contents, append } = now
    return { path, session, appended: append.length, problems, contents, held: true }
  })
}

function stateNow(ws: Workspace, path: string, known: PublishOptions['known']) {
  const news = known === undefined ? readNew(ws, path) : undefined
  if (news !== undefined) {
    const { plan, asked, segments } = news
    const contents = segments.map(({ content }) => content)
    return { session: sessionOf(news), append: plan.append, asked, contents, problems: [] }
  }
  const { session, messages, plan, segments, problems } = checkWritable(readConversation(ws, path, known))
  return {
    session: { ...session, token_count: tokensOf(messages) } satisfies SessionFile,
    append: plan.append,
    asked: lastAsked(messages),
    contents: segments.map(({ content }) => content),
    problems,
  }
}
