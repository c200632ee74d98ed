import { isTalk } from '../session/live-path.ts'
import type { SessionFile } from '../session/schema.ts'
import { summaryWith } from '../session/summary.ts'
import type { Workspace } from '../workspace/open.ts'
import { type Changed, changeState } from './change.ts'
import type { Found, State } from './publishing/write.ts'

/**
 * Saves a conversation as paused, without a commit, because it has gone quiet without a stop. Throws what changeState
 * throws.
 */
export function pause(ws: Workspace, path: string, state?: State): Promise<Changed> {
  return changeState(ws, path, { change: paused, state })
}

/** Returns the metadata of a conversation that ended without a stop. A completed conversation stays completed. */
export function paused(session: SessionFile, found: Found): SessionFile {
  return {
    ...withSummary(session, found),
    status: session.status === 'active' ? 'paused' : session.status,
  }
}

/**
 * Sets the given summary. If none is given, makes one from the last prompt when the session has none or talk was added.
 */
export function withSummary(session: SessionFile, { append, asked }: Found, given?: string): SessionFile {
  if (given !== undefined && given !== '') return { ...session, context_summary: given }
  if (session.context_summary !== '' && !append.some(isTalk)) return session
  return { ...session, context_summary: summaryWith(asked, session.context_summary) }
}
