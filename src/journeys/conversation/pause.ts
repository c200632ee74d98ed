import { isTalk } from '../../session/live-path.ts'
import type { SavePlan } from '../../session/reconcile.ts'
import type { SessionFile } from '../../session/schema.ts'
import { mechanicalSummary } from '../../session/summary.ts'
import type { Workspace } from '../../workspace/open.ts'
import { type Published, publish } from './publish.ts'

/** Published as paused, no commit: how a conversation ends that nobody stopped. */
export function pause(ws: Workspace, path: string): Promise<Published> {
  return publish(ws, path, (session, plan) => ({
    ...withSummary(session, plan),
    status: session.status === 'active' ? 'paused' : session.status,
  }))
}

/** The summary that was given; else, where more was said since the last one, one made from the record. */
export function withSummary(session: SessionFile, plan: SavePlan, given?: string): SessionFile {
  if (given !== undefined && given !== '') return { ...session, context_summary: given }
  if (session.context_summary !== '' && !plan.append.some(isTalk)) return session
  return { ...session, context_summary: mechanicalSummary(plan.messages, session.context_summary) }
}
