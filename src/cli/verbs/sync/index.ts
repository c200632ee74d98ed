import { CortextError } from '../../../errors.ts'
import type { Environment } from '../../../io/environment.ts'
import { secretsInDocuments } from '../../../journeys/editing/redact.ts'
import { changeSettings } from '../../../journeys/setup/change-settings.ts'
import { install } from '../../../journeys/setup/install.ts'
import { forgetFailure, takeAutoSync } from '../../../journeys/syncing/auto.ts'
import { syncUnseen } from '../../../journeys/syncing/background.ts'
import { type Chosen, choosePlace, stopSyncing } from '../../../journeys/syncing/choosing/choose-place.ts'
import { changeReader, layKey } from '../../../journeys/syncing/choosing/readers.ts'
import {
  notConfirmed,
  suggestionInWords,
  type Unconfirmed,
  unconfirmedPlace,
} from '../../../journeys/syncing/choosing/suggested.ts'
import { planSync } from '../../../journeys/syncing/dry-run.ts'
import { foundNone, sync } from '../../../journeys/syncing/sync.ts'
import type { Synced } from '../../../journeys/syncing/synced.ts'
import { addressOfPlace, awaitedPlace } from '../../../journeys/syncing/unsent.ts'
import { countOf } from '../../../text/count-of.ts'
import { oneLine } from '../../../text/line.ts'
import { paste } from '../../../text/paste.ts'
import { openWorkspace, type Workspace } from '../../../workspace/open.ts'
import { personalPlace, setPersonalPlace } from '../../../workspace/personal-place.ts'
import { findRoot } from '../../../workspace/root.ts'
import { leftOutWorkspace } from '../../../workspace/sparse.ts'
import { confirm } from '../../ask.ts'
import { inShort, note, say, sayJson, sayWrapped } from '../../print.ts'
import { withProgress } from '../../progress/index.ts'
import { settle } from '../../settle.ts'
import { whatWasDone } from '../init/index.ts'
import { installedOrAll } from '../init/words.ts'
import { kinds } from '../redact.ts'
import { givenPassphrase, newPassphrase, sayKey, sealedWords, sealingWords } from './sealing.ts'
import { isIdle, remarksOn, summaryOf } from './words.ts'

interface SyncOptions {
  to?: string
  branch?: string
  personal?: boolean
  auto?: boolean
  dryRun?: boolean
  seal?: boolean
  passphrase?: boolean
  key?: boolean
  reader?: string
  removeReader?: string
  stop?: boolean
  /** Nobody waits for it, and nobody reads what it prints. */
  background?: boolean
  json?: boolean
}

/** Sends the conversations of a workspace to a place, and takes what other machines have sent there. */
export async function syncVerb(environment: Environment, options: SyncOptions): Promise<void> {
  const { to, personal, stop, key, dryRun, json } = options
  if (stop && personal) return stopPersonal(environment, json)
  if (key) return sayKey(environment, json)
  const made = to === undefined || dryRun ? undefined : await setUp(environment, json)
  try {
    await syncHere(environment, options, made)
  } catch (error) {
    if (made !== undefined) note(`The workspace that was made stays: ${oneLine(made)}. ${HOW_TO_UNDO}`)
    throw error
  }
}

const HOW_TO_UNDO = 'If this was the wrong folder: cortext uninstall, there.'

async function syncHere(environment: Environment, options: SyncOptions, made?: string): Promise<void> {
  const { to, branch, personal, auto, dryRun, stop, background, json } = options
  const { seal, passphrase, reader = options.removeReader } = options
  const ws = openToSync(environment)
  if (personal && to === undefined) throw needsPlace(ws, auto)
  if (background) return syncUnseen(ws, remarksOn)
  if (stop) return reportStop(await stopSyncing(ws), json)
  if (dryRun) return reportDryRun(ws, options)
  if (auto === false && to === undefined) return stopAuto(ws, json)
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
    mayMiss ? wherePlaceIsSaid(chosen, options, made) : nextSteps(chosen, done, options),
    stillPersonal(environment, chosen, options),
    secretsSent(ws, done),
  )
}

/**
 * Makes a private workspace, as `init` does, where there is none: a new machine then needs this one command. Nothing is
 * looked for at the place of the person's other workspaces. Returns its root, if it was made.
 */
async function setUp(environment: Environment, json?: boolean): Promise<string | undefined> {
  const { cwd } = environment
  if (findRoot(cwd) !== undefined || leftOutWorkspace(cwd) !== undefined) return undefined
  const clients = installedOrAll(environment)
  const report = await install(environment, { clients, visibility: 'private' })
  if (!json) sayWrapped(whatWasDone(report, clients), '')
  return report.root
}

/** Opens the workspace. Throws `no-workspace`: a new machine may need the place, not `init`. */
function openToSync(environment: Environment): Workspace {
  try {
    return openWorkspace(environment)
  } catch (error) {
    if (!(error instanceof CortextError) || error.fix !== 'cortext init') throw error
    throw new CortextError(error.code, error.message, {
      fix: 'in a clone of the project: cortext sync --to <place>, which makes one; or without a place: cortext init',
    })
  }
}

/** For a person who expected what another machine has sent. */
function wherePlaceIsSaid(chosen: Chosen | undefined, options: SyncOptions, made?: string): string[] {
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
function stillPersonal(
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
function secretsSent(ws: Workspace, { sent }: Synced): string[] {
  const found = sent.flatMap((path) =>
    secretsInDocuments(ws, path).map(({ file, found }) => `  ${path}/${file}: ${kinds(found)}`),
  )
  if (found.length === 0) return []
  return [
    'The rules of today find secrets in documents that were sent:',
    ...found.slice(0, MOST_SECRETS),
    'Take them out there, and then everywhere: cortext redact <id> --apply, and cortext sync',
  ]
}

const MOST_SECRETS = 10

/** How another machine comes to the place, and how this one goes on with what has come, when that is new to a person. */
function nextSteps(chosen: Chosen | undefined, { taken }: Synced, options: SyncOptions): string[] {
  if (chosen === undefined) return []
  return [
    ...(chosen.isNew
      ? [
          ...(chosen.isSealed
            ? ['Another machine needs the key first. How to bring it there: cortext sync --key']
            : []),
          'On another machine, in a clone of this project or a copy of this folder:',
          // What is there is known to be sealed.
          `  ${commandFor(chosen.address, { ...options, seal: undefined })}`,
        ]
      : []),
    ...(taken.length > 0 ? ['To go on with one that has come: cortext resume'] : []),
  ]
}

/** The command that names a place, with the options that a person has typed. */
function commandFor(
  address: string,
  { branch, personal, auto, seal }: Omit<SyncOptions, 'seal'> & { seal?: boolean | undefined },
): string {
  return (
    [
      paste`cortext sync --to ${address}`,
      ...(seal === undefined ? [] : [seal ? '--seal' : '--no-seal']),
      ...(branch === undefined ? [] : [paste`--branch ${branch}`]),
    ].join(' ') + typedIn({ personal, auto })
  )
}

interface Typed {
  personal?: boolean | undefined
  auto?: boolean | undefined
}

/** These options as they are typed at the end of a command. */
function typedIn({ personal, auto }: Typed): string {
  return `${personal ? ' --personal' : ''}${auto === undefined ? '' : auto ? ' --auto' : ' --no-auto'}`
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
