import { basename, dirname, join, relative } from 'node:path'
import { CortextError } from '../../errors.ts'
import {
  isFileInside,
  isInside,
  listInside,
  readInside,
  removeEmptyInside,
  removeInside,
  statInside,
  writeInside,
} from '../../io/inside.ts'
import { withSlashes } from '../../io/slashes.ts'
import { type Outside, stateFile } from '../../io/state-file.ts'
import * as z from '../../zod.ts'
import { corrupt, formatLike, parseJsonObject } from '../merge/json-file.ts'
import { findRepository, linkedGitDirs } from '../repository.ts'

const Hash = z.string().check(z.regex(/^sha256:[0-9a-f]{64}$/))

/** The hash of what we wrote into a file, by the file's path relative to the root. */
const Written = z.record(z.string(), Hash)

const SettingsEntry = z.object({
  client: z.string(),
  /** Whether we made the file. */
  created: z.boolean(),
  /** The hash of the text that we wrote. */
  wrote: Hash,
  /** The hash of the text before we wrote. The local folder has a copy of this text. */
  original: z.optional(Hash),
})
export type SettingsEntry = z.infer<typeof SettingsEntry>

/**
 * The manifest says what `init` has made, so that a later `init` sees which files somebody has edited. It is in the
 * local folder. A linked worktree has its own in git's directory for that worktree, with which git removes it. An archive
 * may bring it, so no file is removed only because it has an entry here; see Manifest.
 */
const ManifestFile = z.looseObject({
  /** The settings and the skill. */
  files: z.prefault(Written, {}),
  /** What `init --eject` has copied from the package into `.workspace/`. */
  ejected: z.prefault(Written, {}),
  /** The rendered files of each client. A client is set up if it has a key here. */
  rendered: z.prefault(z.record(z.string(), Written), {}),
  /** The settings files of clients that contain entries of ours. */
  settings: z.prefault(z.record(z.string(), SettingsEntry), {}),
  /** Folders that `init` made, outermost first. */
  folders: z.prefault(z.array(z.string()), []),
  /** Only in the manifest of a personal set-up (personal.ts). Other paths are relative to its `root`. */
  personal: z.optional(
    z.object({
      client: z.string(),
      root: z.string(),
      /** The outermost folder that was made so that `root` is there. Absolute. */
      made: z.optional(z.string()),
    }),
  ),
})

/**
 * The manifest, and what this machine has written into the workspace, in any worktree (`here`): a line `sha256:<hex>
 * <path>` for each version of a file. A file may be removed only if it is in `here`, or if its name shows that it is
 * ours.
 */
export type Manifest = z.infer<typeof ManifestFile> & {
  here: Set<string>
  /** The files for clients in other worktrees, relative to their roots. All worktrees share git's `info/exclude`. */
  elsewhere: string[]
}

/** The names of the manifest and of the list `here` in the local folder. */
const NAME = 'manifest.json'
const WRITTEN = 'written'

/**
 * Reads the manifest of a workspace; empty when there is none. Paths that lead out of the workspace are left out. Throws
 * `corrupt` and `unsafe-path`.
 */
export function readManifest(root: string, local: string): Manifest {
  const { own, others } = placesOf(root, local)
  return {
    ...(readFile(own) ?? ManifestFile.parse({})),
    here: writtenHere(local),
    elsewhere: others.flatMap((place) => clientFiles(readIfWhole(place))),
  }
}

/** Whether a client is set up on this machine. True also if the manifest cannot be read: `doctor` says why. */
export function hasClients(root: string, local: string): boolean {
  try {
    return Object.keys(readManifest(root, local).rendered).length > 0
  } catch (error) {
    if (!(error instanceof CortextError)) throw error
    return true
  }
}

/** Whether `init` has run here, on this machine. */
export function isSetUp(root: string, local: string): boolean {
  const { folder, path } = placesOf(root, local).own
  return isFileInside(folder, path)
}

/** Whether this person has set up a client for all workspaces (personal.ts). */
export function hasPersonal(outside: Outside): boolean {
  const path = stateFile(outside, PERSONAL)
  return listInside(dirname(path), basename(path), '').length > 0
}

/** The folder with the manifests of personal set-ups, in the person's state folder. */
export const PERSONAL = 'personal'

/** The files that a machine makes for itself: those for its clients, their settings if we made them, and the skill. */
export function clientFiles(manifest: z.infer<typeof ManifestFile> | undefined): string[] {
  if (manifest === undefined) return []
  const rendered = Object.values(manifest.rendered).flatMap((files) => Object.keys(files))
  const settings = Object.entries(manifest.settings).filter(([, entry]) => entry.created)
  const others = Object.keys(manifest.files).filter((path) => !path.startsWith('.workspace/'))
  return [...rendered, ...others, ...settings.map(([path]) => path)]
}

/** Whether another worktree has a manifest. */
export function hasOtherManifests(root: string, local: string): boolean {
  return placesOf(root, local).others.some(({ folder, path }) => isFileInside(folder, path))
}

/** The ids of the clients that are set up in other worktrees. */
export function clientsElsewhere(root: string, local: string): string[] {
  return placesOf(root, local).others.flatMap((place) => Object.keys(readIfWhole(place)?.rendered ?? {}))
}

/** A damaged manifest of another worktree concerns nobody here. */
function readIfWhole(place: Place): z.infer<typeof ManifestFile> | undefined {
  try {
    return readFile(place)
  } catch (error) {
    if (!(error instanceof CortextError)) throw error
    return undefined
  }
}

function readFile({ folder, path }: Place): z.infer<typeof ManifestFile> | undefined {
  const text = readInside(folder, path)
  if (text === undefined) return undefined
  const parsed = ManifestFile.safeParse(parseJsonObject(text, join(folder, path)))
  if (parsed.success) return withSafePaths(parsed.data)
  throw corrupt(join(folder, path), `is damaged: ${parsed.error.issues[0]?.path.join('.')}`)
}

/**
 * Writes the manifest if it has changed, and adds `here` to the list in the local folder. The text is sorted and has no
 * dates, so the same manifest always gives the same text.
 */
export function writeManifest(root: string, manifest: Manifest, local: string): void {
  const { files, ejected, rendered, settings, folders, here, elsewhere: _, ...rest } = manifest
  const byClient = Object.entries(rendered).map(([client, paths]) => [client, sorted(paths)] as const)
  const text = formatLike(
    {
      ...rest,
      files: sorted(files),
      ...(Object.keys(ejected).length === 0 ? {} : { ejected: sorted(ejected) }),
      rendered: sorted(Object.fromEntries(byClient)),
      settings: sorted(settings),
      folders: [...new Set(folders)].sort(),
    },
    undefined,
  )
  // Other worktrees may have added lines.
  const before = writtenHere(local)
  const all = new Set([...before, ...here])
  if (all.size > before.size) write(mainPlace(local, WRITTEN), `${[...all].sort().join('\n')}\n`)
  const place = placesOf(root, local).own
  if (readInside(place.folder, place.path) !== text) write(place, text)
}

function write({ folder, path }: Place, text: string): void {
  writeInside(folder, path, text, { mode: 0o600, folderMode: 0o700 })
}

function writtenHere(local: string): Set<string> {
  const { folder, path } = mainPlace(local, WRITTEN)
  return new Set((readInside(folder, path) ?? '').split('\n').filter((line) => line !== ''))
}

export function writtenLine(path: string, hash: string): string {
  return `${hash} ${path}`
}

export function removeManifest(root: string, local: string): void {
  const { folder, path } = placesOf(root, local).own
  removeInside(folder, path)
  for (let at = dirname(path); at !== '.' && join(folder, at) !== local; at = dirname(at))
    removeEmptyInside(folder, at)
}

/** The files of the local folder that an uninstall in another worktree needs. */
export const NEEDED_ELSEWHERE = [NAME, WRITTEN, 'originals']

interface Place {
  folder: string
  /** Relative to `folder`. */
  path: string
}

/**
 * The places of the manifests of this worktree and of the others; at those there need not be a file. All worktrees share
 * the local folder, but each has files of its own for its clients.
 */
function placesOf(root: string, local: string): { own: Place; others: Place[] } {
  const main = mainPlace(local)
  const repository = findRepository(root)
  const way = withSlashes(relative(repository?.common ?? root, local))
  // The local folder is not in git's directory.
  if (repository === undefined || !`${way}/`.startsWith('cortext/')) return { own: main, others: [] }
  const { common, gitDir } = repository
  const inGitDir = (folder: string) => ({ folder, path: `${way}/${NAME}` })
  const own = gitDir === common ? main : inGitDir(gitDir)
  const others = [main, ...linkedGitDirs(common).map(inGitDir)].filter(({ folder }) => folder !== own.folder)
  return { own, others }
}

function mainPlace(local: string, name = NAME): Place {
  return { folder: dirname(local), path: `${basename(local)}/${name}` }
}

/**
 * Writes a file of the workspace. Notes in the manifest which folders this makes. Throws `unsafe-path` when a symlink
 * is in the way.
 */
export function writeInto(root: string, path: string, text: string | Uint8Array, manifest: Manifest): void {
  noteFolders(root, path, manifest)
  writeInside(root, path, text)
}

/**
 * Notes the hash of what we wrote into a file. Puts it into `written`, which is a part of the manifest, and into
 * `here`.
 */
export function noteWritten(
  manifest: Manifest,
  written: Record<string, string>,
  path: string,
  hash: string,
): void {
  written[path] = hash
  manifest.here.add(writtenLine(path, hash))
}

/** Removes those of these folders that are empty, inner folders first. */
export function removeEmptyFolders(root: string, folders: readonly string[]): void {
  for (const folder of [...folders].sort().reverse()) removeEmptyInside(root, folder)
}

function noteFolders(root: string, path: string, manifest: Manifest): void {
  const parts = path.split('/').slice(0, -1)
  for (let depth = 1; depth <= parts.length; depth++) {
    const folder = parts.slice(0, depth).join('/')
    if (statInside(root, folder) === undefined && !manifest.folders.includes(folder))
      manifest.folders.push(folder)
  }
}

/**
 * Leaves out paths that lead out of the workspace. Also leaves out paths with control characters, because a line break
 * would make a further line in git's `info/exclude`.
 */
function withSafePaths(file: z.infer<typeof ManifestFile>): z.infer<typeof ManifestFile> {
  const isSafe = (path: string) => isInside(path) && !/\p{Cc}/u.test(path)
  const safe = <T>(paths: Record<string, T>) =>
    Object.fromEntries(Object.entries(paths).filter(([path]) => isSafe(path)))
  const rendered = Object.entries(file.rendered).map(([client, paths]) => [client, safe(paths)])
  return {
    ...file,
    files: safe(file.files),
    ejected: safe(file.ejected),
    rendered: Object.fromEntries(rendered),
    settings: safe(file.settings),
    folders: file.folders.filter(isSafe),
  }
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** What happened to one file, for the report to the person. */
export interface FileChange {
  /** The path relative to the root, with forward slashes. May be outside the root. */
  path: string
  state: 'made' | 'updated' | 'unchanged' | 'kept' | 'removed'
  /** Why the file was kept, and what the person can do. */
  note?: string
}
