import { statsOf } from '../../../extras/stats.ts'
import type { Environment } from '../../../io/environment.ts'
import { listEverywhere, openEverywhere } from '../../../journeys/finding/everywhere.ts'
import { type Listed, listConversations } from '../../../journeys/finding/list.ts'
import { withLiveCounts } from '../../../journeys/finding/live-counts.ts'
import { openWorkspace } from '../../../workspace/open.ts'
import { knowsNone, NO_WORKSPACES, noteUnread, workspaceOrNone } from '../../everywhere.ts'
import { look } from '../../first-step.ts'
import { lineWidth, note, say, sayJson } from '../../print.ts'
import { statsLines } from './bars.ts'

interface StatsOptions {
  everywhere?: boolean
  json?: boolean
}

/** The width in columns if the output is not a terminal. */
const DEFAULT_WIDTH = 80

/** Prints counts for this workspace, or for all workspaces of this machine. Archived conversations count too. */
export async function statsVerb(environment: Environment, options: StatsOptions): Promise<void> {
  const conversations = options.everywhere === true ? await everywhere(environment) : await here(environment)
  const stats = statsOf(conversations)
  if (options.json === true) return sayJson(stats)
  say(statsLines(stats, lineWidth() ?? DEFAULT_WIDTH))
}

async function here(environment: Environment): Promise<Listed[]> {
  const ws = openWorkspace(environment)
  await look(ws)
  return withLiveCounts(ws, listConversations(ws).conversations)
}

async function everywhere(environment: Environment): Promise<Listed[]> {
  const workspaces = await openEverywhere(environment, workspaceOrNone(environment))
  const { conversations } = await listEverywhere(workspaces)
  noteUnread(workspaces, environment)
  if (knowsNone(workspaces)) note(NO_WORKSPACES)
  return conversations
}
