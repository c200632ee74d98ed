import type { Environment } from '../../io/environment.ts'
import { listConversations, toResume } from '../../journeys/finding/list.ts'
import { withLiveCounts } from '../../journeys/finding/live-counts.ts'
import type { Unimported } from '../../journeys/importing/unimported.ts'
import { loopsWords, olderWords } from '../../session/resumable-lines.ts'
import { oneLine } from '../../text/line.ts'
import { relativeTime } from '../../text/relative-time.ts'
import type { Workspace } from '../../workspace/open.ts'
import { conversationsAsJson, conversationTable } from '../conversation-lines.ts'
import { noteUnread, placedTable, workspaceOrNone } from '../everywhere.ts'
import { showFirstScreen } from '../picker/first-screen.ts'
import { isPlaced, type Kept, nativeAsJson, type Offered } from '../picker/offered.ts'
import { lineWidth, note, say, sayJson } from '../print.ts'
import { noteNotSetUp } from '../settle.ts'
import { unkeptNotes } from './unkept-notes.ts'

/**
 * Runs for `cortext` without a verb. Shows the kept conversations of the workspace; outside of a workspace, those of
 * all workspaces. The clients' own sessions of this folder appear below them as soon as the clients have listed these
 * sessions. Changes no conversation until the person archives or continues one. A client's own session continues
 * natively and is still not kept.
 *
 * First shows the kept conversations, and then loads the code that they do not need.
 */
export async function picker(
  environment: Environment,
  options: { json?: boolean; notKept?: boolean },
): Promise<void> {
  const ws = workspaceOrNone(environment)
  if (options.notKept) return printNotKept(environment, ws)
  const offered = ws === undefined ? await offeredOfAll(environment) : await offeredOf(ws)
  if (options.json) return printAll(environment, ws, offered)
  if (ws !== undefined) noteNotSetUp(ws)
  if (!environment.interactive) return printTable(environment, ws, offered)
  const first = showFirstScreen(
    environment,
    offered.kept,
    ws === undefined ? ['client'] : ['client', 'new', 'archive'],
  )
  const { pickAny } = await import('../picker/any.ts')
  if (!(await pickAny(environment, ws, offered, first))) welcome(ws, offered)
  else noteHidden(offered)
}

function noteHidden({ older, loops }: Pick<Offered, 'older' | 'loops'>): void {
  if (loops > 0) note(loopsWords(loops))
  if (older > 0) note(olderWords(older))
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

/** Prints the kept conversations, and all that is not kept, as one JSON document. */
async function printAll(
  environment: Environment,
  ws: Workspace | undefined,
  { kept, among }: Offered,
): Promise<void> {
  const { sessions, silent } = await notKept(environment, ws, among)
  noteSilent(silent)
  const not_kept = ws === undefined ? [] : (await unkeptNotes(ws, among)).json
  sayJson({ ...conversationsAsJson(kept, []), native: sessions.map(nativeAsJson), not_kept })
}

/** Prints the newest sessions that are not kept, at most as many as the picker offers. */
async function printNotKept(environment: Environment, ws: Workspace | undefined): Promise<void> {
  const conversations = ws === undefined ? [] : listConversations(ws).conversations
  const { sessions, silent } = await notKept(environment, ws, conversations)
  noteSilent(silent)
  const { short } = ws === undefined ? { short: '' } : await unkeptNotes(ws, conversations)
  if (short !== '') note(short)
  if (sessions.length > MAX_OFFERED)
    note(`${sessions.length - MAX_OFFERED} older sessions are left out here; all of them: cortext --json`)
  sayJson({ native: sessions.slice(0, MAX_OFFERED).map(nativeAsJson) })
}

const MAX_OFFERED = 1000

function noteSilent(silent: Unimported['silent']): void {
  note(
    silent.map(({ name, fix }) => `${name} did not list its sessions, so they are missing here. Try: ${fix}`),
  )
}

/** Prints the kept conversations first, because some clients take seconds to list their sessions. */
async function printTable(
  environment: Environment,
  ws: Workspace | undefined,
  { kept, among, ...besides }: Offered,
): Promise<void> {
  const some = ws !== undefined || kept.length > 0
  const { closed } = besides
  if (kept.length === 0 && closed > 0) say(closedWords(closed))
  else if (ws !== undefined) say(conversationTable(kept, environment.now(), lineWidth(), among))
  else if (some) say(placedTable(kept.filter(isPlaced), environment, among.filter(isPlaced)))
  noteHidden(besides)
  if (ws !== undefined) note((await unkeptNotes(ws, among)).lines)
  const { sessions: native, automated, silent } = await notKept(environment, ws, among)
  noteSilent(silent)
  if (automated.length > 0) {
    const { automatedNote } = await import('../../journeys/importing/unimported.ts')
    note(automatedNote(automated.length, 'cortext import --all'))
  }
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
      ? 'Save them: cortext init, then cortext import --all'
      : 'Save them all: cortext import --all. Or one: cortext import <client> <id>',
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
      'See it work in a temporary folder: cortext demo',
    )
}

/**
 * Lists the sessions that are not kept. The module is imported only when this is called, because it loads all clients.
 */
async function notKept(
  environment: Environment,
  ws: Workspace | undefined,
  conversations: readonly Kept[],
): Promise<Unimported> {
  const { unimportedSessions } = await import('../../journeys/importing/unimported.ts')
  return unimportedSessions(environment, ws, conversations)
}
