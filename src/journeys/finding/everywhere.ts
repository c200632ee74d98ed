import { CortextError, withDefault } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { isGone, listRoots, takeOffEverywhere } from '../../workspace/everywhere.ts'
import { openWorkspace, type Workspace } from '../../workspace/open.ts'
import { findRoot } from '../../workspace/root.ts'
import { type FoundConversations, findAmong } from './find.ts'
import { type Listed, type Listing, listConversations } from './list.ts'
import { withLiveCounts } from './live-counts.ts'
import type { SearchFilter, SearchResult, Sources } from './search.ts'

/** The workspaces of this machine. */
export interface Everywhere {
  workspaces: Workspace[]
  /** Workspaces that cannot be read, with the reason. */
  unread: { workspace: string; message: string }[]
}

/** A conversation with the root of its workspace. */
export interface PlacedConversation extends Listed {
  root: string
}

/**
 * Opens the workspaces on this machine's list and changes nothing in them: merges and quiet conversations wait for a
 * command in that workspace. `here` is a workspace that the caller has opened. Leaves out workspaces that are gone, and
 * workspaces with `"everywhere": false` in their settings. Also takes these workspaces off the list, if `looks` is
 * false. Throws `unreadable` when the list cannot be read.
 */
export async function openEverywhere(
  environment: Environment,
  here: Workspace | undefined,
  { looks = false } = {},
): Promise<Everywhere> {
  const everywhere: Everywhere = { workspaces: here === undefined ? [] : [here], unread: [] }
  const toTakeOff: string[] = []
  for (const root of listRoots(environment)) {
    if (root === here?.root) continue
    await ifReadable(everywhere, root, () => {
      const ws = isGone(root) ? undefined : openAt(environment, root)
      if (ws?.config.everywhere === true) everywhere.workspaces.push(ws)
      else toTakeOff.push(root)
    })
  }
  // When the list cannot be written, these workspaces stay on it.
  if (!looks) withDefault(undefined, () => takeOffEverywhere(toTakeOff, environment))
  return everywhere
}

/** Returns all conversations of these workspaces, newest first. */
export async function listEverywhere(
  everywhere: Everywhere,
): Promise<{ conversations: PlacedConversation[]; broken: Listing['broken'] }> {
  const [conversations, broken]: [PlacedConversation[], Listing['broken']] = [[], []]
  for (const ws of everywhere.workspaces)
    await ifReadable(everywhere, ws.root, async () => {
      const listing = listConversations(ws)
      const counted = await withLiveCounts(ws, listing.conversations)
      for (const one of counted) conversations.push({ ...one, root: ws.root })
      for (const one of listing.broken) broken.push(one)
    })
  conversations.sort((a, b) => b.lastActive.getTime() - a.lastActive.getTime())
  return { conversations, broken }
}

/** Searches these workspaces as if they were one: the rarity of a word is counted over all of them. */
export async function searchEverywhere(
  everywhere: Everywhere,
  text: string,
  narrowed: SearchFilter,
): Promise<SearchResult | undefined> {
  const { optionsOf, searchSources, sourcesOf } = await import('./search.ts')
  const each: Sources[] = []
  for (const ws of everywhere.workspaces)
    await ifReadable(everywhere, ws.root, async () => {
      each.push(await sourcesOf(ws, narrowed))
    })
  return searchSources(interleave(each), text, narrowed, await optionsOf(text, ...everywhere.workspaces))
}

/** Finds the conversations of these workspaces that a query means (see findAmong). */
export function findEverywhere(
  everywhere: Everywhere,
  conversations: readonly PlacedConversation[],
  query: string,
  { cwd }: Environment,
): Promise<FoundConversations<PlacedConversation>> {
  return findAmong(query, conversations, cwd, () => searchEverywhere(everywhere, query, { archived: true }))
}

/** Takes one source of each workspace in turn, so that the sample for frequent words has messages of all workspaces. */
function interleave(each: readonly Sources[]): Sources {
  const longest = Math.max(0, ...each.map(({ open }) => open.length))
  const open = Array.from({ length: longest }, (_, index) =>
    each.flatMap((one) => one.open[index] ?? []),
  ).flat()
  return { open, archived: each.reduce((sum, one) => sum + one.archived, 0) }
}

/** Opens a workspace only if its root is this folder: openWorkspace might find a workspace above the folder. */
function openAt(environment: Environment, root: string): Workspace {
  if (findRoot(root) !== root)
    throw new CortextError('unsafe-path', `its .workspace is a link, or another user's`)
  return openWorkspace(environment, root, { looks: true })
}

async function ifReadable(
  { unread }: Everywhere,
  root: string,
  read: () => void | Promise<void>,
): Promise<void> {
  try {
    await read()
  } catch (error) {
    if (!(error instanceof CortextError)) throw error
    unread.push({ workspace: root, message: error.message })
  }
}
