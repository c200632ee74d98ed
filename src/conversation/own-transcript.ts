import { parse, relative } from 'node:path'
import { clientOf } from '../clients/index.ts'
import { realFolder } from '../io/real-folder.ts'
import type { Binding } from '../store/machine/binding.ts'
import type { Workspace } from '../workspace/open.ts'

/**
 * The transcript that a binding names, if it is one: a file of that session, with links resolved in the folder where
 * its client keeps transcripts. Otherwise '', so that a forged binding brings no other file into a conversation. The
 * client's newest file of the session, where it may have several.
 */
export function transcriptOf(
  ws: Pick<Workspace, 'environment'>,
  { client, native_id: nativeId, transcript }: Pick<Binding, 'client' | 'native_id' | 'transcript'>,
): string {
  const { folders, newest } = clientOf(client).sessions
  if (folders === undefined) return transcript
  const file = realFolder(transcript)
  const isInFolder = folders(ws.environment).some((folder) =>
    /^(?!\.\.)[^/\\]/.test(relative(realFolder(folder), file)),
  )
  if (!isInFolder || !isNamedAfter(parse(file).name, nativeId)) return ''
  return newest?.(transcript) ?? transcript
}

/**
 * Clients name a transcript by its session's id, or put the id last. Gemini CLI puts only the first eight characters of
 * the id (0.61.0), and Codex CLI may add an id of the file after it (0.169.0).
 */
function isNamedAfter(given: string, nativeId: string): boolean {
  const name = given.replace(/(?<=.)_[0-9a-f-]{36}$/, '')
  const endings = [nativeId, nativeId.slice(0, 8)].filter(({ length }) => length >= 8)
  return name === nativeId || endings.some((ending) => name.endsWith(`-${ending}`))
}
