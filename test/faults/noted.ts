import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Player } from './player.ts'

/**
 * The conversation that a native session was bound to last, whether the session is being recorded now, and whether its
 * next turn will be.
 */
export interface Noted {
  conversation: string
  live: boolean
  goesOn: boolean
}

/** The binding of a session (src/store/README.md, `bindings/`); undefined without one. */
export function notedOf(root: string, { client, id }: Player): Noted | undefined {
  const path = localFolders(root)
    .map((folder) => join(folder, 'bindings', `${client}-${id}.json`))
    .find((path) => existsSync(path))
  if (path === undefined) return undefined
  const { segments } = JSON.parse(readFileSync(path, 'utf8')) as {
    segments: { conversation: string; to?: number; ended_by?: string }[]
  }
  const last = segments.at(-1)
  if (last === undefined) return undefined
  const live = last.to === undefined
  const goesOn = live || last.ended_by === 'session-end'
  return { conversation: last.conversation, live, goesOn }
}

/** The folder of local state: in git's folder, or in the workspace when it was made outside git. */
function localFolders(root: string): string[] {
  const own = join(root, '.workspace', 'local')
  const named = existsSync(own) ? readdirSync(own).map((name) => join(own, name)) : []
  return [join(root, '.git', 'cortext'), ...named]
}
