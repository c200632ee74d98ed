import { join, posix } from 'node:path'
import type { Client } from '../../clients/contract/client.ts'
import type { PackCommand, RenderedFile } from '../../clients/contract/pack.ts'
import { CortextError } from '../../errors.ts'
import { listInside, readInside, removeInside, statInside } from '../../io/inside.ts'
import { paste } from '../../text/paste.ts'
import { loadConfig } from '../config.ts'
import { loadRegistry } from '../registry.ts'
import { applyVisibility, hiddenPaths } from '../visibility.ts'
import { commandHash, isCommandName, loadCommand } from './commands.ts'
import {
  type FileChange,
  type Manifest,
  noteWritten,
  readManifest,
  writeInto,
  writeManifest,
  writtenLine,
} from './manifest.ts'
import { shippedPack } from './shipped.ts'
import { SKILL, shippedCommands, shippedFile } from './shipped-files.ts'

/**
 * Renders the workspace's commands again for those of `clients` that `init` has set up, because the person may have
 * edited `.workspace/commands/`. Writes only files that change. A rendered file that the person has edited is kept.
 * Does nothing in a workspace that `init` has not made.
 */
export function renderPack(
  { root, local }: { root: string; local: string },
  clients: readonly Client[],
  { pack, personal }: { pack?: string; personal?: ReadonlySet<string> } = {},
): FileChange[] {
  const manifest = readManifest(root, local)
  const setUp = clients.filter((client) => manifest.rendered[client.id] !== undefined)
  const changes = renderCommands(root, setUp, manifest, pack, { personal })
  if (changes.every((change) => change.state === 'unchanged' || change.state === 'kept')) return changes
  const visibility = loadConfig(root).visibility
  writeManifest(root, manifest, local)
  return [...changes, ...applyVisibility(root, visibility, hiddenPaths(root, manifest, pack))]
}

/**
 * Makes or updates the skill, if it is asked for or there. With `dry`, nothing is written; then the caller must not write
 * the manifest either.
 */
export function installSkill(
  root: string,
  manifest: Manifest,
  { pack = shippedPack(), dry = false, isAsked = false } = {},
): FileChange[] {
  const { files } = manifest
  if (!isAsked && (files[SKILL] === undefined || statInside(root, SKILL) === undefined)) return []
  const { path, content, origin } = shippedFile(pack, 'skills/cortext/SKILL.md', SKILL)
  const note = paste`edited here; to see what is new: diff ${join(root, path)} ${origin}`
  return [putFile(root, { path, content, note }, files, manifest, dry)]
}

/**
 * Writes all commands of the workspace (the shipped ones and the person's own) in the form of each client, and the
 * other files that the client needs. For the clients whose ids are in `personal`, writes only the commands that the
 * package does not have, and removes the other files: the person's own settings have them. `dry` means the same as in
 * installSkill.
 */
export function renderCommands(
  root: string,
  clients: readonly Client[],
  manifest: Manifest,
  pack = shippedPack(),
  { dry = false, personal }: { dry?: boolean; personal?: ReadonlySet<string> | undefined } = {},
): FileChange[] {
  if (clients.length === 0) return []
  const commands = readCommands(root, pack)
  const shipped = new Set(shippedCommands(pack).map((file) => file.slice(0, -3)))
  const planned = clients.map((client) => {
    const only = personal?.has(client.id) === true ? ({ name }: PackCommand) => !shipped.has(name) : undefined
    const rendered = commandFiles(client, only === undefined ? commands : commands.filter(only))
    const needed = only === undefined ? neededFiles(client, pack) : []
    const files = [
      ...rendered.map((file) => ({
        ...file,
        instead: 'edit its prompt instead (cortext init --eject), or ',
      })),
      ...needed.map((file) => ({ ...file, instead: '' })),
    ]
    checkRendered(
      root,
      client,
      files.map(({ path }) => path),
      pack,
    )
    return { client, files }
  })
  return planned.flatMap(({ client, files }) => {
    const noted = files.map(({ instead, ...file }) => {
      const again = paste`to have it made again: rm ${join(root, file.path)} and run cortext init`
      return { ...file, note: `edited here; ${instead}${again}` }
    })
    return putFiles(root, client, noted, manifest, dry)
  })
}

/**
 * Checks where a client wants to render its files. Throws `unsafe-path` for a file that is outside the folders that its
 * prompt pack names, or in a folder of cortext, of a type or of git.
 */
function checkRendered(root: string, client: Client, paths: readonly string[], pack: string): void {
  const types = [...loadRegistry(root, pack).values()].map(({ folder }) => folder)
  const ours = ['.workspace', '.git', ...types]
  for (const path of paths) {
    if (isPlain(path) && isBelow(path, client.pack.folders) && !isBelow(path, ours)) continue
    throw new CortextError('unsafe-path', `${client.name} has no file at ${JSON.stringify(path)}`, {
      fix: 'look where the types of .workspace/registry.json have their folders',
    })
  }
}

/** Whether a path is relative, has forward slashes, and does not lead out of the workspace. */
function isPlain(path: string): boolean {
  return posix.normalize(path) === path && !/^(?:\/|\.\.\/)|\\/.test(path)
}

/** Whether a path is in one of these folders. Case is ignored, because for some file systems `.GIT` is `.git`. */
function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path.toLowerCase().startsWith(`${folder.toLowerCase()}/`))
}

function commandFiles({ pack }: Client, commands: readonly PackCommand[]): RenderedFile[] {
  return commands.flatMap((command) => [pack.command(command), ...(pack.extraFiles?.(command) ?? [])])
}

function neededFiles(client: Client, pack: string): RenderedFile[] {
  return client.pack.files?.((path) => shippedFile(pack, path).content) ?? []
}

/** All files that a client gets of a pack, with the paths that they have in a workspace. */
export function shippedFilesFor(client: Client, pack: string): RenderedFile[] {
  return [...commandFiles(client, readCommands(undefined, pack)), ...neededFiles(client, pack)]
}

/** Makes or updates the files of a client, and removes those that it does not have any more. */
export function putFiles(
  root: string,
  client: Client,
  files: readonly (RenderedFile & { note: string })[],
  manifest: Manifest,
  dry: boolean,
): FileChange[] {
  const written = manifest.rendered[client.id] ?? {}
  manifest.rendered[client.id] = written
  const fresh = new Set(files.map(({ path }) => path))
  const changes = files.map((file) => putFile(root, file, written, manifest, dry))
  const stale = Object.keys(written).filter((path) => !fresh.has(path))
  for (const path of stale.filter((file) => othersHave(manifest, client.id, file))) delete written[path]
  return [...changes, ...removeStale(root, written, (path) => !fresh.has(path), manifest, dry)]
}

function othersHave({ rendered }: Manifest, id: string, path: string): boolean {
  return Object.entries(rendered).some(([other, files]) => other !== id && Object.hasOwn(files, path))
}

/** The commands of the package and the person's own. Of a command that both have, the person's version counts. */
function readCommands(root: string | undefined, pack: string): PackCommand[] {
  const own = root === undefined ? [] : listInside(root, '.workspace/commands', '.md')
  return [...new Set([...shippedCommands(pack), ...own].map((file) => file.slice(0, -3)))]
    .filter(isCommandName)
    .sort()
    .map((name) => loadCommand(root, name, pack).command)
}

/**
 * Makes or updates one file. Keeps it if somebody has edited it. A file with exactly our content counts as ours: an
 * installation may have been killed after it wrote the file and before it wrote the manifest.
 */
function putFile(
  root: string,
  file: { path: string; content: string; note: string },
  written: Record<string, string>,
  manifest: Manifest,
  dry: boolean,
): FileChange {
  const { path, content, note } = file
  const present = readInside(root, path)
  const hash = commandHash(content)
  if (present !== undefined && commandHash(present) === hash) {
    noteWritten(manifest, written, path, hash)
    return { path, state: 'unchanged' }
  }
  if (present !== undefined && commandHash(present) !== written[path]) return { path, state: 'kept', note }
  if (!dry) writeInto(root, path, content, manifest)
  noteWritten(manifest, written, path, hash)
  return { path, state: present === undefined ? 'made' : 'updated' }
}

/** Removes files that we wrote earlier and do not write any more. Files that somebody has edited stay. */
function removeStale(
  root: string,
  written: Record<string, string>,
  isStale: (path: string) => boolean,
  manifest: Manifest,
  dry: boolean,
): FileChange[] {
  return Object.keys(written)
    .filter(isStale)
    .flatMap((path) => {
      const removed = removeWritten(root, path, written[path], manifest, dry)
      delete written[path]
      return removed.state === 'unchanged' ? [] : [removed]
    })
}

/**
 * Removes a file if it is still as this machine wrote it. The hash from the manifest does not prove this, because a
 * clone may bring the manifest. So the file must also be in `here`.
 */
export function removeWritten(
  root: string,
  path: string,
  hash: string | undefined,
  { here }: Manifest,
  dry = false,
): FileChange {
  const present = readInside(root, path)
  if (present === undefined) return { path, state: 'unchanged' }
  const found = commandHash(present)
  const why =
    found !== hash
      ? 'edited here'
      : here.has(writtenLine(path, found))
        ? undefined
        : 'not made on this machine'
  if (why !== undefined)
    return {
      path,
      state: 'kept',
      note: `${why}; ${paste`if you do not want it: rm ${join(root, path)}`}`,
    }
  if (!dry) removeInside(root, path)
  return { path, state: 'removed' }
}
