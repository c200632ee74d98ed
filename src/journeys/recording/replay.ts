import { clientOf } from '../../clients/index.ts'
import { catchUp } from '../../conversation/catch-up.ts'
import type { Started } from '../../conversation/create.ts'
import { beginTranscript, play } from '../../io/transcripts.ts'
import type { Workspace } from '../../workspace/open.ts'
import { sessionNamed } from './current-session.ts'
import { start } from './start.ts'

/**
 * Replays a recorded conversation. Writes its transcript, line by line, to the path where its client writes
 * transcripts. Copies the new lines to the journal after every turn, as hooks do. Keeps the timestamps of the
 * recording. Throws what start and catchUp throw.
 */
export async function replay(
  ws: Workspace,
  recording: { client: string; nativeId: string; file: string; type: string; title: string },
): Promise<Started> {
  const { client, nativeId } = recording
  const transcript = clientOf(client).sessions.transcriptPath(ws.environment, ws.root, nativeId)
  beginTranscript(transcript)
  const native = { client, nativeId, transcript }
  const started = await start(ws, {
    type: recording.type,
    title: recording.title,
    current: sessionNamed(ws, native),
  })
  for (const line of play(recording.file, transcript))
    if (line.includes('"stop_reason":"end_turn"')) catchUp(ws, { ...native, native_id: nativeId })
  return started
}
