import { type Binding, liveSegment, type Segment, updateBinding } from '../../store/machine/binding.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { Transcript } from '../not-saved/named-sessions.ts'

/**
 * Binds a part of a native session to a conversation, as an ended segment. If the segment of an earlier import reaches
 * the part, extends that segment instead, because a border between two segments could divide a message. A live segment
 * stays as it is, and stays last.
 */
export function bindPart(
  ws: Workspace,
  { client, nativeId, transcript }: Transcript,
  journal: string,
  path: string,
  { from, to }: { from: number; to: number },
): void {
  updateBinding(ws.local, client, nativeId, (stored) => {
    const binding = stored ?? { client, native_id: nativeId, transcript, root: ws.root, segments: [] }
    const containsPart = (one: Segment) => one.journal === journal && one.from <= from && (one.to ?? to) >= to
    if (binding.segments.some((one) => one.conversation === path && containsPart(one))) return binding
    const earlier = binding.segments.findLast(
      (one) => one.how === 'import' && one.conversation === path && one.journal === journal,
    )
    if (earlier?.to !== undefined && earlier.from <= from && earlier.to >= from) {
      const longer = { ...earlier, to: Math.max(to, earlier.to) }
      return { ...binding, segments: binding.segments.map((one) => (one === earlier ? longer : one)) }
    }
    const at = ws.environment.now().toISOString()
    const taken = { conversation: path, journal, from, to, how: 'import' as const }
    return inOrder(binding, { ...taken, started_at: at, ended_at: at, ended_by: 'stop' })
  })
}

/** Inserts a segment in the order of the session, but before a live segment, which may be of another conversation. */
function inOrder(binding: Binding, ended: Segment): Binding {
  const { segments } = binding
  const next = segments.findIndex(
    (one) => one.journal === ended.journal && (one.to === undefined || one.from >= ended.to!),
  )
  const live = liveSegment(binding) === undefined ? segments.length : segments.length - 1
  const at = next === -1 ? live : Math.min(next, live)
  return { ...binding, segments: [...segments.slice(0, at), ended, ...segments.slice(at)] }
}
