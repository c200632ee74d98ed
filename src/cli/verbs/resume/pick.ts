import { CortextError } from '../../../errors.ts'
import type { Environment } from '../../../io/environment.ts'
import {
  findEverywhere,
  listEverywhere,
  openEverywhere,
  type PlacedConversation,
} from '../../../journeys/finding/everywhere.ts'
import {
  called,
  candidateLines,
  type FoundConversations,
  findConversations,
} from '../../../journeys/finding/find.ts'
import { isOfLoop, type Listed, listConversations, toResume } from '../../../journeys/finding/list.ts'
import { type Hidden, hiddenWords, LIST_ALL } from '../../../session/resumable-lines.ts'
import { cutAtWord, oneLine } from '../../../text/line.ts'
import { paste } from '../../../text/paste.ts'
import { openWorkspace, type Workspace } from '../../../workspace/open.ts'
import { choose } from '../../ask.ts'
import { knowsNone, noteUnread, placedTable } from '../../everywhere.ts'
import type { Chosen } from '../../picker/kept.ts'
import { note } from '../../print.ts'
import { branchNotes } from '../list/branch-notes.ts'
import type { SessionNotes } from '../list/sessions-not-saved.ts'

/**
 * Chooses the conversation to resume: the last active one, the one that a query means, or the one that the person
 * picks.
 */
export async function pick(ws: Workspace, query: string, last: boolean): Promise<Chosen<Listed>> {
  const { conversations } = listConversations(ws)
  return pickAmong(conversations, query, last, {
    find: (typed, some) => findConversations(ws, typed, some),
    choose(some, find, hidden) {
      if (hidden !== undefined && hidden.size > 0) note(hiddenWords(hidden))
      return choose(ws.environment, some, find, { fix: paste`cortext resume ${some[0]!.name}` })
    },
    nothing: (hidden) => nothingHere(ws, hidden),
    async unknown(nearest) {
      const { lines, command, json } = await notesOn(ws, query)
      const message = [
        `no conversation matches "${oneLine(query)}"`,
        ...candidateLines(nearest, conversations),
        ...lines,
        ...(await branchNotes(ws)).lines,
      ].join('\n')
      return new CortextError('not-found', message, {
        fix: (json.length > 0 && command) || 'cortext resume --list',
      })
    },
  })
}

/**
 * Like `pick`, but chooses from the conversations of all workspaces of this machine. Throws `no-workspace` if no
 * workspace is known.
 */
export async function pickEverywhere(
  environment: Environment,
  here: Workspace | undefined,
  query: string,
  { looks, last }: { looks: boolean; last: boolean },
): Promise<Chosen<PlacedConversation>> {
  const everywhere = await openEverywhere(environment, here, { looks })
  if (knowsNone(everywhere)) openWorkspace(environment)
  const { conversations } = await listEverywhere(everywhere)
  noteUnread(everywhere, environment)
  return pickAmong(conversations, query, last, {
    find: (typed, some) => findEverywhere(everywhere, some, typed, environment),
    choose: (some, find) =>
      choose(environment, some, find, {
        fix: paste`cd ${some[0]!.root} && cortext resume ${some[0]!.name}`,
        table: placedTable,
      }),
    nothing: nothingResumable,
    unknown: (nearest) => {
      const message = [
        `no conversation of any workspace matches "${oneLine(query)}"`,
        ...(nearest.length > 0 ? ['the nearest are:'] : []),
        ...nearest.map((one) => `  ${cutAtWord(oneLine(one.title), 100)}  (${oneLine(one.root)})`),
      ].join('\n')
      return new CortextError('not-found', message, { fix: 'cortext list --everywhere --all' })
    },
  })
}

/** How conversations are found and chosen, and the errors when there are none to resume, or none that a query means. */
interface Ways<T> {
  find(query: string, some: readonly T[]): Promise<FoundConversations<T>>
  /** `hidden` is given if all that can be resumed are to choose from. */
  choose(
    some: readonly T[],
    find: (typed: string) => Promise<readonly T[]>,
    hidden?: Hidden,
  ): Promise<Chosen<T>>
  nothing(hidden: Hidden): CortextError | Promise<CortextError>
  unknown(nearest: readonly T[]): CortextError | Promise<CortextError>
}

async function pickAmong<T extends Listed>(
  all: readonly T[],
  query: string,
  last: boolean,
  { find, choose, nothing, unknown }: Ways<T>,
): Promise<Chosen<T>> {
  const choosing = (some: readonly T[], hidden?: Hidden) =>
    choose(some, async (typed) => (await find(typed, some)).found, hidden)
  if (last || query === '') {
    const { shown: resumable, hidden } = toResume(all)
    if (resumable.length === 0) throw await nothing(hidden)
    return last ? { one: lastOf(resumable) } : choosing(resumable, hidden)
  }
  const { found, nearest, isNamed } = await find(query, all)
  const [one, another] = found
  if (one === undefined) throw await unknown(nearest)
  if (another !== undefined) return choosing(found)
  if (!isNamed) note(`"${oneLine(query)}" was understood as ${called(one)}.`)
  return { one }
}

/** The conversation that a person talked in last. Throws `not-found` if only agent loops talked. */
function lastOf<T extends Listed>(resumable: readonly T[]): T {
  const one = resumable.find((candidate) => !isOfLoop(candidate))
  if (one !== undefined) return one
  throw new CortextError('not-found', 'the only conversations here are those of agent loops', {
    fix: 'choose one: cortext resume',
  })
}

/** Like `nothingResumable`. Names the clients' own sessions of this folder too, if there are some. */
async function nothingHere(ws: Workspace, hidden: Hidden): Promise<CortextError> {
  const error = nothingResumable(hidden)
  const { lines, command } = await notesOn(ws, '')
  if (command === undefined) return error
  return new CortextError(error.code, [error.message, ...lines].join('\n'), { fix: command })
}

/** Imported only here, because it loads all clients. */
async function notesOn(ws: Workspace, query: string): Promise<SessionNotes> {
  return (await import('../list/sessions-not-saved.ts')).sessionNotes(ws.environment, ws, query)
}

function nothingResumable(hidden: Hidden): CortextError {
  if (hidden.size > 0)
    return new CortextError('not-found', `No resumable conversations exist. ${hiddenWords(hidden)}`, {
      fix: LIST_ALL,
    })
  return new CortextError('not-found', 'No resumable conversations exist.', {
    fix: 'start one: /workspace.brainstorm <topic> in your AI client, or: cortext start brainstorm <topic>',
  })
}
