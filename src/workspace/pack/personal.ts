import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Client } from '../../clients/contract/client.ts'
import type { Personal } from '../../clients/contract/settings.ts'
import { crypto } from '../../hash.ts'
import type { Environment } from '../../io/environment.ts'
import { isFileInside, listInside, removeEmptyInside, removeInside } from '../../io/inside.ts'
import { stateFile } from '../../io/state-file.ts'
import { paste } from '../../text/paste.ts'
import { putFiles, removeWritten, shippedFilesFor } from './index.ts'
import {
  type FileChange,
  type Manifest,
  PERSONAL,
  readManifest,
  removeEmptyFolders,
  writeManifest,
} from './manifest.ts'
import { applySettings, planSettings, removeSettings } from './settings.ts'
import { shippedPack } from './shipped.ts'

/**
 * A personal set-up: the files of one client in the person's own folder of that client, which uses them in every
 * folder. Its manifest is in the person's state folder, `personal/<client>-<hash of the folder>/`, because variables can
 * give a client another folder.
 */
export interface PersonalSetUp {
  client: Client
  personal: Personal
  /** The client's own folder: `~/.claude`. The paths of changes are relative to it. */
  root: string
  /** The folder of the manifest and of the originals of changed settings. */
  local: string
}

/** Where the personal set-ups of these clients are or would be. Clients that can have none are left out. */
export function personalPlaces(environment: Environment, clients: readonly Client[]): PersonalSetUp[] {
  return clients.flatMap((client) => {
    const { personal } = client
    if (personal === undefined) return []
    return [placeAt(environment, client, personal, resolve(environment.cwd, personal.folder(environment)))]
  })
}

/** The personal set-ups that are in force: `init --personal` has made them for the client's present folder. */
export function personalSetUps(environment: Environment, clients: readonly Client[]): PersonalSetUp[] {
  return personalPlaces(environment, clients).filter(({ local }) => isFileInside(local, 'manifest.json'))
}

/** The ids of the clients with a personal set-up that is in force. */
export function personalIds(environment: Environment, clients: readonly Client[]): Set<string> {
  return new Set(personalSetUps(environment, clients).map(({ client }) => client.id))
}

/**
 * Makes or updates a personal set-up. Keeps what the person has edited, and changes nothing when it runs again. With
 * `dry`, nothing is written. Throws `corrupt`, `refused`, `unreadable` and `unsafe-path`.
 */
export function installPersonal(
  { client, personal, root, local }: PersonalSetUp,
  { pack = shippedPack(), dry = false }: { pack?: string; dry?: boolean } = {},
): FileChange[] {
  const manifest = readManifest(root, local)
  const { settings } = personal
  const plan = settings && planSettings(root, client.id, settings)
  const made = manifest.personal === undefined ? firstMissing(root) : manifest.personal.made
  manifest.personal = { client: client.id, root, ...(made === undefined ? {} : { made }) }
  const changes = putFiles(root, client, filesOf(client, personal, root, pack), manifest, dry)
  if (dry) return [...changes, ...(plan === undefined ? [] : [{ path: plan.path, state: stateOf(plan) }])]
  // If it is killed after this, uninstall knows what may have been written.
  writeManifest(root, manifest, local)
  if (plan !== undefined) changes.push(applySettings(root, plan, manifest, local))
  writeManifest(root, manifest, local)
  return changes
}

export interface RemovedPersonal {
  /** The id of the client. */
  client: string
  root: string
  changes: FileChange[]
}

/**
 * Takes back all personal set-ups of this person, also those in folders that variables do not name any more. Files that
 * nobody has edited, our entries in settings and the folders that we made are removed. What the person has edited stays.
 */
export function removePersonal(
  environment: Environment,
  clients: readonly Client[],
  pack = shippedPack(),
): RemovedPersonal[] {
  const known = personalPlaces(environment, clients)
  const noted = notedSetUps(environment, clients)
  const others = noted.filter(({ local }) => known.every((one) => one.local !== local))
  return [...known, ...others].flatMap((one) => {
    const changes = removeOne(environment, one, pack).filter(({ state }) => state !== 'unchanged')
    return changes.length === 0 ? [] : [{ client: one.client.id, root: one.root, changes }]
  })
}

function removeOne(environment: Environment, setUp: PersonalSetUp, pack: string): FileChange[] {
  const { client, personal, root, local } = setUp
  const manifest = readManifest(root, local)
  noteOurs(setUp, manifest, pack)
  const { settings } = personal
  const written = Object.entries(manifest.rendered[client.id] ?? {})
  const changes = [
    ...(settings === undefined ? [] : [removeSettings(root, settings.file, settings, manifest, local)]),
    ...written.map(([path, hash]) => removeWritten(root, path, hash, manifest)),
  ]
  removeEmptyFolders(root, manifest.folders)
  const { made } = manifest.personal ?? {}
  if (made !== undefined) removeMade(root, made)
  forget(environment, basename(local))
  return changes
}

/**
 * Notes the files that this version would write. They are ours too, if the person's state folder was removed before the
 * set-up.
 */
function noteOurs({ client, personal, root }: PersonalSetUp, manifest: Manifest, pack: string): void {
  const rehearsed = { ...structuredClone(manifest), here: manifest.here }
  const changes = putFiles(root, client, filesOf(client, personal, root, pack), rehearsed, true)
  const ours = changes.filter(({ state }) => state === 'unchanged').map(({ path }) => path)
  const rendered = rehearsed.rendered[client.id] ?? {}
  const found = ours.flatMap((path) => (rendered[path] === undefined ? [] : [[path, rendered[path]]]))
  manifest.rendered[client.id] = { ...manifest.rendered[client.id], ...Object.fromEntries(found) }
}

function filesOf(client: Client, personal: Personal, root: string, pack: string) {
  return shippedFilesFor(client, pack).map(({ path, content }) => {
    const place = personal.place(path)
    const again = paste`to have it made again: rm ${join(root, place)} and run cortext init --personal`
    return { path: place, content, note: `edited here; ${again}` }
  })
}

function stateOf({ before, after }: ReturnType<typeof planSettings>): FileChange['state'] {
  if (before === after) return 'unchanged'
  return before === undefined ? 'made' : 'updated'
}

/** The set-ups whose manifests are in the person's state folder. Those of unknown clients are left out. */
function notedSetUps(environment: Environment, clients: readonly Client[]): PersonalSetUp[] {
  const { folder, name } = stateOfPersonal(environment)
  return listInside(folder, name, '').flatMap((entry) => {
    const local = join(folder, name, entry)
    const noted = readManifest(local, local).personal
    const client = clients.find(({ id }) => id === noted?.client)
    if (noted === undefined || client?.personal === undefined) return []
    return [{ client, personal: client.personal, root: noted.root, local }]
  })
}

function placeAt(environment: Environment, client: Client, personal: Personal, root: string): PersonalSetUp {
  const hash = crypto().createHash('sha256').update(root).digest('hex').slice(0, 8)
  const local = join(stateFile(environment, PERSONAL), `${client.id}-${hash}`)
  return { client, personal, root, local }
}

/** The outermost folder that has to be made so that `folder` is there; undefined if it is. */
function firstMissing(folder: string): string | undefined {
  if (existsSync(folder)) return undefined
  return existsSync(dirname(folder)) ? folder : firstMissing(dirname(folder))
}

/** Removes the empty ones of the folders from `root` up to `made`. */
function removeMade(root: string, made: string): void {
  for (let at = root; at.startsWith(made); at = dirname(at)) removeEmptyInside(dirname(at), basename(at))
}

function forget(environment: Environment, entry: string): void {
  const { folder, name } = stateOfPersonal(environment)
  removeInside(folder, `${name}/${entry}`, { recursive: true })
  removeEmptyInside(folder, name)
}

function stateOfPersonal(environment: Environment): { folder: string; name: string } {
  const path = stateFile(environment, PERSONAL)
  return { folder: dirname(path), name: basename(path) }
}
