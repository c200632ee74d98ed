import { readerOf } from '../../clients/index.ts'
import { gitSeesRecord } from '../../conversation/held-back.ts'
import { transcriptOf } from '../../conversation/own-transcript.ts'
import { bytesOfTranscript, sizeOfTranscript } from '../../conversation/transcript-bytes.ts'
import { hasEnded } from '../../io/process.ts'
import { isPrompt } from '../../session/live-path.ts'
import { generationPath } from '../../store/layout.ts'
import type { Binding, Segment } from '../../store/machine/binding.ts'
import { sizeOf } from '../../store/machine/journal/copy-bytes.ts'
import type { Workspace } from '../../workspace/open.ts'
import { isAtWork, isLeft, isQuiet } from '../recording/auto-pause.ts'

export interface RecordedNotSaved {
  conversation: string
  client: string
  /**
   * `idle`: the session is open, and has been quiet for as long as auto-pause waits. `ended`: the session has ended.
   * `missed`: the client ran no hook for turns of the session. `killed`: the client ended without running a hook.
   */
  why: 'idle' | 'ended' | 'missed' | 'killed'
}

/**
 * Returns the conversations with recorded turns that should be saved already; `cortext doctor --fix` saves them. Leaves
 * out conversations that are published only at a stop, and those in which somebody is talking now.
 */
export function recordedNotSaved(ws: Workspace, bindings: readonly Binding[]): RecordedNotSaved[] {
  const found = new Map<string, RecordedNotSaved>()
  for (const binding of bindings)
    for (const segment of binding.segments) {
      const { conversation } = segment
      const why = whyNotSaved(ws, binding, segment)
      const earlier = found.get(conversation)?.why
      if (why !== undefined && (earlier === undefined || earlier === 'idle'))
        found.set(conversation, { conversation, client: binding.client, why })
    }
  return [...found.values()]
}

function whyNotSaved(ws: Workspace, binding: Binding, segment: Segment): RecordedNotSaved['why'] | undefined {
  if (segment.to !== undefined)
    return isLeft(ws, binding, segment) && !isAtWork(ws, segment) ? 'ended' : undefined
  if (segment.process !== undefined && hasEnded(segment.process)) return 'killed'
  const copied = sizeOf(generationPath(ws.local, binding.client, segment.journal)) ?? 0
  if (promptsBeyond(ws, binding, segment, copied) > 1) return 'missed'
  const size = Math.max(copied, sizeOfTranscript(binding) ?? 0)
  return !gitSeesRecord(ws) && isQuiet(ws, binding, segment, size) ? 'idle' : undefined
}

/**
 * Counts the prompts that are in the transcript but not in the journal. One is normal, because a client may write its
 * last turn after its last hook. Returns 0 while a turn is running.
 */
function promptsBeyond(ws: Workspace, binding: Binding, segment: Segment, copied: number): number {
  const native = { client: binding.client, transcript: transcriptOf(ws, binding) }
  if ((sizeOfTranscript(native) ?? 0) <= copied) return 0
  const bytes = bytesOfTranscript(native)
  const from = Math.min(Math.max(copied, segment.from), bytes.length)
  const unread = { nativeId: binding.native_id, bytes, from, sideFiles: [], readSideFile: () => undefined }
  const { messages, facts } = readerOf(binding.client).reading.read(unread)
  return facts.settled ? messages.filter(isPrompt).length : 0
}
