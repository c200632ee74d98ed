import type { Environment } from '../../io/environment.ts'
import { isResumable, type Listed, listConversations } from '../../journeys/finding/list.ts'
import { withLiveCounts } from '../../journeys/finding/live-counts.ts'
import { headingOf } from '../../journeys/importing/into.ts'
import { parseStatus } from '../../session/lifecycle.ts'
import { oneLine, shortLine } from '../../text/line.ts'
import { openWorkspace, type Workspace } from '../../workspace/open.ts'
import { conversationsAsJson, conversationTable, longList } from '../conversation-lines.ts'
import {
  knowsNone,
  NO_WORKSPACES,
  noteUnread,
  placedTable,
  shortPath,
  workspaceOrNone,
} from '../everywhere.ts'
import { dateOf } from '../filters.ts'
import { lineWidth, note, say, sayJson, sayWrapped } from '../print.ts'
import { look, noteNotSetUp } from '../settle.ts'
import { unkeptNotes } from './unkept-notes.ts'

export interface ListOptions {
  type?: string
  status?: string
  in?: string
  since?: string
  archived?: boolean
  all?: boolean
  long?: boolean
  everywhere?: boolean
  json?: boolean
}

export async function list(environment: Environment, options: ListOptions): Promise<void> {
  const filter = filterOf(options)
  if (options.everywhere) {
    const here = workspaceOrNone(environment)
    if (here !== undefined) await look(here)
    return printEverywhere(environment, here, options, filter, 'all of them: cortext list --everywhere --all')
  }
  const ws = openWorkspace(environment)
  await look(ws)
  noteNotSetUp(ws)
  await print(ws, options, filter, 'not shown; all of them: cortext list --all')
}

/**
 * `resume --list`: lists all conversations, whatever their status (S1-004h), but archived conversations only with
 * `--archived`. Outside of a workspace, lists the conversations of all workspaces.
 */
export async function listToResume(
  environment: Environment,
  options: Pick<ListOptions, 'archived' | 'everywhere' | 'json'>,
): Promise<void> {
  const ws = workspaceOrNone(environment)
  if (ws !== undefined) await look(ws)
  const shown = (one: Listed) => options.archived || !one.archived
  if (ws === undefined || options.everywhere)
    return printEverywhere(environment, ws, options, shown, 'archived ones: --archived')
  await print(ws, options, shown, 'archived are not shown: --archived')
}

async function print(
  ws: Workspace,
  options: ListOptions,
  filter: (one: Listed) => boolean,
  others: string,
): Promise<void> {
  const { now } = ws.environment
  const { conversations, broken, documents, gone } = listConversations(ws)
  const shown = await withLiveCounts(ws, filterOrOld(conversations, filter, options))
  const unkept = await unkeptNotes(ws, conversations)
  if (options.json) {
    return sayJson({ ...conversationsAsJson(shown, broken), documents, not_kept: unkept.json })
  }
  if (shown.length === 0 && conversations.length > 0) say(noneOf(options))
  else if (options.long) sayWrapped(longList(shown, now(), lineWidth()))
  else say(conversationTable(shown, now(), lineWidth(), conversations))
  const hidden = conversations.length - shown.length
  if (hidden > 0) note(`${hidden} ${others}`)
  note(unkept.lines)
  note(goneNote(gone))
  note(documentNotes(ws, documents, options.all ?? false))
  note(broken.map(({ path, message }) => `cannot be read: ${path}: ${message}`))
}

async function printEverywhere(
  environment: Environment,
  here: Workspace | undefined,
  options: ListOptions,
  filter: (one: Listed) => boolean,
  others: string,
): Promise<void> {
  // The import is dynamic because most lists are of one workspace and must be quick.
  const { listEverywhere, openEverywhere } = await import('../../journeys/finding/everywhere.ts')
  const everywhere = await openEverywhere(environment, here)
  const { conversations, broken } = await listEverywhere(everywhere)
  const shown = filterOrOld(conversations, filter, options)
  if (options.json) return sayJson({ ...conversationsAsJson(shown, broken), unread: everywhere.unread })
  if (knowsNone(everywhere)) return say(NO_WORKSPACES)
  if (options.long)
    sayWrapped(longList(shown, environment.now(), lineWidth(), ({ root }) => shortPath(root, environment)))
  else say(placedTable(shown, environment, conversations))
  const hidden = conversations.length - shown.length
  if (hidden > 0) note(`${hidden} not shown; ${others}`)
  note(broken.map(({ path, message }) => `cannot be read: ${path}: ${message}`))
  noteUnread(everywhere, environment)
}

/** Says that no conversation was found, and what was looked for. */
function noneOf({ type, status, in: client, since, archived, all }: ListOptions): string {
  const wanted = [
    ...(type === undefined ? [] : [`of the type ${oneLine(type)}`]),
    ...(status === undefined ? [] : [`with the status ${oneLine(status)}`]),
    ...(client === undefined ? [] : [`last continued in ${oneLine(client)}`]),
    ...(since === undefined ? [] : [`active since ${oneLine(since)}`]),
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
 * Notes on folders with a document and no session. They were made before cortext wrote `.session/`, or a person deleted
 * it.
 */
function documentNotes(ws: Workspace, documents: readonly string[], all: boolean): string[] {
  if (documents.length === 0) return []
  const many = documents.length === 1 ? '1 folder has' : `${documents.length} folders have`
  return [
    `${many} a document and no session${all || documents.length === 1 ? ':' : '; for the names: cortext list --all'}`,
    ...(all || documents.length === 1 ? documents.map((path) => documentLine(ws, path)) : []),
    'To import a session into such a folder: cortext import <client> <session> --into <folder>',
  ]
}

function documentLine(ws: Workspace, path: string): string {
  const heading = headingOf(ws, path)
  return `  ${oneLine(path)}${heading === '' ? '' : ` (${shortLine(heading, MAX_HEADING)})`}`
}

const MAX_HEADING = 100

/** Filters conversations. If none is left and no status is given, returns the old ones that pass the other filters. */
function filterOrOld<T extends Listed>(
  conversations: readonly T[],
  filter: (one: Listed) => boolean,
  { status }: ListOptions,
): T[] {
  const shown = conversations.filter(filter)
  return shown.length > 0 || status !== undefined
    ? shown
    : conversations.filter((one) => one.old && filter({ ...one, old: false }))
}

/**
 * By default the list shows what can be continued. With `--status`, it shows old conversations too. Archived ones
 * appear only with `--archived` or `--all`.
 */
function filterOf(options: ListOptions): (one: Listed) => boolean {
  const status = options.status === undefined ? undefined : parseStatus(options.status)
  const since = options.since === undefined ? undefined : dateOf(options.since)
  return (one) =>
    (options.all || options.archived || (status === undefined ? isResumable(one) : !one.archived)) &&
    (options.type === undefined || one.type === options.type) &&
    (status === undefined || one.status.status === status) &&
    (options.in === undefined || one.client === options.in) &&
    (since === undefined || one.lastActive >= since) &&
    (!options.archived || one.archived)
}
