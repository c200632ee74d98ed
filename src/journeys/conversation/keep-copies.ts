import { CortextError } from '../../errors.ts'
import { errnoOf } from '../../io/file-error.ts'
import type { SessionFile } from '../../session/schema.ts'
import { keepDocuments, keepRecord, keepWorkspaceFiles } from '../../store/machine/copies.ts'
import { writeLog } from '../../store/machine/log.ts'
import type { Workspace } from '../../workspace/open.ts'

/**
 * Keeps, on this machine's own side, what only the workspace holds: the documents of a conversation, its record where it
 * was not said in a client, and the person's settings and prompts. The conversation is saved already, so a failure is
 * logged and stops nothing.
 */
export function keepCopies({ local, root }: Workspace, path: string, session: SessionFile): void {
  try {
    keepDocuments(local, root, path)
    // Journals hold what was said in a client; an agent loop has none, and a fork has none of what it began with.
    if (session.key !== undefined || session.forked_from !== undefined) keepRecord(local, root, path)
    keepWorkspaceFiles(local, root)
  } catch (error) {
    if (!(error instanceof CortextError) && errnoOf(error) === undefined) throw error
    writeLog(local, `keeping copies of ${path}: ${error instanceof Error ? error.message : error}`)
  }
}
