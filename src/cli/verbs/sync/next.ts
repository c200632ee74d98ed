import type { Environment } from '../../../io/environment.ts'
import { secretsInDocuments } from '../../../journeys/editing/redact.ts'
import type { Chosen } from '../../../journeys/syncing/choosing/choose-place.ts'
import type { Synced } from '../../../journeys/syncing/synced.ts'
import { oneLine } from '../../../text/line.ts'
import { paste } from '../../../text/paste.ts'
import { isByName } from '../../../workspace/git/place.ts'
import type { Workspace } from '../../../workspace/open.ts'
import { personalPlace } from '../../../workspace/personal-place.ts'
import { inShort } from '../../print.ts'
import { kinds } from '../redact.ts'
import { commandFor, type SyncOptions, typedIn } from './options.ts'
import { HOW_TO_UNDO } from './set-up.ts'

/** For a person who expected what another machine has sent. */
export function ifNothingCame(chosen: Chosen | undefined, options: SyncOptions, made?: string): string[] {
  const others = (chosen?.others ?? []).map((name) => oneLine(name))
  return [
    `If another machine has sent some, check the address: cortext doctor names it there. To correct it: cortext sync --to <place>${typedIn(options)}`,
    ...(others.length > 0
      ? [`Other projects are there: ${inShort(others)}. Is this the folder of one of them?`]
      : []),
    ...(made !== undefined ? [HOW_TO_UNDO] : []),
    ...(chosen?.made ? [`What was made by mistake at ${oneLine(chosen.address)} can be removed.`] : []),
  ]
}

/** For a person who corrects the place of one workspace, and meant all. */
export function stillPersonal(
  environment: Environment,
  chosen: Chosen | undefined,
  { personal }: SyncOptions,
): string[] {
  if (chosen?.before === undefined || personal || personalPlace(environment)?.address !== chosen.before)
    return []
  return [
    `${oneLine(chosen.before)} stays the place of your other private workspaces. To change that too: ${paste`cortext sync --to ${chosen.address} --personal`}`,
  ]
}

/** Names the secrets in documents that were sent: they are the person's, and stay as they are. */
export function secretsSent(ws: Workspace, { sent }: Synced): string[] {
  const found = sent.flatMap((path) =>
    secretsInDocuments(ws, path).map(({ file, found }) => `  ${path}/${file}: ${kinds(found)}`),
  )
  if (found.length === 0) return []
  return [
    'The rules of today find secrets in documents that were sent:',
    ...found.slice(0, MOST_SECRETS),
    ...(found.length > MOST_SECRETS ? [`  and ${found.length - MOST_SECRETS} more`] : []),
    'Take them out there, and then everywhere: cortext redact <id> --apply, and cortext sync',
  ]
}

const MOST_SECRETS = 10

/** How another machine comes to the place, and how this one goes on with what has come, when that is new to a person. */
export function nextSteps(chosen: Chosen | undefined, { taken }: Synced, options: SyncOptions): string[] {
  if (chosen === undefined) return []
  // A branch that is found by the name of its folder has to be typed in a folder of another name.
  const branch = options.branch ?? (isByName(chosen.branch) ? chosen.branch : undefined)
  return [
    ...(chosen.isNew
      ? [
          ...(chosen.isSealed
            ? ['Another machine needs the key first. How to bring it there: cortext sync --key']
            : []),
          'On another machine, in a clone of this project or a copy of this folder:',
          // What is there is known to be sealed.
          `  ${commandFor(chosen.address, { ...options, branch, seal: undefined })}`,
        ]
      : []),
    ...(taken.length > 0 ? ['To go on with one that has come: cortext resume'] : []),
  ]
}
