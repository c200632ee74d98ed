import type { Environment } from '../../io/environment.ts'
import { listConversations, toResume } from '../../journeys/finding/list.ts'
import { withLiveCounts } from '../../journeys/finding/live-counts.ts'
import type { Unimported } from '../../journeys/importing/unimported.ts'
import { olderWords } from '../../session/resumable-lines.ts'
import { oneLine } from '../../text/line.ts'
import { relativeTime } from '../../text/relative-time.ts'
import type { Workspace } from '../../workspace/open.ts'
import { conversationsAsJson, conversationTable } from '../conversation-lines.ts'
import { noteUnread, placedTable, workspaceOrNone } from '../everywhere.ts'
import { showFirstScreen } from '../picker/first-screen.ts'
import { isPlaced, type Kept, nativeAsJson, type Offered } from '../picker/offered.ts'
import { lineWidth, note, say, sayJson } from '../print.ts'
import { unkeptNotes } from './unkept-notes.ts'

/**
 * Runs for a bare `cortext`: shows the kept conversations, and below them the clients' own sessions of this folder, as
 * soon as the clients have told them. In a folder that is no workspace, those are the conversations of all workspaces.
 * Until a person archives one, it writes nothing in a workspace; a session of a client continues natively, as it is.
 *
 * What is kept is shown before anything is loaded that only the rest needs.
 */
export async function picker(
  environment: Environment,
  options: { json?: boolean; notKept?: boolean },
): Promise<void> {
  const ws = workspaceOrNone(environment)
  if (options.notKept) return tellNotKept(environment, ws)
  const offered = ws === undefined ? await offeredOfAll(environment) : await offeredOf(ws)
  if (options.json) return tellAll(environment, ws, offered.kept)
  if (!environment.interactive) return table(environment, ws, offered)
  const first = showFirstScreen(
    environment,
    offered.kept,
    ws === undefined ? ['client'] : ['client', 'new', 'archive'],
  )
  const { pickAny } = await import('../picker/any.ts')
  if (!(await pickAny(environment, ws, offered, first))) welcome(ws, offered)
  else if (offered.older > 0) note(olderWords(offered.older))
}

async function offeredOf(ws: Workspace): Promise<Offered> {
  const { conversations } = listConversations(ws)
  const { shown, ...besides } = toResume(conversations)
  const kept = await withLiveCounts(ws, shown)
  const byPath = new Map(kept.map((one) => [one.path, one]))
  return {
    kept,
    among: conversations,
    ...besides,
    find: async (typed) => {
      const { searchConversations } = await import('../../journeys/finding/search.ts')
      const found = (await searchConversations(ws, typed))?.found ?? []
      return found.flatMap(({ candidate }) => byPath.get(candidate.path) ?? [])
    },
  }
}

async function offeredOfAll(environment: Environment): Promise<Offered> {
  const { findEverywhere, listEverywhere, openEverywhere } = await import(
    '../../journeys/finding/everywhere.ts'
  )
  const everywhere = await openEverywhere(environment, undefined)
  const { conversations } = await listEverywhere(everywhere)
  const { shown: kept, ...besides } = toResume(conversations)
  noteUnread(everywhere, environment)
  return {
    kept,
    among: conversations,
    ...besides,
    find: async (typed) => (await findEverywhere(everywhere, kept, typed, environment)).found,
  }
}

/** What there is, as one document. */
async function tellAll(
  environment: Environment,
  ws: Workspace | undefined,
  kept: readonly Kept[],
): Promise<void> {
  const { sessions, silent } = await notKept(environment, ws)
  noteSilent(silent)
  const not_kept = ws === undefined ? [] : unkeptIn(ws).json
  sayJson({ ...conversationsAsJson(kept, []), native: sessions.map(nativeAsJson), not_kept })
}

/** The newest sessions that are not kept: nobody goes through more of them, and the picker reads no more. */
async function tellNotKept(environment: Environment, ws: Workspace | undefined): Promise<void> {
  const { sessions, silent } = await notKept(environment, ws)
  noteSilent(silent)
  const { short } = ws === undefined ? { short: '' } : unkeptIn(ws)
  if (short !== '') note(short)
  if (sessions.length > MAX_OFFERED)
    note(`${sessions.length - MAX_OFFERED} older sessions are left out here; all of them: cortext --json`)
  sayJson({ native: sessions.slice(0, MAX_OFFERED).map(nativeAsJson) })
}

function unkeptIn(ws: Workspace) {
  return unkeptNotes(ws, listConversations(ws).conversations)
}

const MAX_OFFERED = 1000

function noteSilent(silent: Unimported['silent']): void {
  note(
    silent.map(({ name, fix }) => `${name} did not tell its sessions, so they are missing here. Try: ${fix}`),
  )
}

/** The kept conversations first: some clients take seconds to tell their sessions. */
async function table(
  environment: Environment,
  ws: Workspace | undefined,
  { kept, among, ...besides }: Offered,
): Promise<void> {
  const some = ws !== undefined || kept.length > 0
  const { older, closed } = besides
  if (kept.length === 0 && closed > 0) say(closedWords(closed))
  else if (ws !== undefined) say(conversationTable(kept, environment.now(), lineWidth(), among))
  else if (some) say(placedTable(kept.filter(isPlaced), environment, among.filter(isPlaced)))
  if (older > 0) note(olderWords(older))
  if (ws !== undefined) note(unkeptIn(ws).lines)
  const { sessions: native, silent } = await notKept(environment, ws)
  noteSilent(silent)
  if (native.length === 0 && !some) welcome(ws, besides)
  if (native.length === 0) return
  say(
    some ? [''] : [],
    'Sessions of this folder that are not kept:',
    native.map(
      (one) =>
        `  ${one.client}  ${one.nativeId}  ${relativeTime(one.lastActive, environment.now())}  ${oneLine(one.title)}`,
    ),
    '',
    ws === undefined
      ? 'Keep them: cortext init, then cortext import <client> --all'
      : 'Keep them: cortext import <client> <id>, or --all',
  )
}

function closedWords(closed: number): string {
  return `No conversations to go on with: ${closed} are completed or archived. To list them: cortext list --all`
}

function welcome(ws: Workspace | undefined, { closed }: Pick<Offered, 'closed'>): void {
  if (closed > 0) say(closedWords(closed))
  else
    say(
      'Nothing here yet.',
      ws === undefined ? ['Make this folder a workspace: cortext init'] : [],
      'See it work without any of it: cortext demo',
    )
}

/** The import loads all clients. */
async function notKept(environment: Environment, ws: Workspace | undefined): Promise<Unimported> {
  const { unimportedSessions } = await import('../../journeys/importing/unimported.ts')
  return unimportedSessions(environment, ws)
}
