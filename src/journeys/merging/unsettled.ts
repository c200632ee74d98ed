import { tokensOf } from '../../conversation/tokens.ts'
import { CortextError } from '../../errors.ts'
import { readInside } from '../../io/inside.ts'
import { reconcile } from '../../session/reconcile.ts'
import { SessionFile } from '../../session/schema.ts'
import { conversationsIn, originsOf } from '../../session/sharing/apart.ts'
import { joinSides } from '../../session/sharing/join-sides.ts'
import { isOrigin } from '../../session/sharing/origin.ts'
import { RECORD } from '../../store/layout.ts'
import { type RecordRead, readRecord } from '../../store/record/index.ts'
import { somePiece } from '../../store/record/matching-lines.ts'
import { readSession, tryParse } from '../../store/record/session-file.ts'
import type { Unmerged } from '../../workspace/git/merging.ts'
import type { Workspace } from '../../workspace/open.ts'

/** The work that a merge has left in the folder of a conversation. */
export interface Unsettled {
  /**
   * `apart`: the folder has several conversations, each of which needs its own. `joined`: session.json has both sides
   * of a conflict, or several conversations that are one. `counted`: only its counts are wrong.
   */
  what: 'apart' | 'joined' | 'counted'
  /** session.json as it must become. With `apart`: as it is. */
  session: SessionFile
  /** The conversations in the folder, oldest first. */
  conversations: readonly SessionFile[]
}

/** The most conversations in one folder. A session.json with more of them is not the result of a merge. */
const MAX_CONVERSATIONS = 20

/**
 * Finds the work that a merge has left in a folder. Reads its files, and the versions of files that git could not
 * merge. `changedByGit` says whether git has changed the files; if not, wrong counts are not the work of a merge. Undefined
 * when nothing is to do, or while a person resolves a conflict. Writes nothing. Throws what reading throws.
 */
export function unsettledIn(
  ws: Workspace,
  path: string,
  { changedByGit, unmerged }: { changedByGit: boolean; unmerged: ReadonlyMap<string, Unmerged> },
): Unsettled | undefined {
  const folder = `${ws.root}/${path}`
  const found = sessionOf(folder, unmerged.get(`${path}/${RECORD.session}`))
  if (found === undefined) return undefined
  const { session, conflict } = found
  // `session.merged` counts even if its entries are not conversations; otherwise the folder would never be settled.
  const joined = conflict || session.merged !== undefined
  // A first look at a clone comes here for hundreds of conversations, and reading their records takes seconds.
  if (!joined && !changedByGit && !mayNameOthers(folder, session)) return undefined
  const record = readRecord(folder)
  const conversations = conversationsIn(path, session, record.lines)
  if (conversations.length > MAX_CONVERSATIONS)
    throw new Error(`it would be ${conversations.length} conversations`)
  if (conversations.length > 1) return { what: 'apart', session, conversations }
  if (!joined && !changedByGit) return undefined
  const counts = countRecord(session, record)
  if (!joined && counts.message_count === session.message_count) return undefined
  return {
    what: joined ? 'joined' : 'counted',
    session: { ...(joined ? conversations[0]! : session), ...counts },
    conversations,
  }
}

/**
 * Whether a line may name another conversation as its origin. False is certain: the key or its value may be written with
 * escapes, or be in an argument of a tool, and then the lines have to be read.
 */
function mayNameOthers(folder: string, session: SessionFile): boolean {
  if (!isOrigin(session.origin)) return false
  const own = new Set(originsOf(session))
  return somePiece(
    folder,
    RECORD.messages,
    (bytes) =>
      ESCAPED_LETTER.test(bytes) || [...bytes.matchAll(ORIGINS)].some(([, origin]) => !own.has(origin!)),
  )
}

const ORIGINS = /"origin"\s*:\s*"([^"]*)"/g
/** An escape of one of the letters in the word `origin`. No JSON writer escapes these. */
const ESCAPED_LETTER = /\\u00(?:6[79ef]|72)/i

/**
 * Returns the metadata of a folder, with both sides of a conflict joined from git's versions. Undefined if there is
 * nothing to settle: session.json cannot be read, a newer program wrote it, or a person is resolving the conflict.
 */
function sessionOf(folder: string, versions: Unmerged | undefined) {
  const read = readIfWhole(folder)
  // Halved: only one side of a conflict could be read.
  if (read === undefined || !read.writable || read.halved === true) return undefined
  const marked = read.problems.length > 0
  if (versions === undefined) return { session: read.session, conflict: marked }
  // If the merge driver was killed, the file still has our side. Any other text without conflict marks comes from a
  // person who has resolved the conflict.
  if (!marked && versions.ours !== readInside(folder, RECORD.session)) return undefined
  const [ours, theirs, base] = [versions.ours, versions.theirs, versions.base].map(
    (text) => text && tryParse(text),
  )
  if (ours === undefined || theirs === undefined) return undefined
  const session = SessionFile.safeParse(joinSides(ours, theirs, base)).data
  return session && { session, conflict: true }
}

function readIfWhole(folder: string) {
  try {
    return readSession(folder)
  } catch (error) {
    // Scans and `doctor` report a session.json that is not valid.
    if (error instanceof CortextError && error.code === 'corrupt') return undefined
    throw error
  }
}

/**
 * Counts the messages and tokens of a record. The counts in session.json may include lines that cannot be read now. So
 * if there are such lines, the number of messages does not become less, and the number of tokens stays.
 */
export function countRecord(
  session: SessionFile,
  { lines, pruned, problems }: RecordRead,
): Pick<SessionFile, 'message_count' | 'token_count' | 'last_active'> {
  const { session: plan, messages } = reconcile(session, lines, [], pruned)
  const { message_count, last_active } = plan
  if (problems.some(({ kind }) => kind === 'not-a-message'))
    return {
      message_count: Math.max(message_count, session.message_count),
      token_count: session.token_count,
      last_active,
    }
  return { message_count, token_count: tokensOf(messages), last_active }
}
