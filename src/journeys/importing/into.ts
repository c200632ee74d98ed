import { basename, relative, resolve } from 'node:path'
import { CortextError } from '../../errors.ts'
import { isFileInside, pathInside } from '../../io/inside.ts'
import { withSlashes } from '../../io/slashes.ts'
import { cleanText } from '../../redact/index.ts'
import { recoveredSession } from '../../session/recovered.ts'
import type { SessionFile } from '../../session/schema.ts'
import { RECORD } from '../../store/layout.ts'
import { conversationLock, withLockSync } from '../../store/machine/locks/lock.ts'
import { readMetadataBackup } from '../../store/machine/metadata-backup.ts'
import { writeSession } from '../../store/record/session-file.ts'
import { oneLine } from '../../text/line.ts'
import type { Workspace } from '../../workspace/open.ts'
import { slugOf } from '../../workspace/slug.ts'
import { findExact, namedIn } from '../finding/find.ts'
import { headingOf, listConversations } from '../finding/list.ts'

/**
 * Finds the folder to import into by its name: the folder of a conversation (see findExact), or a folder with a
 * document but no session. The name of the latter is its path, its date and id, or its id. Throws what findExact
 * throws, and `ambiguous` if several folders have the name.
 */
export function pathToImportInto(ws: Workspace, named: string): string {
  const asPath = withSlashes(relative(ws.root, resolve(ws.environment.cwd, named)))
  const { conversations, documents } = listConversations(ws)
  const folders = documents.filter((path) =>
    [path, path.split('/').slice(-2).join('/'), basename(path)].some(
      (name) => name === named || name === asPath,
    ),
  )
  if (folders.length === 0) return findExact(ws, named).path
  const found = [...folders, ...namedIn(named, conversations, ws.environment.cwd).map(({ path }) => path)]
  if (found.length === 1) return found[0]!
  throw new CortextError(
    'ambiguous',
    [`"${oneLine(named)}" means ${found.length} folders:`, ...found.map((path) => `  ${oneLine(path)}`)].join(
      '\n',
    ),
    { fix: 'name it by its path' },
  )
}

/**
 * Turns a folder without a session into a conversation by writing its session.json. The title comes from the folder's
 * name, or is the typed title if the folder was named after it. The document stays as it is. Returns false when the
 * folder already is a conversation. Throws `locked`, `unwritable` and `unsafe-path`.
 */
export function adoptFolder(ws: Workspace, path: string, typed = ''): boolean {
  return withLockSync(ws.local, conversationLock(path), () => {
    const folder = pathInside(ws.root, path)
    const isKnown = readMetadataBackup(ws.local, path) !== undefined
    if (isKnown || isFileInside(folder, RECORD.session) || isFileInside(folder, RECORD.messages)) return false
    writeSession(folder, recoveredFrom(ws, path, typed))
    return true
  })
}

/**
 * Makes the session of a folder that has none. The folder was named after its title, so of the typed title and the
 * heading of the document the one that gives this name is the title, as the person wrote it.
 */
export function recoveredFrom(ws: Workspace, path: string, typed = ''): SessionFile {
  const session = recoveredSession(path, ws.types.keys())
  const isNamed = (title: string) => title !== '' && slugOf(title) === slugOf(session.title)
  const title = [typed, headingOf(ws, path)].find(isNamed) ?? session.title
  return { ...session, title: cleanText(ws.config, title) }
}
