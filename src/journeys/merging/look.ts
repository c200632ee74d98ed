import { type Left, readMergeCheck } from '../../store/machine/merge-check.ts'
import { indexStamp } from '../../workspace/git/index-file.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { Settled } from './settle.ts'

/**
 * What git has left to do after it merged (survey.ts). Nothing is changed that git sees, and the number of git's
 * processes is fixed. Most of the time, when git's index is the one that was looked at last, it costs one `stat`: the
 * imports are dynamic, because lists have to be quick.
 */
export async function lookAtMerges(ws: Workspace): Promise<readonly Left[]> {
  const stamp = ws.config.visibility === 'shared' ? indexStamp(ws.root) : undefined
  if (stamp === undefined) return []
  const before = readMergeCheck(ws.local, ws.root)
  if (stamp === before?.stamp) return before.left
  return (await import('./survey.ts')).survey(ws, stamp, before)
}

/** Does what is left (settle.ts). For verbs that change something: it writes, and makes one commit. */
export async function settleMerges(ws: Workspace): Promise<Settled> {
  const left = await lookAtMerges(ws)
  if (left.length === 0) return { apart: [], joined: [], counted: [] }
  return (await import('./settle.ts')).settleAll(ws, left)
}

/** `2 that began under one name, 250 to count`; undefined where nothing is left. */
export function leftInWords(left: readonly Left[]): string | undefined {
  const parts = (Object.keys(LEFT) as (keyof typeof LEFT)[]).flatMap((kind) => {
    const { length } = left.filter(({ what }) => what === kind)
    return length === 0 ? [] : [`${length} ${LEFT[kind]}`]
  })
  return parts.length === 0 ? undefined : parts.join(', ')
}

/** What cannot be looked at is told as any file that cannot be read. */
const LEFT: Record<Exclude<Left['what'], 'failed'>, string> = {
  apart: 'with another conversation of the same name in the folder, which is not shown yet',
  joined: 'with a conflict in session.json',
  counted: 'to count anew',
}
