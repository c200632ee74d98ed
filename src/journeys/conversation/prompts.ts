import type { SessionFile } from '../../session/schema.ts'
import { ensureLocalFolder, localFiles } from '../../store/layout.ts'
import type { Workspace } from '../../workspace/open.ts'
import { readPrompt, snapshotPrompt } from '../../workspace/pack/commands.ts'

/** Keeps the version of a command on this machine's side, until a conversation that names it is published. */
export function keepPrompt({ local }: Workspace, text: string): void {
  const { workspaceCopy } = localFiles(local)
  ensureLocalFolder(local, workspaceCopy)
  snapshotPrompt(workspaceCopy, text)
}

/** Brings the version of the command that a conversation names into the work tree. Throws what files throw. */
export function bringPrompt({ local, root }: Workspace, { agent_config: agent }: SessionFile): void {
  if (readPrompt(root, agent.system_prompt_hash) !== undefined) return
  const text = readPrompt(localFiles(local).workspaceCopy, agent.system_prompt_hash)
  if (text !== undefined) snapshotPrompt(root, text)
}

/** The version of a command that has this hash; undefined where it was not kept here. */
export function keptPrompt({ local, root }: Workspace, hash: string): string | undefined {
  return readPrompt(root, hash) ?? readPrompt(localFiles(local).workspaceCopy, hash)
}
