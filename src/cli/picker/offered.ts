import type { NativeSession } from '../../clients/contract/sessions.ts'
import type { Placed } from '../../journeys/finding/everywhere.ts'
import type { Listed } from '../../journeys/finding/list.ts'
import { asTime } from '../conversation-lines.ts'

/** A kept conversation; with `root` it lies in another folder. */
export type Kept = Listed & { root?: string }

/** What is kept that a person may go on with. */
export interface Offered {
  kept: readonly Kept[]
  /** Those in which something was said that was asked for, best first. */
  find: (typed: string) => Promise<readonly Kept[]>
}

export function isPlaced(one: Kept): one is Placed {
  return one.root !== undefined
}

/** A session that is not kept, as `--json` tells it. */
export type NativeAsJson = ReturnType<typeof nativeAsJson>

export function nativeAsJson(one: NativeSession) {
  return {
    client: one.client,
    native_id: one.nativeId,
    title: one.title,
    last_active: asTime(one.lastActive),
    bytes: one.bytes,
  }
}
