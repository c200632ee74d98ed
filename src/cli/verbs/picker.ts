import type { Environment } from '../../io/environment.ts'
import { listConversations, toResume } from '../../journeys/finding/list.ts'
import { withLiveCounts } from '../../journeys/finding/live-counts.ts'
import type { SessionsNotSaved } from '../../journeys/not-saved/sessions.ts'
import { syncBeforeLook } from '../../journeys/syncing/auto.ts'
import { type Hidden, hiddenWords } from '../../session/resumable-lines.ts'
import { oneLine } from '../../text/line.ts'
import { relativeTime } from '../../text/relative-time.ts'
import type { Workspace } from '../../workspace/open.ts'
import { conversationsAsJson, conversationTable } from '../conversation-lines.ts'
import { noteUnread, placedTable, workspaceOrNone } from '../everywhere.ts'
import { noteNotSetUp, noteOtherPlace, noteUnsent } from '../first-step.ts'
import { showFirstScreen } from '../picker/first-screen.ts'
import { isPlaced, type Kept, nativeAsJson, type Offered } from '../picker/offered.ts'
import { lineWidth, note, say, sayJson } from '../print.ts'
import { notSavedNotes } from './list/not-saved-notes.ts'

/**
 * Runs for `cortext` without a verb. Shows the kept conversations of the workspace; outside of a workspace, those of
 * all workspaces. The clients' own sessions of this folder appear below them as soon as the clients have listed these
 * sessions. Changes no conversation until the person archives or continues one. A client's own session continues
 * natively and is still not saved.
 *
 * First shows the kept conversations, and then loads the code that they do not need.
 */
export async function picker(
  environment: Environment,
  options: { json?: boolean; notSaved?: boolean },
): Promise<void> {
  const ws = workspaceOrNone(environment)
  if (options.notSaved) return printNotSaved(environment, ws)
  const offered = ws === undefined ? await offeredOfAll(environment) : await offeredOf(ws)
  if (options.json) return printAll(environment, ws, offered)
  if (ws !== undefined) {
    syncBeforeLook(ws)
    noteNotSetUp(ws)
    noteUnsent(ws)
    noteOtherPlace(ws)
  }
  if (!environment.interactive) return printTable(environment, ws, offered)
  const first = showFirstScreen(
    environment,
    offered.kept,
    ws === undefined ? ['client'] : ['client', 'new', 'archive'],
  )
  const { pickAny } = await import('../picker/any.ts')
  if (!(await pickAny(environment, ws, offered, first))) welcome(ws, offered.hidden)
  else if (offered.hidden.size > 0) note(hiddenWords(offered.hidden))
}

async function offeredOf(ws: Workspace): Promise<Offered> {
  const { conversations } = listConversations(ws)
  const { shown, hidden } = toResume(conversations)
  const kept = await withLiveCounts(ws, shown)
  const byPath = new Map(kept.map((one) => [one.path, one]))
  return {
    kept,
    all: conversations,
    hidden,
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
  const { shown: kept, hidden } = toResume(conversations)
  noteUnread(everywhere, environment)
  return {
    kept,
    all: conversations,
    hidden,
    find: async (typed) => (await findEverywhere(everywhere, kept, typed, environment)).found,
  }
}

/** Prints the kept conversations, and all that is not saved, as one JSON document. */
async function printAll(
  environment: Environment,
  ws: Workspace | undefined,
  { kept, all }: Offered,
): Promise<void> {
  const { sessions, silent } = await notSaved(environment, ws, all)
  noteSilent(silent)
  const not_saved = ws === undefined ? [] : (await notSavedNotes(ws, all)).json
  sayJson({ ...conversationsAsJson(kept, []), native: sessions.map(nativeAsJson), not_saved })
}

/** Prints the newest sessions that are not saved, at most as many as the picker offers. */
async function printNotSaved(environment: Environment, ws: Workspace | undefined): Promise<void> {
  const conversations = ws === undefined ? [] : listConversations(ws).conversations
  const { sessions, silent } = await notSaved(environment, ws, conversations)
  noteSilent(silent)
  const { short } = ws === undefined ? { short: '' } : await notSavedNotes(ws, conversations)
  if (short !== '') note(short)
  if (sessions.length > MAX_OFFERED)
    note(`${sessions.length - MAX_OFFERED} older sessions are left out here; all of them: cortext --json`)
  sayJson({ native: sessions.slice(0, MAX_OFFERED).map(nativeAsJson) })
}

const MAX_OFFERED = 1000

function noteSilent(silent: SessionsNotSaved['silent']): void {
  note(
    silent.map(({ name, fix }) => `${name} did not list its sessions, so they are missing here. Try: ${fix}`),
  )
}

/** Prints the kept conversations first, because some clients take seconds to list their sessions. */
async function printTable(
  environment: Environment,
  ws: Workspace | undefined,
  { kept, all, hidden }: Offered,
): Promise<void> {
  const some = ws !== undefined || kept.length > 0
  if (kept.length === 0 && hidden.size > 0) say(noneWords(hidden))
  else {
    if (ws !== undefined) say(conversationTable(kept, environment.now(), lineWidth()))
    else if (some) say(placedTable(kept.filter(isPlaced), environment))
    if (hidden.size > 0) note(hiddenWords(hidden))
  }
  if (ws !== undefined) note((await notSavedNotes(ws, all)).lines)
  const { sessions: native, automated, silent } = await notSaved(environment, ws, all)
  noteSilent(silent)
  if (automated.length > 0) {
    const { automatedNote } = await import('../../journeys/not-saved/sessions.ts')
    note(automatedNote(automated.length, 'cortext import --all'))
  }
  if (native.length === 0 && !some) welcome(ws, hidden)
  if (native.length === 0) return
  say(
    some ? [''] : [],
    'Sessions of this folder that are not saved:',
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

function noneWords(hidden: Hidden): string {
  return `No conversations to go on with. ${hiddenWords(hidden)}`
}

function welcome(ws: Workspace | undefined, hidden: Hidden): void {
  if (hidden.size > 0) say(noneWords(hidden))
  else
    say(
      'Nothing here yet.',
      ws === undefined ? ['Make this folder a workspace: cortext init'] : [],
      'See it work in a temporary folder: cortext demo',
    )
}

/**
 * Lists the sessions that are not saved. The module is imported only when this is called, because it loads all clients.
 */
async function notSaved(
  environment: Environment,
  ws: Workspace | undefined,
  conversations: readonly Kept[],
): Promise<SessionsNotSaved> {
  const { savedIn, sessionsNotSaved } = await import('../../journeys/not-saved/sessions.ts')
  return sessionsNotSaved(environment, environment.cwd, ws === undefined ? [] : savedIn(ws, conversations))
}
