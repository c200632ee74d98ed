import { CortextError } from '../../errors.ts'
import { isFileInside, pathInside, statInside } from '../../io/inside.ts'
import { statsOf } from '../../io/regular-file.ts'
import { RECORD } from '../../store/layout.ts'
import { bringBack, bringBackPruned } from '../../store/machine/copies.ts'
import { readMetadataBackup } from '../../store/machine/metadata-backup.ts'
import type { Workspace } from '../../workspace/open.ts'
import { catchUpConversation } from '../catch-up.ts'
import { gitSeesRecord } from '../held-back.ts'
import { bringBackFromHistory } from '../keeping/from-history.ts'
import { type Conversation, readConversation } from '../read.ts'
import type { Reach } from '../segments/segment-content.ts'

/**
 * Reads the conversation under its lock, which the caller holds. Brings journals up to date first, so that the record
 * never gets a client's message before its journal does. If session.json is missing, writes the missing files of the
 * folder back from the copies in the local folder. Does not do that while a state is held back and the folder is there.
 * Throws `newer-version`, `unsettled` where git has put another conversation into its folder, and what readConversation
 * and catchUp throw.
 */
export function readToWrite(ws: Workspace, path: string): Conversation {
  catchUpConversation(ws, path)
  return readWritable(ws, path)
}

/**
 * Like `readToWrite`, for journals that are up to date. Uses the `earlier` reading where files have not changed since.
 */
export function readWritable(
  ws: Workspace,
  path: string,
  reach: Reach = {},
  earlier?: Conversation,
): Conversation {
  const folder = pathInside(ws.root, path)
  // No copies are written back while a state is held back (see MetadataBackup): the folder may have no record on
  // purpose, and the person may have renamed the document.
  const held =
    statInside(ws.root, path) !== undefined && readMetadataBackup(ws.local, path)?.held !== undefined
  if (!held && !isFileInside(folder, RECORD.session)) {
    // A work tree may be removed while a process saves what was said in it. Another one has the copies.
    if (statsOf(ws.root) === undefined)
      throw new CortextError('not-found', `${ws.root} is gone`, { fix: 'cortext list' })
    // Throws for a conversation whose words only another branch has, before anything is written for it.
    if (gitSeesRecord(ws)) readConversation(ws, path, { earlier, reach })
    // The copies are newer than the last commit.
    bringBack(ws.local, ws.root, path)
    bringBackFromHistory(ws, path)
  } else if (!isFileInside(folder, RECORD.messages))
    // The reader below takes the other lines from the copy. An archive must be there as a file: an event names it.
    bringBackPruned(ws.local, ws.root, path)
  return checkWritable(readConversation(ws, path, { earlier, reach }))
}

/** Throws `unsettled` where git has put another conversation into the folder, and `newer-version`. */
export function checkWritable(conversation: Conversation): Conversation {
  if (conversation.holdsAnother)
    throw new CortextError(
      'unsettled',
      `git has put another conversation of the same name into ${conversation.path}`,
      { fix: 'cortext list' },
    )
  if (conversation.writable) return conversation
  throw new CortextError(
    'newer-version',
    `${conversation.folder} was written by a newer version of cortext (format ${conversation.session.version})`,
    { fix: 'npm install -g cortext@latest' },
  )
}
