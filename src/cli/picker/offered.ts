import type { NativeSession } from '../../clients/contract/sessions.ts'
import type { PlacedConversation } from '../../journeys/finding/everywhere.ts'
import type { Listed } from '../../journeys/finding/list.ts'
import { oneLine } from '../../text/line.ts'
import { relativeTime } from '../../text/relative-time.ts'
import { asTime } from '../conversation-lines.ts'
import type { Offer } from './offer.ts'

/** A kept conversation. In a list of several workspaces, `root` is the root of the conversation's workspace. */
export type Kept = Listed & { root?: string }

/** A kept conversation that a person may continue. */
export interface KeptOffer extends Offer {
  kept: Kept
}

/** `nameOf` returns the name of a client by its id, `where` names the workspace, `author` returns who typed last. */
export function keptOffer(
  kept: Kept,
  now: Date,
  nameOf: (client: string) => string,
  {
    number,
    where,
    author,
  }: { number?: string | undefined; where?: string | undefined; author?: () => string | undefined } = {},
): KeptOffer {
  return {
    kept,
    title: oneLine(kept.title) || kept.id,
    type: kept.live ? `${oneLine(kept.type)} (live)` : oneLine(kept.type),
    when: relativeTime(kept.lastActive, now),
    client: nameOf(kept.native.at(-1)?.client ?? kept.client),
    messages: kept.messages,
    ...(number === undefined ? {} : { number }),
    ...(where === undefined ? {} : { where }),
    ...(author === undefined ? {} : { author }),
    words: oneLine([kept.id, kept.summary, ...kept.tags].join(' ')),
  }
}

/** The kept conversations that a person may continue. */
export interface Offered {
  kept: readonly Kept[]
  /** The conversations among which a number must be unique. */
  among: readonly Kept[]
  /** How many conversations are left out because they are old. */
  older: number
  /** How many conversations are left out because agent loops hold them. */
  loops: number
  /** How many conversations are left out because they are completed or archived. */
  closed: number
  /** Finds the conversations in `kept` that the typed words mean, best first. */
  find: (typed: string) => Promise<readonly Kept[]>
}

export function isPlaced(one: Kept): one is PlacedConversation {
  return one.root !== undefined
}

/** A session that is not kept, as `--json` prints it. */
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
