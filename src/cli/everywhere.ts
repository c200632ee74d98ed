import { sep } from 'node:path'
import { CortextError } from '../errors.ts'
import type { Environment } from '../io/environment.ts'
import { realFolder } from '../io/real-folder.ts'
import type { Everywhere, PlacedConversation } from '../journeys/finding/everywhere.ts'
import { statusWords } from '../session/lifecycle.ts'
import { cellsOf, padCells } from '../text/cells.ts'
import { oneLine } from '../text/line.ts'
import { relativeTime } from '../text/relative-time.ts'
import { listRoots } from '../workspace/everywhere.ts'
import { openWorkspace, removedHint, type Workspace } from '../workspace/open.ts'
import { type Column, fitTitle, tableOf, widthOf } from './conversation-lines.ts'
import { lineWidth, note } from './print.ts'

/** Opens the workspace of the current folder; undefined when there is none. */
export function workspaceOrNone(
  environment: Environment,
  options: { looks?: boolean } = {},
): Workspace | undefined {
  try {
    return openWorkspace(environment, environment.cwd, options)
  } catch (error) {
    // Where a workspace can come back, it does, and the verb begins again.
    const isNone = error instanceof CortextError && error.code === 'no-workspace'
    if (isNone && removedHint(environment.cwd, environment) === '') return undefined
    throw error
  }
}

/**
 * Opens the workspace of the current folder to read it. Where there is none, and others are known, the fix of the error
 * is `elsewhere`: a command that reads all of them. An agent that nobody asked has none.
 */
export function openHere(environment: Environment, elsewhere: string | undefined): Workspace {
  try {
    return openWorkspace(environment)
  } catch (error) {
    if (!(error instanceof CortextError) || error.fix !== 'cortext init' || elsewhere === undefined)
      throw error
    const isKnown = listRoots(environment).length > 0 && removedHint(environment.cwd, environment) === ''
    throw isKnown ? new CortextError(error.code, error.message, { fix: elsewhere }) : error
  }
}

/**
 * A table of conversations from several workspaces, as wide as the terminal, with the paths of these workspaces below
 * it. Each name is that of its workspace.
 */
export function placedTable(
  conversations: readonly PlacedConversation[],
  environment: Environment,
): string[] {
  if (conversations.length === 0) return ['No conversations.']
  const labels = labelsOf(conversations)
  const column = (head: string, cell: (one: PlacedConversation) => string): Column => ({
    head,
    cells: conversations.map(cell),
  })
  const columns = [
    column('WORKSPACE', ({ root }) => fitTitle(labels.get(root)!, MAX_LABEL)),
    column('ID', (one) => one.name),
    column('STATUS', ({ status }) => statusWords(status)),
    column('LAST ACTIVE', ({ lastActive }) => relativeTime(lastActive, environment.now())),
  ]
  const left = columns.reduce((sum, one) => sum + widthOf(one) + 2, 0)
  const room = Math.max((lineWidth() ?? left + MAX_TITLE) - left, MIN_TITLE)
  const titles = column('CONVERSATION', ({ type, title }) => fitTitle(`[${type}] ${oneLine(title)}`, room))
  const name = Math.max(...[...labels.values()].map(cellsOf))
  return [
    ...tableOf([...columns, titles]),
    '',
    ...[...labels].map(([root, label]) => `${padCells(label, name)}  ${shortPath(root, environment)}`),
  ]
}

/** In columns of the terminal. A label is the name of a workspace. */
const MAX_TITLE = 100
const MIN_TITLE = 20
const MAX_LABEL = 24

/**
 * The label of each workspace: the name of its folder. If two folders have one name, their parent folders are added, as
 * in `work/api`.
 */
export function labelsOf(placed: readonly { root: string }[]): Map<string, string> {
  const roots = [...new Set(placed.map(({ root }) => root))]
  const ends = (root: string, parts: number) => root.split(sep).slice(-parts).join(sep)
  return new Map(
    roots.map((root) => {
      const others = roots.filter((one) => one !== root)
      let parts = 1
      while (parts < root.split(sep).length && others.some((one) => ends(one, parts) === ends(root, parts)))
        parts += 1
      return [root, oneLine(ends(root, parts))]
    }),
  )
}

/** Returns a path for a person to read, with `~` for the home folder. */
export function shortPath(path: string, { home }: Environment): string {
  const prefix = [home, realFolder(home)].find((one) => path === one || path.startsWith(`${one}${sep}`))
  return oneLine(prefix === undefined ? path : `~${path.slice(prefix.length)}`)
}

/** Says which workspaces could not be read. */
export function noteUnread({ unread }: Everywhere, environment: Environment): void {
  note(
    unread.map(
      ({ workspace, message }) => `left out: ${shortPath(workspace, environment)}: ${oneLine(message)}`,
    ),
  )
}

/** Whether no workspace is known. A workspace that cannot be read is known. */
export function knowsNone({ workspaces, unread }: Everywhere): boolean {
  return workspaces.length + unread.length === 0
}

export const NO_WORKSPACES =
  'No workspaces are known here yet. One becomes known when `cortext init`, start, save or resume runs in it.'
