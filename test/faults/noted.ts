import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Player } from './player.ts'

/**
 * The conversation that a native session was bound to last, whether it is being recorded now, and whether what is said
 * next will be.
 */
export interface Noted {
  conversation: string
  live: boolean
  goesOn: boolean
}

/** What the program has noted of a session: src/store/README.md, `bindings/`. Undefined where it has noted nothing. */
export function notedOf(root: string, { client, id }: Player): Noted | undefined {
  const path = join(root, '.git', 'cortext', 'bindings', `${client}-${id}.json`)
  if (!existsSync(path)) return undefined
  const { stretches } = JSON.parse(readFileSync(path, 'utf8')) as {
    stretches: { conversation: string; to?: number; ended_by?: string }[]
  }
  const last = stretches.at(-1)
  if (last === undefined) return undefined
  const live = last.to === undefined
  const goesOn = live || ['session-end', 'elsewhere'].includes(last.ended_by ?? '')
  return { conversation: last.conversation, live, goesOn }
}
