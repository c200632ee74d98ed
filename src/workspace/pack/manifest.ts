import { existsSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import { ensureFolder } from '../../io/ensure-folder.ts'
import { errnoOf } from '../../io/file-error.ts'
import * as z from '../../zod.ts'
import { corrupt, formatLike, parseJsonObject, readText } from '../merge/json-file.ts'

/** Maps a path relative to the root to the `sha256:…` of what we wrote there. */
const Written = z.record(z.string(), z.string())

const SettingsEntry = z.object({
  client: z.string(),
  /** Whether we created the file. */
  created: z.boolean(),
  /** The hash of the text that we wrote. */
  wrote: z.string(),
  /** The hash of the text before that; this machine keeps a copy of it. */
  original: z.optional(z.string()),
})
export type SettingsEntry = z.infer<typeof SettingsEntry>

/**
 * `.workspace/pack.json` records what `init` made. Upgrade and `uninstall` use it to tell our files from the person's.
 */
const Manifest = z.looseObject({
  /** Files below `.workspace/`. */
  files: z.prefault(Written, {}),
  /** The files that were rendered for each client. Its keys are the clients that are set up. */
  rendered: z.prefault(z.record(z.string(), Written), {}),
  /** The clients' settings files that hold our entries. */
  settings: z.prefault(z.record(z.string(), SettingsEntry), {}),
  /** Folders that `init` made, outermost first. */
  folders: z.prefault(z.array(z.string()), []),
})
export type Manifest = z.infer<typeof Manifest>

const MANIFEST = '.workspace/pack.json'

/** Reads what was installed in a workspace; empty when nothing was. Throws `corrupt`. */
export function readManifest(root: string): Manifest {
  const path = join(root, MANIFEST)
  const parsed = Manifest.safeParse(parseJsonObject(readText(path) ?? '', path))
  if (parsed.success) return parsed.data
  throw corrupt(path, `is damaged: ${parsed.error.issues[0]?.path.join('.')}`)
}

/**
 * Writes the manifest unless the file already says the same. It is sorted and has no dates, so that the same state is
 * the same text.
 */
export function writeManifest(root: string, manifest: Manifest): void {
  const { files, rendered, settings, folders, ...rest } = manifest
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
  if (readText(join(root, MANIFEST)) !== text) writeInto(root, MANIFEST, text, manifest)
}

/** Removes the manifest, after which nothing counts as installed. */
export function removeManifest(root: string): void {
  rmSync(join(root, MANIFEST), { force: true })
}

/**
 * Writes a file of the workspace, and notes the folders that had to be made in the manifest. Throws `unsafe-path` when
 * a symlink would lead the write elsewhere.
 */
export function writeInto(root: string, path: string, text: string | Uint8Array, manifest: Manifest): void {
  noteFolders(root, path, manifest)
  ensureFolder(root, dirname(join(root, path)))
  writeFileAtomic(join(root, path), text)
}

/** Removes those of the noted folders that are empty now, innermost first. */
export function removeEmptyFolders(root: string, folders: readonly string[]): void {
  for (const folder of [...folders].sort().reverse()) {
    try {
      rmdirSync(join(root, folder))
    } catch (error) {
      // The folder is not empty, or it has gone already. Then it is not ours to remove.
      if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) throw error
    }
  }
}

function noteFolders(root: string, path: string, manifest: Manifest): void {
  const parts = path.split('/').slice(0, -1)
  for (let depth = 1; depth <= parts.length; depth++) {
    const folder = parts.slice(0, depth).join('/')
    if (!existsSync(join(root, folder)) && !manifest.folders.includes(folder)) manifest.folders.push(folder)
  }
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
}
