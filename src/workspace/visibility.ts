import { join, relative } from 'node:path'
import { TEMP_SUFFIX } from '../io/atomic-write.ts'
import type { Program } from '../io/environment.ts'
import { readBytesInside, removeInside, statInside, writeInside } from '../io/inside.ts'
import { withSlashes } from '../io/slashes.ts'
import type { Visibility } from './config.ts'
import { type FileText, putBlock, takeBlock } from './merge/block.ts'
import { configOf, driverLines } from './merge-driver.ts'
import { clientFiles, type FileChange, type Manifest } from './pack/manifest.ts'
import { loadRegistry } from './registry.ts'
import { findRepository } from './repository.ts'
import { findGitTop } from './root.ts'

/**
 * Sets how git treats a workspace, by blocks of lines in four files. `info/exclude`, which linked worktrees share, hides
 * the `hidden` files, which are made anew on each machine. `private`: it hides the `hidden` folders too. `shared`: git
 * tracks the workspace without attachments and without this machine's own files; it merges messages.jsonl as a union,
 * and session.json by our own merge (the driver is in git's `config`). `undefined`: all blocks are removed, but what is
 * in `hidden` and `alsoHidden` stays hidden. `alsoHidden` are patterns of gitignore(5). With `dry`, nothing is written.
 */
export function applyVisibility(
  root: string,
  visibility: Visibility | undefined,
  { folders, files }: Hidden,
  {
    dry = false,
    program,
    alsoHidden = [],
  }: { dry?: boolean; program?: Program | undefined; alsoHidden?: readonly string[] } = {},
): FileChange[] {
  const common = findRepository(root)?.common
  const shared = visibility === 'shared'
  const changes = [
    setBlock(root, root, '.gitattributes', 'workspace', shared ? ATTRIBUTES : undefined, dry),
    setBlock(root, root, '.gitignore', 'workspace', shared ? IGNORED : undefined, dry),
  ]
  if (common !== undefined) {
    const prefix = prefixOf(root)
    const lines = [
      ...[...(shared ? [] : folders), ...files].map((path) => prefix + pattern(path)),
      ...alsoHidden.map((also) => prefix + also),
      // A killed program may leave one among the files of a client.
      ...(visibility === 'private' ? [`${prefix}**/*${TEMP_SUFFIX}`] : []),
    ]
    const hide = lines.length > 0 ? lines : undefined
    const driver = shared ? driverLines(root, configOf(common), program) : undefined
    changes.push(
      setBlock(root, common, 'info/exclude', `workspace ${prefix}`, hide, dry),
      setBlock(root, common, 'config', DRIVER, driver, dry),
    )
  }
  // A folder that stays hidden keeps its own lines.
  if (shared)
    for (const path of guardsOf(folders))
      changes.push(setBlock(root, root, path, 'workspace', undefined, dry))
  return changes.filter((change) => change !== undefined)
}

/**
 * Hides everything in these folders by a `.gitignore` in each of them, which goes before one in a folder above. Called
 * for folders in which git sees files although `info/exclude` hides them (seenByGit).
 */
export function guardFolders(root: string, folders: readonly string[]): FileChange[] {
  return guardsOf(folders).flatMap((path) => setBlock(root, root, path, 'workspace', ['*'], false) ?? [])
}

function guardsOf(folders: readonly string[]): string[] {
  return folders.map((folder) => `${folder}.gitignore`)
}

/**
 * With these attributes, git stores records byte for byte: it converts no line breaks and runs no filters. The filter
 * of Git LFS would replace a file by a pointer, and then git would merge the pointers.
 */
const ATTRIBUTES = [
  // Forges fold files that are generated.
  '**/.session/** -text -filter linguist-generated gitlab-generated',
  '**/.session/messages.jsonl merge=union',
  '**/.session/session.json merge=cortext',
]

/** The two files with our lines for git in a workspace that is nothing else, by their names. */
export function filesForGit(): Record<string, string> {
  const text = (lines: readonly string[]) => String(putBlock(undefined, 'workspace', lines))
  return { '.gitattributes': text(ATTRIBUTES), '.gitignore': text(IGNORED) }
}

/** Attachments stay on this machine, because they are long, and contain what tools have read. */
export const ATTACHMENTS = '**/.session/attachments/'
const IGNORED = [ATTACHMENTS, '/.workspace/local/', `*${TEMP_SUFFIX}`]

/**
 * Writes the lines of our merge driver into git's configuration if they are missing there, for example in a new clone,
 * or if the program that they name is gone. Verbs that change something in a shared workspace call this. If nothing
 * changes, it costs the reading of one small file.
 */
export function refreshDriver(root: string, program: Program | undefined): void {
  const common = findRepository(root)?.common
  if (common === undefined || program === undefined || statInside(common, 'config.lock') !== undefined) return
  setBlock(root, common, 'config', DRIVER, driverLines(root, configOf(common), program), false)
}

const DRIVER = 'merge driver'

/** Paths that git must not see, relative to the root. */
export interface Hidden {
  /** The folders of a private workspace, each with a slash at its end: `.workspace/`, `conversations/`. */
  folders: string[]
  /** Files for the clients of this machine. */
  files: string[]
}

/** What git must not see of a workspace. Other worktrees may have files of their own. */
export function hiddenPaths(root: string, manifest: Manifest, pack?: string): Hidden {
  const folders = ['.workspace/', ...[...loadRegistry(root, pack).values()].map((type) => `${type.folder}/`)]
  const files = [...clientFiles(manifest), ...manifest.elsewhere]
  return { folders: [...new Set(folders)].sort(), files: [...new Set(files)].sort() }
}

/**
 * Writes a block into the file `path` in `folder` (the root or git's directory). Removes the block when `lines` is
 * undefined.
 */
function setBlock(
  root: string,
  folder: string,
  path: string,
  name: string,
  lines: readonly string[] | undefined,
  dry: boolean,
): FileChange | undefined {
  // With one character for each byte, the person's text stays the same in any encoding.
  const old: FileText = readBytesInside(folder, path)?.toString('latin1')
  const text = lines === undefined ? old && takeBlock(old, name) : putBlock(old, name, lines.map(asBytes))
  const shown = withSlashes(relative(root, join(folder, path)))
  if (text === old) return lines && { path: shown, state: 'unchanged' }
  if (text === undefined) {
    if (!dry) removeInside(folder, path)
    return { path: shown, state: 'removed' }
  }
  if (!dry) writeInside(folder, path, Buffer.from(text, 'latin1'))
  return { path: shown, state: old === undefined ? 'made' : 'updated' }
}

function asBytes(line: string): string {
  return Buffer.from(line, 'utf8').toString('latin1')
}

/**
 * What comes before a pattern so that it matches only in this workspace: `/`, or `/sub/folder/` if the workspace is not
 * at the top of its repository.
 */
function prefixOf(root: string): string {
  const way = withSlashes(relative(findGitTop(root) ?? root, root))
  return way === '' ? '/' : `/${pattern(way)}/`
}

/** A pattern of gitignore(5) that matches only this path. */
function pattern(path: string): string {
  return path.replace(/[\\*?[\]!#]/g, '\\$&').replace(/ $/, '\\ ')
}
