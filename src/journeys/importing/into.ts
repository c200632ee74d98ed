import { basename, relative, resolve, sep } from 'node:path'
import { isFileInside, placeInside } from '../../io/inside.ts'
import { redactText } from '../../redact/index.ts'
import { recoveredSession } from '../../session/recovered.ts'
import { RECORD } from '../../store/layout.ts'
import { withLockSync } from '../../store/machine/locks/lock.ts'
import { readMetadataBackup } from '../../store/machine/metadata-backup.ts'
import { writeSession } from '../../store/record/session-file.ts'
import type { Workspace } from '../../workspace/open.ts'
import { findOne } from '../finding/find.ts'
import { listConversations } from '../finding/list.ts'

/**
 * The path of the conversation that an import goes into: of a folder with a document and no session, named by its path,
 * its date and id, or its id, or of a conversation that is there. Throws what findOne throws.
 */
export async function pathToImportInto(ws: Workspace, named: string): Promise<string> {
  const asPath = relative(ws.root, resolve(ws.environment.cwd, named)).split(sep).join('/')
  const { documents } = listConversations(ws)
  const folders = documents.filter((path) =>
    [path, path.split('/').slice(-2).join('/'), basename(path)].some(
      (name) => name === named || name === asPath,
    ),
  )
  return folders.length === 1 ? folders[0]! : (await findOne(ws, named, 'show')).path
}

/**
 * Makes a conversation of a folder that has no session: what its name tells becomes the session.json. The document
 * stays as it is. Returns false where there is a conversation already. Throws `locked`, `unwritable` and `unsafe-path`.
 */
export function adoptFolder(ws: Workspace, path: string): boolean {
  return withLockSync(ws.local, `conversation/${path}`, () => {
    const folder = placeInside(ws.root, path)
    const isKnown = readMetadataBackup(ws.local, path) !== undefined
    if (isKnown || isFileInside(folder, RECORD.session) || isFileInside(folder, RECORD.messages)) return false
    const session = recoveredSession(path)
    writeSession(folder, {
      ...session,
      title: ws.config.redact ? redactText(session.title).text : session.title,
    })
    return true
  })
}
