import { parse, relative } from 'node:path'
import { readerOf } from '../clients/index.ts'
import { realFolder } from '../io/real-folder.ts'
import type { Binding } from '../store/machine/binding.ts'
import type { SideSources } from '../store/machine/journal/side-files.ts'
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
  const { folders, newest, isNamedAfter = (path, id) => parse(path).name === id } = readerOf(client).sessions
  if (folders === undefined) return transcript
  const file = realFolder(transcript)
  const isInFolder = folders(ws.environment).some((folder) =>
    /^(?!\.\.)[^/\\]/.test(relative(realFolder(folder), file)),
  )
  if (!isInFolder || !isNamedAfter(file, nativeId)) return ''
  return newest?.(transcript) ?? transcript
}

/** Returns where a session's client keeps its side files. */
export function sideSources({
  client,
  native_id: nativeId,
  transcript,
}: Pick<Binding, 'client' | 'native_id' | 'transcript'>): SideSources {
  const { sideFolder, outputsFolder, sideFiles } = transcript === '' ? {} : readerOf(client).sessions
  const side = sideFolder?.(transcript, nativeId)
  const outputs = outputsFolder?.(transcript, nativeId)
  return {
    folders: [
      ...(side === undefined ? [] : [{ folder: side, below: '' }]),
      ...(outputs === undefined ? [] : [{ folder: outputs, below: 'outputs' }]),
    ],
    files: sideFiles?.(transcript, nativeId) ?? [],
  }
}
