import { basename, dirname, parse, relative } from 'node:path'
import { readerOf } from '../clients/index.ts'
import { realFolder } from '../io/real-folder.ts'
import type { Binding } from '../store/machine/binding.ts'
import type { Workspace } from '../workspace/open.ts'

/**
 * Returns the transcript that a binding names, or the newest one if the client has several files of that session. If
 * the client keeps its transcripts in known folders, returns '' for a file that is outside of them (links resolved) or
 * is not named after the session. So a forged binding brings no other file into a conversation.
 */
export function transcriptOf(
  ws: Pick<Workspace, 'environment'>,
  { client, native_id: nativeId, transcript }: Pick<Binding, 'client' | 'native_id' | 'transcript'>,
): string {
  const { folders, idOf, newest } = readerOf(client).sessions
  if (folders === undefined) return transcript
  const file = realFolder(transcript)
  const isInFolder = folders(ws.environment).some((folder) =>
    /^(?!\.\.)[^/\\]/.test(relative(realFolder(folder), file)),
  )
  const isNamed = idOf === undefined ? isNamedAfter(file, nativeId) : idOf(file) === nativeId
  if (!isInFolder || !isNamed) return ''
  return newest?.(transcript) ?? transcript
}

/**
 * For clients without `idOf`: whether a transcript's name is the session's id or ends with it. Gemini CLI uses only the
 * first eight characters of the id (0.61.0). After the session's id, Codex CLI may add an id of the file (0.169.0). Pi
 * writes `<time>_<id>` (1.5.2). Copilot CLI writes a file in a folder of that name (1.0.102).
 */
function isNamedAfter(file: string, nativeId: string): boolean {
  const given = parse(file).name
  const name = given.replace(/(?<=.)_[0-9a-f-]{36}$/, '')
  const endings = [nativeId, nativeId.slice(0, 8)].filter(({ length }) => length >= 8)
  return (
    [name, basename(dirname(file))].includes(nativeId) ||
    given.endsWith(`_${nativeId}`) ||
    endings.some((ending) => name.endsWith(`-${ending}`))
  )
}
