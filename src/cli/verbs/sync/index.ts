import { CortextError } from '../../../errors.ts'
import type { Environment } from '../../../io/environment.ts'
import { changeSettings } from '../../../journeys/setup/change-settings.ts'
import { forgetFailure, takeAutoSync } from '../../../journeys/syncing/auto.ts'
import { choosePlace, stopSyncing } from '../../../journeys/syncing/choosing/choose-place.ts'
import { changeReader, layKey } from '../../../journeys/syncing/choosing/readers.ts'
import {
  notConfirmed,
  suggestionInWords,
  type Unconfirmed,
  unconfirmedPlace,
} from '../../../journeys/syncing/choosing/suggested.ts'
import { planSync } from '../../../journeys/syncing/dry-run.ts'
import { foundNone, sync } from '../../../journeys/syncing/sync.ts'
import { syncUnseen } from '../../../journeys/syncing/sync-unseen.ts'
import { addressOfPlace, awaitedPlace } from '../../../journeys/syncing/unsent.ts'
import { countOf } from '../../../text/count-of.ts'
import { oneLine } from '../../../text/line.ts'
import { paste } from '../../../text/paste.ts'
import type { Workspace } from '../../../workspace/open.ts'
import { personalPlace, setPersonalPlace } from '../../../workspace/personal-place.ts'
import { confirm } from '../../ask.ts'
import { settle } from '../../first-step.ts'
import { note, say, sayJson, sayWrapped } from '../../print.ts'
import { withProgress } from '../../progress/index.ts'
import { kinds } from '../redact.ts'
import { ifNothingCame, nextSteps, secretsSent, stillPersonal } from './next.ts'
import { commandFor, type SyncOptions, typedIn } from './options.ts'
import { givenPassphrase, newPassphrase, sayKey, sealedWords, sealingWords } from './sealing.ts'
import { HOW_TO_UNDO, openToSync, setUp } from './set-up.ts'
import { isIdle, remarksOn, summaryOf } from './words.ts'

/** Sends the conversations of a workspace to a place, and takes what other machines have sent there. */
export async function syncVerb(environment: Environment, options: SyncOptions): Promise<void> {
  const { to, personal, stop, key, dryRun, json } = options
  if (stop && personal) return stopPersonal(environment, json)
  if (key) return sayKey(environment, json)
  const made = to === undefined || dryRun ? undefined : await setUp(environment, to, json)
  try {
    await syncHere(environment, options, made)
  } catch (error) {
    if (made !== undefined) note(`The workspace that was made stays: ${oneLine(made)}. ${HOW_TO_UNDO}`)
    throw error
  }
}

async function syncHere(environment: Environment, options: SyncOptions, made?: string): Promise<void> {
  const { to, branch, personal, auto, dryRun, stop, background, json } = options
  const { seal, passphrase, reader = options.removeReader } = options
  const ws = openToSync(environment)
  if (personal && to === undefined) throw needsPlace(ws, auto)
  if (background) return syncUnseen(ws, remarksOn)
  if (stop) return reportStop(await stopSyncing(ws), json)
  if (dryRun) return reportDryRun(ws, options)
  const changesKeys = passphrase || reader !== undefined
  if (auto === false && to === undefined && !changesKeys) return stopAuto(ws, json)
  const suggested = to === undefined ? unconfirmedPlace(ws) : undefined
  const named = to ?? (suggested && (await confirmSuggested(environment, suggested, json)))
  await settle(ws)
  const wanted = named ?? awaitedPlace(ws)
  const isNamed = named !== undefined
  const chosen =
    wanted === undefined
      ? undefined
      : await choosePlace(ws, wanted, {
          branch,
          makes: isNamed,
          decides: isNamed,
          ...(seal !== undefined && { seals: seal }),
          askPassphrase: () => givenPassphrase(environment),
          typed: typedIn({ personal, auto }),
        })
  if (personal && chosen !== undefined)
    setPersonalPlace(environment, {
      address: chosen.address,
      ...(auto !== undefined && { auto }),
      ...(chosen.isSealed && { isSealed: true }),
    })
  if (passphrase) await layKey(ws, await newPassphrase(environment))
  if (reader !== undefined) await changeReader(ws, reader, options.removeReader === undefined)
  const done = await withProgress('Syncing', () => sync(ws))
  if (auto !== undefined) changeSettings(ws, { sync: { auto } })
  forgetFailure(ws)
  const { place, ...lists } = done
  // Where the person had to decide, they have.
  const other = suggested?.isPersonal ? suggested : undefined
  if (json)
    return sayJson({
      place: place.address,
      branch: place.branch,
      ...(made !== undefined && { workspace: made }),
      ...(other && { suggested_place: other.address }),
      ...lists,
    })
  if (chosen !== undefined)
    sayWrapped(
      `The conversations of this workspace go to ${oneLine(place.address)}, ${chosen.kind ?? 'branch'} ${oneLine(place.branch)}${chosen.isNew ? ' (new)' : ''}.`,
      chosen.made ? `There was no ${chosen.kind ?? 'repository'} there: a new one was made.` : [],
      chosen.isSealed ? sealedWords(environment, chosen.isNew) : [],
      chosen.before === undefined ? [] : `No longer to ${oneLine(chosen.before)}. What is there stays.`,
    )
  if (personal)
    sayWrapped(
      'It is the place of your other private workspaces on this machine too: cortext sync, in each of them.',
    )
  if (auto !== undefined)
    sayWrapped(
      auto
        ? 'It syncs by itself from now on: after each stop, save and end of a session, before a resume, and when you look at a list (in the background, at most every five minutes).'
        : 'It syncs only when you run cortext sync.',
    )
  const mayMiss = isIdle(done) && foundNone(ws, chosen !== undefined)
  sayWrapped(
    ...sealingWords(options, place.address),
    ...(mayMiss
      ? ['No conversation of this project is there yet, and this machine has none to send.']
      : summaryOf(done)),
  )
  const remarks = remarksOn(done)
  note(
    // What syncs that nobody saw have to tell.
    takeAutoSync(ws).lines.filter((line) => !remarks.includes(line)),
    remarks,
    other ? suggestionInWords(other) : [],
    mayMiss ? ifNothingCame(chosen, options, made) : nextSteps(chosen, done, options),
    stillPersonal(environment, chosen, options),
    secretsSent(ws, done),
  )
}

/** The error for `--personal` without a place: the person may mean the one that is set. Throws `unreadable`. */
function needsPlace(ws: Workspace, auto: boolean | undefined): CortextError {
  const address = addressOfPlace(ws)
  const options = { personal: true, ...(auto !== undefined && { auto }) }
  return new CortextError('usage', 'option --personal needs --to or --stop', {
    fix: address === undefined ? 'cortext sync --to <place> --personal' : commandFor(address, options),
  })
}

/**
 * Asks whether the place that the settings of the project name becomes the place, and returns it. The person's own for
 * all workspaces stays without a question. Throws `refused` if nobody can be asked, and `cancelled`.
 */
async function confirmSuggested(
  { interactive }: Environment,
  suggested: Unconfirmed,
  json?: boolean,
): Promise<string | undefined> {
  const { address, now, isPersonal } = suggested
  if (isPersonal) return undefined
  if (json || !interactive) throw notConfirmed(suggested)
  sayWrapped(
    `The settings of this project (.workspace/config.json) name a place for its conversations: ${address}`,
    now === undefined ? [] : `They have gone to ${oneLine(now)} so far.`,
    'Whoever may read that place reads what you send. Its commands and types come here, and your agent follows them.',
  )
  const isSure = await confirm(
    now === undefined ? `Is ${address} to be the place?` : `Is ${address} to be the place from now on?`,
  )
  if (isSure) return address
  throw new CortextError(
    'cancelled',
    now === undefined
      ? 'nothing was sent'
      : `nothing was sent; to keep the place: ${paste`cortext sync --to ${now}`}`,
  )
}

function reportDryRun(ws: Workspace, { to, json, ...typed }: SyncOptions) {
  const { address, isAway, conversations, kept, deleted } = planSync(ws, to)
  const secrets = conversations.flatMap(({ path, secrets }) =>
    secrets.map(({ file, found }) => ({ file: `${path}/${file}`, found })),
  )
  if (json)
    return sayJson({
      place: address,
      conversations: conversations.map(({ path, isNew }) => ({ path, new: isNew })),
      secrets,
      kept,
      deleted,
    })
  const away = isAway ? [`${oneLine(address)} is not there ${to === undefined ? 'now' : 'yet'}.`] : []
  const notSent = deleted.map((path) => `${path} was deleted on another machine: not sent`)
  if (conversations.length === 0) {
    say(`Nothing would be sent to ${oneLine(address)}.`, away)
    return note(notSent)
  }
  say(
    `Would be sent to ${oneLine(address)}:`,
    conversations.map(({ path, isNew }) => `  ${isNew ? 'new' : 'changed'}  ${path}`),
    secrets.length === 0
      ? 'The rules of today find no secret in it.'
      : [
          'The rules of today find secrets in it:',
          ...secrets.map(({ file, found }) => `  ${file}: ${kinds(found)}`),
        ],
  )
  note(
    kept.length === 0 ? [] : `${countOf(kept.length, 'conversation')} kept here: not sent`,
    notSent,
    secrets.length === 0
      ? []
      : 'To take them out first: edit the documents that have some, and cortext redact <id> --apply',
    away,
    `Nothing was sent. To send it: ${to === undefined ? 'cortext sync' : commandFor(to, typed)}`,
  )
}

function stopAuto(ws: Workspace, json?: boolean) {
  changeSettings(ws, { sync: { auto: false } })
  if (json) return sayJson({ auto: false })
  say('It syncs only when you run cortext sync.')
}

function stopPersonal(environment: Environment, json?: boolean) {
  const address = personalPlace(environment)?.address
  setPersonalPlace(environment, undefined)
  if (json) return sayJson({ stopped: address ?? null })
  sayWrapped(
    address === undefined
      ? 'There was no place for all workspaces.'
      : `${oneLine(address)} is the place of no further workspace. Those that have it keep it: cortext sync --stop, in each of them.`,
  )
}

function reportStop(address: string | undefined, json?: boolean) {
  if (json) return sayJson({ stopped: address ?? null })
  sayWrapped(
    address === undefined
      ? 'No place was set here.'
      : `Nothing more is sent to ${oneLine(address)}. What is there stays.`,
  )
}
