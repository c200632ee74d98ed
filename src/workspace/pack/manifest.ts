import { join } from 'node:path'
import {
  isInside,
  readInside,
  removeEmptyInside,
  removeInside,
  statInside,
  writeInside,
} from '../../io/inside.ts'
import * as z from '../../zod.ts'
import { corrupt, formatLike, parseJsonObject } from '../merge/json-file.ts'
import { readWritten, type Written as WrittenHere, writeWritten, writtenLine } from './written.ts'

const Hash = z.string().check(z.regex(/^sha256:[0-9a-f]{64}$/))

/** Maps a path relative to the root to the hash of what we wrote there. */
const Written = z.record(z.string(), Hash)

const SettingsEntry = z.object({
  client: z.string(),
  /** Whether we created the file. */
  created: z.boolean(),
  /** The hash of the text that we wrote. */
  wrote: Hash,
  /** The hash of the text before ours; this machine keeps a copy of that text. */
  original: z.optional(Hash),
})
export type SettingsEntry = z.infer<typeof SettingsEntry>

/**
 * `.workspace/pack.json` records what `init` made, so that an upgrade can distinguish our files from edited ones. A
 * clone may bring this file. So an entry alone is no reason to remove a file, or to write what we would not write
 * anyway: see Manifest.
 */
const ManifestFile = z.looseObject({
  /** Files below `.workspace/`. */
  files: z.prefault(Written, {}),
  /** The files that were rendered for each client. Its keys are the clients that are set up. */
  rendered: z.prefault(z.record(z.string(), Written), {}),
  /** The clients' settings files that contain our entries. */
  settings: z.prefault(z.record(z.string(), SettingsEntry), {}),
  /** Folders that `init` made, outermost first. */
  folders: z.prefault(z.array(z.string()), []),
})

/**
 * The manifest, and what this machine itself has written (`here`). A file may be removed only if it is in `here`, or if
 * its name alone shows that it is ours.
 */
export type Manifest = z.infer<typeof ManifestFile> & { here: WrittenHere }

const MANIFEST = '.workspace/pack.json'

/**
 * Reads what was installed in a workspace; empty when nothing was. Paths that lead out of the workspace do not count.
 * Without `local`, this machine counts as having written nothing. Throws `corrupt` and `unsafe-path`.
 */
export function readManifest(root: string, local?: string): Manifest {
  const path = join(root, MANIFEST)
  const parsed = ManifestFile.safeParse(parseJsonObject(readInside(root, MANIFEST) ?? '', path))
  if (parsed.success)
    return { ...withSafePaths(parsed.data), here: local === undefined ? new Set() : readWritten(local) }
  throw corrupt(path, `is damaged: ${parsed.error.issues[0]?.path.join('.')}`)
}

/**
 * Writes the manifest, unless the file is the same already. Its text is sorted and has no dates, so that the same state
 * gives the same text.
 */
export function writeManifest(root: string, manifest: Manifest, local: string): void {
  const { files, rendered, settings, folders, here, ...rest } = manifest
  const byClient = Object.entries(rendered).map(([client, paths]) => [client, sorted(paths)] as const)
  const text = formatLike(
    {
      ...rest,
      files: sorted(files),
      rendered: sorted(Object.fromEntries(byClient)),
      settings: sorted(settings),
      folders: [...new Set(folders)].sort(),
    },
    undefined,
  )
  writeWritten(local, here)
  // Git may have given the file Windows line endings.
  if (readInside(root, MANIFEST)?.replaceAll('\r\n', '\n') !== text) writeInto(root, MANIFEST, text, manifest)
}

/** Removes the manifest, after which nothing counts as installed. */
export function removeManifest(root: string): void {
  removeInside(root, MANIFEST)
}

/**
 * Writes a file of the workspace, and notes in the manifest the folders that had to be made. Throws `unsafe-path` when
 * a symlink would lead the write elsewhere.
 */
export function writeInto(root: string, path: string, text: string | Uint8Array, manifest: Manifest): void {
  noteFolders(root, path, manifest)
  writeInside(root, path, text)
}

/**
 * Notes that we wrote this content into a file: in `written`, a part of the manifest, and in this machine's list
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

/** Removes those of the noted folders that are empty now, innermost first. */
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
 * Leaves out paths that lead out of the workspace, and paths with control characters, which would make further lines in
 * git's files.
 */
function withSafePaths(file: z.infer<typeof ManifestFile>): z.infer<typeof ManifestFile> {
  const isSafe = (path: string) => isInside(path) && !/\p{Cc}/u.test(path)
  const safe = <T>(paths: Record<string, T>) =>
    Object.fromEntries(Object.entries(paths).filter(([path]) => isSafe(path)))
  const rendered = Object.entries(file.rendered).map(([client, paths]) => [client, safe(paths)])
  return {
    ...file,
    files: safe(file.files),
    rendered: Object.fromEntries(rendered),
    settings: safe(file.settings),
    folders: file.folders.filter(isSafe),
  }
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The change of one file, as a person is shown it. */
export interface FileChange {
  /** The path relative to the workspace root, with forward slashes; absolute for a file outside the root. */
  path: string
  state: 'made' | 'updated' | 'unchanged' | 'kept' | 'removed'
  /** Why the file was kept, and what to do about it. */
  note?: string
}
