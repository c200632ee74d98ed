import { isTalk } from '../../session/live-path.ts'
import type { SavePlan } from '../../session/reconcile.ts'
import type { SessionFile } from '../../session/schema.ts'
import { mechanicalSummary } from '../../session/summary.ts'
import type { Workspace } from '../../workspace/open.ts'
import { type Published, publish } from './publish.ts'
import type { Conversation } from './read.ts'

/**
 * Publishes a conversation as paused, without a commit: this is how it ends when nobody stops it. Throws what publish
 * throws.
 */
export function pause(ws: Workspace, path: string, known?: Conversation): Promise<Published> {
  const paused = (session: SessionFile, plan: SavePlan): SessionFile => ({
    ...withSummary(session, plan),
    status: session.status === 'active' ? 'paused' : session.status,
  })
  return publish(ws, path, paused, known)
}

/** Sets the given summary. Without one, it makes a summary from the record if more was said since the last one. */
export function withSummary(session: SessionFile, plan: SavePlan, given?: string): SessionFile {
  if (given !== undefined && given !== '') return { ...session, context_summary: given }
  if (session.context_summary !== '' && !plan.append.some(isTalk)) return session
  return { ...session, context_summary: mechanicalSummary(plan.messages, session.context_summary) }
}
