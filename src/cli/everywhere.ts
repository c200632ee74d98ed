import { sep } from 'node:path'
import { CortextError } from '../errors.ts'
import type { Environment } from '../io/environment.ts'
import { realFolder } from '../io/real-folder.ts'
import type { Everywhere, Placed } from '../journeys/finding/everywhere.ts'
import { statusWords } from '../session/lifecycle.ts'
import { cutAtWord, oneLine } from '../text/line.ts'
import { relativeTime } from '../text/relative-time.ts'
import { openWorkspace, type Workspace } from '../workspace/open.ts'
import { lineWidth, note } from './print.ts'

/** The workspace that the person stands in, if there is one. */
export function workspaceOrNone(
  environment: Environment,
  options: { looks?: boolean } = {},
): Workspace | undefined {
  try {
    return openWorkspace(environment, environment.cwd, options)
  } catch (error) {
    if (error instanceof CortextError && error.code === 'no-workspace') return undefined
    throw error
  }
}

/** A table of conversations of several workspaces that fits the terminal, and below it where these are. */
export function placedTable(conversations: readonly Placed[], environment: Environment): string[] {
  if (conversations.length === 0) return ['No conversations.']
  const labels = labelsOf(conversations)
  const rows = conversations.map((one) => [
    labels.get(one.root)!,
    statusWords(one.status),
    relativeTime(one.lastActive, environment.now()),
    `[${one.type}] ${oneLine(one.title)}`,
  ])
  const table = [['WORKSPACE', 'STATUS', 'LAST ACTIVE', 'CONVERSATION'], ...rows]
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]!.length)))
  const left = widths.reduce((sum, width) => sum + width + 2, 0)
  const room = Math.max((lineWidth() ?? left + WIDEST) - left, NARROWEST)
  const name = Math.max(...[...labels.values()].map(({ length }) => length))
  return [
    ...table.map((row) =>
      [...widths.map((width, column) => row[column]!.padEnd(width)), fitting(row[3]!, room)].join('  '),
    ),
    '',
    ...[...labels].map(([root, label]) => `${label.padEnd(name)}  ${shortPath(root, environment)}`),
  ]
}

/** How wide a title is at most, and at least. */
const WIDEST = 100
const NARROWEST = 20

function fitting(text: string, room: number): string {
  return text.length <= room ? text : cutAtWord(text, room - 1)
}

/** What each workspace is called: the name of its folder, with as many folders above it as tell it from the others. */
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

/** A path as a person reads it: `~` for their home. */
export function shortPath(path: string, { home }: Environment): string {
  const known = [home, realFolder(home)].find((one) => path === one || path.startsWith(`${one}${sep}`))
  return oneLine(known === undefined ? path : `~${path.slice(known.length)}`)
}

/** Says which workspaces could not be read. */
export function noteUnread({ unread }: Everywhere, environment: Environment): void {
  note(
    ...unread.map(
      ({ workspace, message }) => `left out: ${shortPath(workspace, environment)}: ${oneLine(message)}`,
    ),
  )
}

/** Whether there is nothing to look at, and nothing that could not be looked at. */
export function knowsNone({ workspaces, unread }: Everywhere): boolean {
  return workspaces.length + unread.length === 0
}

/** What is said then. */
export const NO_WORKSPACES =
  'No workspaces are known here yet. One is known from its `cortext init` on, or when something is started, saved or resumed in it.'
