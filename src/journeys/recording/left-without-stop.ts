import { type Segment, updateBinding } from '../../store/machine/binding.ts'
import { listBindings } from '../../store/machine/list-bindings.ts'
import type { Workspace } from '../../workspace/open.ts'
import { type Listed, listConversations, nameAndTitle, nameAt } from '../finding/list.ts'

/** A conversation whose last session ended, or changed to another conversation, without a stop. */
export interface Left {
  path: string
  /** Name and title: `5 "API design"`. */
  called: string
  name: string
}

/**
 * Returns the conversations that were left without a stop and that the person has not been told of. Notes that the
 * caller tells the person now. Throws `locked`.
 */
export function takeLeftNotes(ws: Workspace): Left[] {
  const isNew = ({ ended_by, left_notified }: Segment) => ended_by !== undefined && left_notified !== true
  const bindings = listBindings(ws.local, ws)
  if (!ws.mayWrite || !bindings.some(({ segments }) => segments.some(isNew))) return []
  const { conversations } = listConversations(ws)
  const left = new Map(conversations.filter((one) => one.left).map((one) => [one.path, one]))
  const reported = new Set<Listed>()
  for (const { client, native_id, segments } of bindings) {
    const isReported = (one: Segment) => isNew(one) && left.has(one.conversation)
    for (const one of segments.filter(isReported)) reported.add(left.get(one.conversation)!)
    if (segments.some(isNew))
      updateBinding(ws.local, client, native_id, (now) =>
        now === undefined
          ? now
          : {
              ...now,
              segments: now.segments.map((one) => (isNew(one) ? { ...one, left_notified: true } : one)),
            },
      )
  }
  return [...reported].map(({ path }) => ({
    path,
    called: nameAndTitle(conversations, path),
    name: nameAt(conversations, path),
  }))
}
