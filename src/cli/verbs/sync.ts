import type { Environment } from '../../io/environment.ts'
import { forgetFailure, syncUnseen } from '../../journeys/syncing/background.ts'
import { choosePlace, stopSyncing } from '../../journeys/syncing/choose-place.ts'
import { planSync } from '../../journeys/syncing/dry-run.ts'
import { sync } from '../../journeys/syncing/sync.ts'
import type { Synced } from '../../journeys/syncing/synced.ts'
import { awaitedPlace } from '../../journeys/syncing/unsent.ts'
import { countOf } from '../../text/count-of.ts'
import { oneLine, shortLine } from '../../text/line.ts'
import { paste } from '../../text/paste.ts'
import { writeConfig } from '../../workspace/config.ts'
import { openWorkspace, type Workspace } from '../../workspace/open.ts'
import { personalPlace, setPersonalPlace } from '../../workspace/personal-place.ts'
import { INCOMPLETE } from '../../workspace/places/place.ts'
import { inShort, note, say, sayJson } from '../print.ts'
import { withProgress } from '../progress/index.ts'
import { settle } from '../settle.ts'
import { kinds } from './redact.ts'

interface SyncOptions {
  to?: string
  branch?: string
  personal?: boolean
  auto?: boolean
  dryRun?: boolean
  stop?: boolean
  /** Nobody waits for it, and nobody reads what it prints. */
  background?: boolean
  json?: boolean
}

/** Sends the conversations of a workspace to a place, and takes what other machines have sent there. */
export async function syncVerb(environment: Environment, options: SyncOptions): Promise<void> {
  const { to, branch, personal, auto, dryRun, stop, background, json } = options
  if (stop && personal) return stopPersonal(environment, json)
  const ws = openWorkspace(environment)
  if (background) return syncUnseen(ws, remarksOn)
  if (stop) return reportStop(await stopSyncing(ws), json)
  if (dryRun) return reportDryRun(ws, to, json)
  if (auto === false && to === undefined) return stopAuto(ws, json)
  await settle(ws)
  const wanted = to ?? awaitedPlace(ws)
  const chosen =
    wanted === undefined ? undefined : await choosePlace(ws, wanted, { branch, makes: to !== undefined })
  if (personal && chosen !== undefined)
    setPersonalPlace(environment, { address: chosen.address, ...(auto !== undefined && { auto }) })
  const done = await withProgress('Syncing', () => sync(ws))
  if (auto !== undefined) writeConfig(ws.root, { sync: { auto } })
  forgetFailure(ws)
  const { place, ...lists } = done
  if (json) return sayJson({ place: place.address, branch: place.branch, ...lists })
  if (chosen !== undefined)
    say(
      `The conversations of this workspace go to ${oneLine(place.address)}, ${chosen.kind ?? 'branch'} ${oneLine(place.branch)}${chosen.isNew ? ' (new)' : ''}.`,
      chosen.made ? `There was no ${chosen.kind ?? 'repository'} there: a new one was made.` : [],
      chosen.before === undefined ? [] : `No longer to ${oneLine(chosen.before)}. What is there stays.`,
    )
  if (personal)
    say(
      'It is the place of your other private workspaces on this machine too: cortext sync, in each of them.',
    )
  if (auto !== undefined)
    say(
      auto
        ? 'It syncs by itself from now on: after each stop, and when you look at a list.'
        : 'It syncs only when you run cortext sync.',
    )
  say(...summaryOf(done))
  note(remarksOn(done))
}

function reportDryRun(ws: Workspace, to?: string, json?: boolean) {
  const { address, conversations, kept } = planSync(ws, to)
  const secrets = conversations.flatMap(({ path, secrets }) =>
    secrets.map(({ file, found }) => ({ file: `${path}/${file}`, found })),
  )
  if (json)
    return sayJson({
      place: address,
      conversations: conversations.map(({ path, isNew }) => ({ path, new: isNew })),
      secrets,
      kept,
    })
  if (conversations.length === 0) return say(`Nothing would be sent to ${oneLine(address)}.`)
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
    'Nothing was sent. To send it: cortext sync',
  )
}

function stopAuto(ws: Workspace, json?: boolean) {
  writeConfig(ws.root, { sync: { auto: false } })
  if (json) return sayJson({ auto: false })
  say('It syncs only when you run cortext sync.')
}

function stopPersonal(environment: Environment, json?: boolean) {
  const address = personalPlace(environment)?.address
  setPersonalPlace(environment, undefined)
  if (json) return sayJson({ stopped: address ?? null })
  say(
    address === undefined
      ? 'There was no place for all workspaces.'
      : `${oneLine(address)} is the place of no further workspace. Those that have it keep it: cortext sync --stop, in each of them.`,
  )
}

function reportStop(address: string | undefined, json?: boolean) {
  if (json) return sayJson({ stopped: address ?? null })
  say(
    address === undefined
      ? 'No place was set here.'
      : `Nothing more is sent to ${oneLine(address)}. What is there stays.`,
  )
}

function summaryOf({ sent, taken, joined, deleted, erased }: Synced): string[] {
  const parts: [string, readonly string[]][] = [
    ['sent', sent],
    ['new here', taken],
    ['changed here', joined],
    ['deleted here', deleted],
    ['taken out of the place, or its secrets, with the history there', erased],
  ]
  const some = parts.filter(([, paths]) => paths.length > 0)
  if (some.length === 0) return ['Up to date.']
  return some.map(([what, paths]) => `${countOf(paths.length, 'conversation')} ${what}: ${inShort(paths)}`)
}

function remarksOn({ asked, unknown, unsaved, settings, conflicts, keys, unread, place }: Synced): string[] {
  const incomplete = unread.filter(({ problem }) => problem === INCOMPLETE)
  return [
    ...conflicts.map(
      ({ file, other }) =>
        `Two machines have changed ${file} in the same place. The other version is beside it, in ${other}: join them, and remove that file.`,
    ),
    ...keys.map(
      ({ key, means, others }) =>
        `Two machines began a conversation with the key ${oneLine(key)}. It now means ${means}; what was said in ${others.join(', ')} is there, and no longer under the key.`,
    ),
    ...unsaved.map(
      ({ path, message }) => `${path} could not be saved, so only its last save was sent: ${message}`,
    ),
    ...asked.map(
      (path) =>
        `${path} was deleted on another machine, and has words here that were never sent. It stays here, and is not sent. To delete it here too: ${paste`cortext delete ${path}`}. To keep it for all: ${paste`cortext fork ${path}`}, then delete it.`,
    ),
    ...someOf(
      unknown,
      (path) =>
        `${shortLine(path, LONGEST_NAME)} stays at the place: no type in .workspace/registry.json has this folder, it has other files here, or a newer cortext wrote it.`,
    ),
    ...(incomplete.length === 0
      ? []
      : [
          `${countOf(incomplete.length, 'file')} at ${oneLine(place.address)} ${incomplete.length === 1 ? 'is' : 'are'} not whole yet, so what other machines have sent with ${incomplete.length === 1 ? 'it' : 'them'} is not here: a service may still be copying. The next sync looks again. If it stays so, sync on those machines.`,
        ]),
    ...someOf(
      unread.filter(({ problem }) => problem !== INCOMPLETE),
      ({ file, problem }) => `${shortLine(file, LONGEST_NAME)} was left alone: ${problem}`,
    ),
    ...settings.map((path) => `${path} was changed on both machines. The one of this machine was sent.`),
  ]
}

/** A line for each, and one for the rest. A stranger may have made thousands. */
function someOf<T>(all: readonly T[], line: (one: T) => string): string[] {
  const more = all.length - MOST_LINES
  return [...all.slice(0, MOST_LINES).map(line), ...(more > 0 ? [`… and ${more} more.`] : [])]
}

const MOST_LINES = 20
const LONGEST_NAME = 200
