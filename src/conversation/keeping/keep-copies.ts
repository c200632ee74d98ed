import { CortextError } from '../../errors.ts'
import { errnoOf } from '../../io/file-error.ts'
import type { SessionFile } from '../../session/schema.ts'
import { ensureLocalFolder, localFiles } from '../../store/layout.ts'
import { hasKeptRecord, keepDocuments, keepRecord, keepWorkspaceFiles } from '../../store/machine/copies.ts'
import { writeLog } from '../../store/machine/log.ts'
import type { Workspace } from '../../workspace/open.ts'
import { readPrompt, snapshotPrompt } from '../../workspace/pack/commands.ts'
import { linkedName } from '../../workspace/repository.ts'

/**
 * Copies files that only the workspace has into the local folder: the conversation's documents, and the person's
 * settings and prompts. With the `session` of a record that was just written, also copies the record if journals lack a
 * part of it. The conversation is saved already, so a file error is only logged.
 */
export function keepCopies({ local, root }: Workspace, path: string, session?: SessionFile): void {
  try {
    keepDocuments(local, root, path, linkedName(root))
    // Journals have only what was said in a client of this machine. They lack the talk of an agent loop, the talk with
    // which a fork began, and what came from another machine.
    const isLoopOrFork = session?.key !== undefined || session?.forked_from !== undefined
    if (isLoopOrFork || (session !== undefined && hasKeptRecord(local, path))) keepRecord(local, root, path)
    keepWorkspaceFiles(local, root)
  } catch (error) {
    if (!(error instanceof CortextError) && errnoOf(error) === undefined) throw error
    writeLog(local, `keeping copies of ${path}: ${error instanceof Error ? error.message : error}`)
  }
}

/** Keeps a version of a command in the local folder, for `bringPrompt` and `keptPrompt`. */
export function keepPrompt({ local }: Workspace, text: string): void {
  const { workspaceCopy } = localFiles(local)
  ensureLocalFolder(local, workspaceCopy)
  snapshotPrompt(workspaceCopy, text)
}

/**
 * A conversation names a version of its command. Writes that version into the work tree if it is missing there. Throws
 * what files throw.
 */
export function bringPrompt({ local, root }: Workspace, { agent_config: agent }: SessionFile): void {
  const { system_prompt_hash: hash } = agent
  if (hash === undefined || readPrompt(root, hash) !== undefined) return
  const text = readPrompt(localFiles(local).workspaceCopy, hash)
  if (text !== undefined) snapshotPrompt(root, text)
}

/** Returns the version of a command with this hash; undefined if this machine does not have it. */
export function keptPrompt({ local, root }: Workspace, hash: string): string | undefined {
  return readPrompt(root, hash) ?? readPrompt(localFiles(local).workspaceCopy, hash)
}
