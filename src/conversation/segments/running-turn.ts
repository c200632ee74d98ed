import { clientOf } from '../../clients/index.ts'
import { isPrompt } from '../../session/live-path.ts'
import { generationPath } from '../../store/layout.ts'
import { type Binding, extendEnded, type Segment } from '../../store/machine/binding.ts'
import { readJournal } from '../../store/machine/journal/journal.ts'
import { readTurnMark } from '../../store/machine/journal/turn-mark.ts'
import type { Workspace } from '../../workspace/open.ts'
import { messagesIn } from './messages-in.ts'

interface Copy {
  generation: string
  size: number
  /** Returns the journal up to `size`. Default: from its file. */
  read?: () => Uint8Array
}

/**
 * Like `extendEnded`. But after a stop from elsewhere, only the turn that was running then still belongs to the segment.
 * If a later prompt follows, the segment ends before it and does not grow any more.
 */
export function extendToTurnEnd(ws: Pick<Workspace, 'local'>, binding: Binding, copy: Copy): Binding {
  const last = binding.segments.at(-1)
  const extended = extendEnded(binding, copy)
  if (extended === binding || last?.ended_by !== 'elsewhere') return extended
  const { local } = ws
  const file = () => readJournal(generationPath(local, binding.client, last.journal), 0, copy.size)
  const to = nextTurn(local, binding, last, (copy.read ?? file)())
  if (to === undefined) return extended
  return { ...binding, segments: [...binding.segments.slice(0, -1), { ...last, to, ended_by: 'stop' }] }
}

/** Returns the offset where the first turn begins that the person began after the end of a segment. */
function nextTurn(
  local: string,
  { client, native_id: nativeId }: Binding,
  { to = 0 }: Segment,
  bytes: Uint8Array,
): number | undefined {
  // A hook sees a turn begin before the client writes its prompt. If the stop came in between, the first turn after the
  // end is the running one.
  const isPromptAfter = (readTurnMark(local, client, nativeId)?.offset ?? 0) >= to
  const running = isPromptAfter ? firstTurn(client, bytes, to) : undefined
  const prompts = messagesIn({ client, nativeId }, bytes, running?.end ?? to).filter(isPrompt)
  return prompts.length === 0 ? undefined : firstTurn(client, bytes, running?.end ?? to)?.start
}

/**
 * Returns where the first turn begins after an offset, and the end of the line that shows this. `turnStart` finds the last
 * turn of the bytes that it gets, so it gets one line more each time, until there is a turn.
 */
function firstTurn(
  client: string,
  bytes: Uint8Array,
  from: number,
): { start: number; end: number } | undefined {
  const { turnStart } = clientOf(client).reading
  for (let end = bytes.indexOf(10, from) + 1; end > 0; end = bytes.indexOf(10, end) + 1) {
    const start = from + turnStart(bytes.subarray(from, end))
    if (start < end) return { start, end }
  }
  return undefined
}
