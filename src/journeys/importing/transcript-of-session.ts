import { readerOf } from '../../clients/index.ts'
import { transcriptOf } from '../../conversation/own-transcript.ts'
import { stampOfTranscript } from '../../conversation/transcript-bytes.ts'
import { CortextError } from '../../errors.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { NamedSession } from './named-sessions.ts'

/**
 * Returns the path of a session's transcript; the file need not exist. Returns '' if the session can have no file here.
 */
export function transcriptOfSession(ws: Workspace, { client, nativeId, binding }: NamedSession): string {
  if (binding !== undefined) {
    const named = transcriptOf(ws, binding)
    if (stampOfTranscript(named) !== undefined) return named
  }
  try {
    return readerOf(client).sessions.transcriptPath(ws.environment, ws.root, nativeId)
  } catch (error) {
    // A record from another machine can name any session id, such as `../../x`.
    if (error instanceof CortextError && error.code === 'unsafe-path') return ''
    throw error
  }
}
