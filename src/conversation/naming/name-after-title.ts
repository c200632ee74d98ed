import { basename, dirname } from 'node:path'
import { renameInside, statInside } from '../../io/inside.ts'
import type { SessionFile } from '../../session/schema.ts'
import { DEFAULT_TITLE } from '../../session/schema.ts'
import { segmentsOf } from '../../store/machine/list-bindings.ts'
import { conversationLock, withLockSync } from '../../store/machine/locks/lock.ts'
import { moveUnderLock } from '../../store/machine/moved-conversation.ts'
import { readSession, writeSession } from '../../store/record/session-file.ts'
import { oneLine } from '../../text/line.ts'
import { readDocument, writeDocument } from '../../workspace/folder.ts'
import { isTracked } from '../../workspace/git/index.ts'
import type { Workspace } from '../../workspace/open.ts'
import { slugOf } from '../../workspace/slug.ts'
import { keepInHistory } from '../keeping/history.ts'
import { keepCopies } from '../keeping/keep-copies.ts'
import { isOurs } from '../worktrees.ts'

/** A conversation's folder, and its metadata. */
interface Named {
  path: string
  session: SessionFile
}

/**
 * Like `nameAfterTitle`, but for a conversation that nobody is recording into any more: an agent may still use the path
 * that it was given.
 */
export async function nameWhenLeft<T extends Named>(ws: Workspace, given: T): Promise<T> {
  if (!isUnnamed(given) || segmentsOf(ws.local, given.path).some(({ segment }) => segment.to === undefined))
    return given
  return { ...given, ...(await nameAfterTitle(ws, given)) }
}

/**
 * Gives the folder, the id and the heading of a conversation that began untitled the title that it has by now, unless
 * git has the folder already. Returns the path and the metadata as they are then. Throws `locked` and what files throw.
 */
export async function nameAfterTitle(ws: Workspace, given: Named): Promise<Named> {
  const { path, session } = given
  if (!isUnnamed(given) || (await isTracked(ws, path))) return given
  const id = `${basename(path).replace(/untitled$/, '')}${slugOf(session.title)}`
  const to = `${dirname(path)}/${id}`
  const named = { path: to, session: { ...session, conversation_id: id } }
  const isMoved = withLockSync(ws.local, conversationLock(path), () => {
    if (id === basename(path) || statInside(ws.root, path) === undefined) return false
    if (statInside(ws.root, to) !== undefined) return false
    renameInside(ws.root, path, id)
    const folder = `${ws.root}/${to}`
    const recorded = readSession(folder)?.session
    if (recorded !== undefined) writeSession(folder, { ...recorded, conversation_id: id })
    nameDocument(ws, named, basename(path))
    // Whoever waits to write at the old path must find nothing there, in the history neither.
    moveUnderLock(ws.local, path, to, (binding) => isOurs(ws, binding), id)
    keepCopies(ws, to, named.session)
    keepInHistory(ws, to, named.session)
    return true
  })
  return isMoved ? named : given
}

function isUnnamed({ path, session: { title } }: Named): boolean {
  return /^\d+-.+-untitled$/.test(basename(path)) && title !== DEFAULT_TITLE && title !== ''
}

/** Puts the title and the new id into the first lines of the document, where its template had put the old ones. */
function nameDocument(ws: Workspace, { path, session }: Named, before: string): void {
  const text = readDocument(ws.root, path, session.conversation_type)
  if (text === undefined) return
  const [head = '', line = '', ...rest] = text.split(/(?<=\n\n)/)
  const heading = head === `# ${DEFAULT_TITLE}\n\n` ? `# ${oneLine(session.title)}\n\n` : head
  const changed = [heading, line.replace(before, () => session.conversation_id), ...rest].join('')
  if (changed !== text) writeDocument(ws.root, path, session.conversation_type, changed)
}
