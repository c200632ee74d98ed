import { CortextError } from '../errors.ts'
import { isFileInside, statInside } from '../io/inside.ts'
import { recoveredSession } from '../session/recovered.ts'
import { SessionFile } from '../session/schema.ts'
import { joinSides } from '../session/sharing/join-sides.ts'
import { isOrigin } from '../session/sharing/origin.ts'
import { RECORD, recordFiles } from '../store/layout.ts'
import { publishedSince, readMetadataBackup } from '../store/machine/metadata-backup.ts'
import type { Problem } from '../store/record/problem.ts'
import { readMessages } from '../store/record/read-messages.ts'
import { readSession } from '../store/record/session-file.ts'
import type { Workspace } from '../workspace/open.ts'

/** The metadata of a conversation, and what is unusual about its folder. */
export interface Metadata {
  session: SessionFile
  problems: Problem[]
  /** False when a newer program wrote the conversation: it can only be read. */
  writable: boolean
  /** The folder is gone from this work tree; everything that is known of it comes from the local folder. */
  folderGone: boolean
  /**
   * Git has put another conversation of the same name into the folder. It has replaced the conversation that this
   * machine knows.
   */
  holdsAnother: boolean
}

/**
 * Reads the metadata from session.json and from this machine's backup of it. Throws `not-found`, `unreadable` or
 * `unsafe-path`.
 */
export function readMetadata(ws: Workspace, path: string, folder: string): Metadata {
  const { session: backup, held } = readMetadataBackup(ws.local, path) ?? {}
  const found = readSessionOrBroken(folder)
  if (found.session === undefined) {
    if (backup === undefined && !found.isBroken && !isFileInside(folder, RECORD.messages))
      throw new CortextError('not-found', `no conversation at ${path}`, { fix: 'cortext resume --list' })
    const session = backup ?? withOriginOf(folder, recoveredSession(path, ws.types.keys()))
    const folderGone = !found.isBroken && statInside(ws.root, path) === undefined
    return { session, problems: found.problems, writable: true, folderGone, holdsAnother: false }
  }
  const [here, there] = [backup?.origin, found.session.origin]
  const another = here !== undefined && there !== undefined && here !== there
  const session =
    backup === undefined || another
      ? found.session
      : held === undefined && isOlderCopy(ws, path, found.session, backup)
        ? backup
        : newerState(found.session, backup, held !== undefined)
  return {
    session,
    problems: found.problems,
    writable: found.writable,
    folderGone: false,
    holdsAnother: another,
  }
}

/** Whether another worktree has published the conversation since this one wrote its session.json. */
function isOlderCopy(ws: Workspace, path: string, found: SessionFile, backup: SessionFile): boolean {
  if (!ws.hasCopies || Date.parse(backup.last_active) < Date.parse(found.last_active)) return false
  const written = statInside(ws.root, `${path}/${RECORD.session}`)?.mtimeMs
  return written !== undefined && publishedSince(ws.local, path, Number(written))
}

/** A recovered session with the origin that the lines of its record name, so that a sync knows which conversation it is. */
function withOriginOf(folder: string, session: SessionFile): SessionFile {
  const [origin, ...others] = new Set(readMessages(folder).lines.flatMap((line) => line.origin ?? []))
  return origin === undefined || others.length > 0 || !isOrigin(origin) ? session : { ...session, origin }
}

/**
 * Returns the newer of session.json and this machine's backup: after a reset or a checkout, session.json may be older.
 * Joins the two while a state is held back: session.json never had that state, and another clone may have changed
 * session.json meanwhile.
 */
function newerState(found: SessionFile, backup: SessionFile, held: boolean): SessionFile {
  const order = Date.parse(backup.last_active) - Date.parse(found.last_active)
  if (!held) return order > 0 ? { ...found, ...backup } : found
  const joined = SessionFile.parse(joinSides(found, backup))
  return order < 0 ? joined : { ...joined, ...statedOf(backup) }
}

/** Returns the metadata that a person or an agent sets and that cannot be derived from messages. */
function statedOf({ status, title, context_summary, conversation_type, agent_config }: SessionFile) {
  return { status, title, context_summary, conversation_type, agent_config }
}

function readSessionOrBroken(folder: string) {
  try {
    const { session, problems = [], writable = true } = readSession(folder) ?? {}
    return { session, problems, writable, isBroken: false }
  } catch (error) {
    if (!(error instanceof CortextError) || error.code !== 'corrupt') throw error
    const problem: Problem = { path: recordFiles(folder).session, line: 1, kind: 'broken-session', bytes: 0 }
    return { session: undefined, problems: [problem], writable: true, isBroken: true }
  }
}
