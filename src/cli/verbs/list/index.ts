import type { Environment } from '../../../io/environment.ts'
import {
  headingOf,
  hiddenIn,
  isResumable,
  type Listed,
  listConversations,
  toResume,
} from '../../../journeys/finding/list.ts'
import { withLiveCounts } from '../../../journeys/finding/live-counts.ts'
import { syncBeforeLook } from '../../../journeys/syncing/auto.ts'
import { parseStatus } from '../../../session/lifecycle.ts'
import { hiddenWords, LIST_ALL } from '../../../session/resumable-lines.ts'
import { oneLine, shortLine } from '../../../text/line.ts'
import type { Workspace } from '../../../workspace/open.ts'
import { conversationsAsJson, conversationTable, longList } from '../../conversation-lines.ts'
import {
  knowsNone,
  NO_WORKSPACES,
  noteUnread,
  openHere,
  placedTable,
  shortPath,
  workspaceOrNone,
} from '../../everywhere.ts'
import { look, noteLeftOut, noteNotSetUp, noteOtherPlace, noteUnsent } from '../../first-step.ts'
import { dateOf } from '../../option-values.ts'
import { lineWidth, note, say, sayJson, sayWrapped } from '../../print.ts'
import { branchNotes } from './branch-notes.ts'
import { notSavedNotes } from './not-saved-notes.ts'

export interface ListOptions {
  type?: string
  status?: string
  in?: string
  since?: string
  author?: string
  archived?: boolean
  all?: boolean
  long?: boolean
  everywhere?: boolean
  json?: boolean
  /** An agent runs this without asking: it is told of no other workspace. */
  agent?: boolean
}

export async function list(environment: Environment, options: ListOptions): Promise<void> {
  const filter = filterOf(options)
  if (options.everywhere) {
    const here = workspaceOrNone(environment)
    if (here !== undefined) await look(here)
    return printEverywhere(environment, here, options, filter, 'cortext list --everywhere --all')
  }
  const ws = openHere(environment, options.agent ? undefined : 'cortext list --everywhere')
  syncBeforeLook(ws)
  await look(ws)
  noteNotSetUp(ws)
  await noteLeftOut(ws)
  await print(ws, options, filter, LIST_ALL)
}

/**
 * `resume --list`: lists all conversations, whatever their status, but archived conversations only with
 * `--archived`. Outside of a workspace, lists the conversations of all workspaces.
 */
export async function listToResume(
  environment: Environment,
  options: Pick<ListOptions, 'archived' | 'everywhere' | 'json'>,
): Promise<void> {
  const ws = workspaceOrNone(environment)
  if (ws !== undefined) await look(ws)
  const filter = { asked: () => true, shows: (one: Listed) => options.archived || !one.archived }
  if (ws === undefined || options.everywhere)
    return printEverywhere(environment, ws, options, filter, 'cortext resume --list --everywhere --archived')
  await print(ws, options, filter, 'cortext resume --list --archived')
}

async function print(ws: Workspace, options: ListOptions, given: Filter, all: string): Promise<void> {
  const { now } = ws.environment
  const filter = await withAuthor(given, [ws], options)
  const { conversations, broken, documents, gone } = listConversations(ws)
  const shown = await withLiveCounts(ws, filterOrOld(conversations, filter, options))
  const notSaved = await notSavedNotes(ws, conversations)
  const onBranches = await branchNotes(ws)
  if (options.json) {
    const more = { documents, not_saved: notSaved.json, on_branches: onBranches.json }
    return sayJson({ ...conversationsAsJson(shown, broken), ...more })
  }
  if (shown.length === 0 && conversations.length > 0) say(noneOf(options))
  else if (options.long) sayWrapped(longList(shown, now()))
  else say(conversationTable(shown, now(), lineWidth()))
  noteHidden(conversations.filter(filter.asked), shown, all)
  note(notSaved.lines)
  // Imported only here, because it loads all clients.
  if (conversations.length === 0)
    note((await import('./sessions-not-saved.ts')).sessionNotes(ws.environment, ws, '').lines)
  note(goneNote(gone), onBranches.lines)
  noteUnsent(ws)
  // What a clone may have written is nothing for an agent that nobody asked.
  if (!options.agent) noteOtherPlace(ws)
  printDocuments(ws, documents, options.all ?? false)
  note(broken.map(({ path, message }) => `cannot be read: ${path}: ${message}`))
}

async function printEverywhere(
  environment: Environment,
  here: Workspace | undefined,
  options: ListOptions,
  given: Filter,
  all: string,
): Promise<void> {
  // The import is dynamic because most lists are of one workspace and must be quick.
  const { listEverywhere, openEverywhere } = await import('../../../journeys/finding/everywhere.ts')
  const everywhere = await openEverywhere(environment, here)
  const filter = await withAuthor(given, everywhere.workspaces, options)
  const { conversations, broken } = await listEverywhere(everywhere)
  const shown = filterOrOld(conversations, filter, options)
  if (options.json) return sayJson({ ...conversationsAsJson(shown, broken), unread: everywhere.unread })
  if (knowsNone(everywhere)) return say(NO_WORKSPACES)
  if (options.long) sayWrapped(longList(shown, environment.now(), ({ root }) => shortPath(root, environment)))
  else say(placedTable(shown, environment))
  noteHidden(conversations.filter(filter.asked), shown, all)
  note(broken.map(({ path, message }) => `cannot be read: ${path}: ${message}`))
  noteUnread(everywhere, environment)
}

/** Says how many of the conversations that were asked for are not shown, and why. */
function noteHidden(asked: readonly Listed[], shown: readonly Listed[], all: string): void {
  const hidden = hiddenIn(asked, shown)
  if (hidden.size > 0) note(hiddenWords(hidden, all))
}

/** Says that no conversation was found, and what was looked for. */
function noneOf({ type, status, in: client, since, author, archived, all }: ListOptions): string {
  const wanted = [
    ...(type === undefined ? [] : [`of the type ${oneLine(type)}`]),
    ...(status === undefined ? [] : [`with the status ${oneLine(status)}`]),
    ...(client === undefined ? [] : [`last continued in ${oneLine(client)}`]),
    ...(since === undefined ? [] : [`active since ${oneLine(since)}`]),
    ...(author === undefined ? [] : [`in which ${author === 'me' ? 'you' : oneLine(author)} said something`]),
    ...(archived ? ['that are archived'] : []),
  ]
  if (wanted.length > 0) return `No conversations ${wanted.join(', ')}.`
  return all ? 'No conversations.' : 'No conversations to go on with: all are completed, archived or old.'
}

function goneNote({ length }: readonly string[]): string[] {
  if (length === 0) return []
  return [
    `Missing from the work tree (for example after git clean): ${length}. To restore them: cortext doctor --fix`,
  ]
}

/**
 * Prints the folders that have a document and no session, by path and heading. They were made before cortext wrote
 * `.session/`, somebody deleted it, or this machine's notes were deleted before the first save.
 */
function printDocuments(ws: Workspace, documents: readonly string[], all: boolean): void {
  if (documents.length === 0) return
  const named = all || documents.length === 1 ? documents.map((path) => documentLine(ws, path)) : []
  const many = documents.length === 1 ? '1 folder has' : `${documents.length} folders have`
  note(`${many} a document and no session${named.length > 0 ? ':' : '; for the names: cortext list --all'}`)
  if (named.length > 0) say(named)
  note('To import a session into such a folder: cortext import <client> <session> --into <folder>')
}

function documentLine(ws: Workspace, path: string): string {
  const heading = headingOf(ws, path)
  return `${oneLine(path)}${heading === '' ? '' : `  ${shortLine(heading, MAX_HEADING)}`}`
}

const MAX_HEADING = 100

interface Filter {
  /** Whether it is one of those that the options ask for. Without `root`, it is of the only workspace. */
  asked: (one: Listed & { root?: string }) => boolean
  /** Whether the list shows it, if it is asked for. */
  shows: (one: Listed) => boolean
}

/** Filters conversations. If none is left and no status is given, returns the old ones that are asked for. */
function filterOrOld<T extends Listed>(
  conversations: readonly T[],
  { asked, shows }: Filter,
  { status }: ListOptions,
): T[] {
  const wanted = conversations.filter(asked)
  const shown = wanted.filter(shows)
  return shown.length > 0 || status !== undefined ? shown : toResume(wanted).shown
}

/** Adds to a filter of conversations of these workspaces who said something in them. */
async function withAuthor(
  filter: Filter,
  workspaces: readonly Workspace[],
  { author }: ListOptions,
): Promise<Filter> {
  if (author === undefined) return filter
  // Loaded only here, because few lists ask for it.
  const { saidBy } = await import('../../../journeys/finding/said-by.ts')
  const [first] = workspaces
  const isSaidIn = new Map<string, Awaited<ReturnType<typeof saidBy>>>()
  for (const ws of workspaces) isSaidIn.set(ws.root, await saidBy(ws, author))
  return {
    ...filter,
    asked: (one) => filter.asked(one) && isSaidIn.get(one.root ?? first!.root)!(one),
  }
}

/**
 * By default the list shows what can be continued. With `--status`, it shows old conversations too. Archived ones
 * appear only with `--archived` or `--all`.
 */
function filterOf(options: ListOptions): Filter {
  const status = options.status === undefined ? undefined : parseStatus(options.status)
  const since = options.since === undefined ? undefined : dateOf(options.since)
  return {
    asked: (one) =>
      (options.type === undefined || one.type === options.type) &&
      (status === undefined || one.status.status === status) &&
      (options.in === undefined || one.client === options.in) &&
      (since === undefined || one.lastActive >= since) &&
      (!options.archived || one.archived),
    shows: (one) =>
      options.all || options.archived || (status === undefined ? isResumable(one) : !one.archived),
  }
}
