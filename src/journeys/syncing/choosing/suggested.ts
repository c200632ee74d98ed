import { gitSeesRecord } from '../../../conversation/held-back.ts'
import { CortextError } from '../../../errors.ts'
import { hasStopped, readPlace } from '../../../store/machine/place.ts'
import { oneLine } from '../../../text/line.ts'
import { paste } from '../../../text/paste.ts'
import { CONFIG } from '../../../workspace/config.ts'
import type { Workspace } from '../../../workspace/open.ts'
import { personalPlace } from '../../../workspace/personal-place.ts'
import { suggestedPlace } from '../../../workspace/suggested-place.ts'
import { awaitedPlace } from '../unsent.ts'

/** A place that the settings of the project name, and about which the person has not decided on this machine. */
export interface Unconfirmed {
  address: string
  /** Where the conversations go without it. */
  now?: string
  /** That is the person's place for all private workspaces, so they have chosen it without a look at this project. */
  isPersonal: boolean
}

/**
 * Undefined if the settings name no place or a wrong one, if git takes the conversations along, and if the person has
 * decided: by `sync --to`, whatever place they named, as long as the settings still name the same. Throws `unreadable`.
 */
export function unconfirmedPlace(ws: Workspace): Unconfirmed | undefined {
  const found = suggestedPlace(ws.config)
  if (found === undefined || 'problem' in found || gitSeesRecord(ws)) return undefined
  const { address } = found
  const place = readPlace(ws.local)
  const now = place?.address ?? awaitedPlace(ws)
  if (place?.suggested === address || now === address) return undefined
  const isPersonal = now !== undefined && now === personalPlace(ws.environment)?.address
  return { address, ...(now !== undefined && { now }), isPersonal }
}

/** The same, for those who have not asked: also undefined where the person has stopped all syncs. Throws `unreadable`. */
export function placeToMention(ws: Workspace): Unconfirmed | undefined {
  return hasStopped(ws.local) ? undefined : unconfirmedPlace(ws)
}

/** Says in a line which place it is, and how to decide. */
export function suggestionInWords({ address, now }: Unconfirmed): string {
  return now === undefined
    ? `The settings of this project name a place for its conversations, ${address}. Nothing goes there before you confirm it: ${paste`cortext sync --to ${address}`}`
    : `The settings of this project name another place for its conversations, ${address}; they still go to ${oneLine(now)}. To change that: ${paste`cortext sync --to ${address}`}. To keep it: ${paste`cortext sync --to ${now}`}`
}

/** Why nothing is sent before the person has decided. Its fixes begin with `command`. */
export function notConfirmed({ address, now }: Unconfirmed, command = 'cortext sync'): CortextError {
  const to = (place: string) => `${command} ${paste`--to ${place}`}`
  return now === undefined
    ? new CortextError(
        'refused',
        `no place is set for the conversations of this workspace. Its settings (${CONFIG}) name ${address}, which came with the project and is not confirmed on this machine`,
        { fix: to(address) },
      )
    : new CortextError(
        'refused',
        `the settings of this project (${CONFIG}) now name ${address} as the place of its conversations, and they have gone to ${oneLine(now)}: nothing was sent`,
        { fix: `${to(address)}\nor, to keep the place: ${to(now)}` },
      )
}

/** Why the place that the settings name is refused. Undefined if it is not, or none is. Never has the text itself. */
export function refusedSuggestion(ws: Workspace): string | undefined {
  const found = suggestedPlace(ws.config)
  if (found === undefined || !('problem' in found) || gitSeesRecord(ws)) return undefined
  return `the place that ${CONFIG} names is refused: ${found.problem}`
}
