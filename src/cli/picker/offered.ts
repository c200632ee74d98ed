import type { NativeSession } from '../../clients/contract/sessions.ts'
import type { PlacedConversation } from '../../journeys/finding/everywhere.ts'
import type { Listed } from '../../journeys/finding/list.ts'
import type { Hidden } from '../../session/resumable-lines.ts'
import { oneLine } from '../../text/line.ts'
import { relativeTime } from '../../text/relative-time.ts'
import { asTime } from '../conversation-lines.ts'
import { labelsOf } from '../everywhere.ts'
import type { Offer } from './offer.ts'

/** A kept conversation. In a list of several workspaces, `root` is the root of the conversation's workspace. */
export type Kept = Listed & { root?: string }

/** A kept conversation that a person may continue. */
export interface KeptOffer<T extends Kept = Kept> extends Offer {
  kept: T
}

/**
 * Returns a function that makes the offer of each of these conversations. `nameOf` returns the name of a client by its
 * id, and `authorOf` who typed last.
 */
export function keptOffers<T extends Kept>(
  all: readonly T[],
  now: Date,
  nameOf: (client: string) => string,
  authorOf?: (one: T) => string | undefined,
): (kept: T) => KeptOffer<T> {
  const labels = labelsOf(all.filter(isPlaced))
  return (kept) => ({
    kept,
    number: kept.name,
    title: oneLine(kept.title) || kept.id,
    type: kept.live ? `${oneLine(kept.type)} (live)` : oneLine(kept.type),
    when: relativeTime(kept.lastActive, now),
    client: nameOf(kept.native.at(-1)?.client ?? kept.client),
    messages: kept.messages,
    ...(kept.root === undefined ? {} : { where: labels.get(kept.root)! }),
    ...(authorOf === undefined ? {} : { author: () => authorOf(kept) }),
    words: oneLine([kept.id, kept.summary, ...kept.tags].join(' ')),
  })
}

/** The kept conversations that a person may continue. */
export interface Offered {
  kept: readonly Kept[]
  /** All conversations, hidden ones too. */
  all: readonly Kept[]
  hidden: Hidden
  /** Finds the conversations in `kept` that the typed words mean, best first. */
  find: (typed: string) => Promise<readonly Kept[]>
}

export function isPlaced<T extends Kept>(one: T): one is T & PlacedConversation {
  return one.root !== undefined
}

/** A session that is not saved, as `--json` prints it. */
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
