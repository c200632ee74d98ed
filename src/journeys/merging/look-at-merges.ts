import { CortextError } from '../../errors.ts'
import { type Left, readMergeCheck } from '../../store/machine/git-checks.ts'
import { indexStamp } from '../../workspace/git/index-lock.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { Settled } from './settle.ts'

/**
 * Lists the work that a merge has left (survey.ts). Changes nothing that git sees. If git's index has not changed since
 * the last check, starts no git. If git fails, lists what the last check has found. Other files are imported only when
 * they are needed, because lists must be fast.
 */
export async function lookAtMerges(ws: Workspace): Promise<readonly Left[]> {
  const stamp = ws.config.visibility === 'shared' ? indexStamp(ws.root) : undefined
  if (stamp === undefined) return []
  const check = readMergeCheck(ws.local, ws.root)
  if (stamp === check?.stamp) return check.left
  try {
    return await (await import('./survey.ts')).survey(ws, stamp, check)
  } catch (error) {
    if (!(error instanceof CortextError) || error.code !== 'git') throw error
    return check?.left ?? []
  }
}

/**
 * Does the work that a merge has left (settle.ts). Verbs that only read do not call this, because it writes files and
 * may commit.
 */
export async function settleMerges(ws: Workspace): Promise<Settled> {
  const left = await lookAtMerges(ws)
  if (left.length === 0) return { apart: [], joined: [], counted: [] }
  return (await import('./settle.ts')).settleAll(ws, left)
}

/** For example `2 with a conflict in session.json, 250 to count again`; undefined when nothing is left. */
export function leftInWords(left: readonly Left[]): string | undefined {
  const parts = (Object.keys(LEFT_WORDS) as (keyof typeof LEFT_WORDS)[]).flatMap((kind) => {
    const { length } = left.filter(({ what }) => what === kind)
    const [one, many = one] = LEFT_WORDS[kind]
    return length === 0 ? [] : [`${length} ${length === 1 ? one : many}`]
  })
  return parts.length === 0 ? undefined : parts.join(', ')
}

/** The words for each kind of work. `failed` has none, because its files are reported as files that cannot be read. */
const LEFT_WORDS: Record<Exclude<Left['what'], 'failed'>, [one: string, many?: string]> = {
  apart: [
    'that shares a folder with another conversation, which is not shown yet',
    'that share a folder with another conversation, which is not shown yet',
  ],
  joined: ['with a conflict in session.json'],
  counted: ['to count again'],
}
