import { join, relative } from 'node:path'
import { TEMP_SUFFIX } from '../io/atomic-write.ts'
import type { Program } from '../io/environment.ts'
import { readBytesInside, removeInside, statInside, writeInside } from '../io/inside.ts'
import { withSlashes } from '../io/slashes.ts'
import type { Visibility } from './config.ts'
import { type FileText, putBlock, takeBlock } from './merge/block.ts'
import { configOf, driverLines } from './merge-driver.ts'
import type { FileChange, Manifest } from './pack/manifest.ts'
import { loadRegistry } from './registry.ts'
import { findGitCommonDir, findGitTop } from './root.ts'

/**
 * Sets how git treats a workspace, by marked lines in four files. `private` lists all of it in `info/exclude`, which
 * linked worktrees share. `shared` lets git track it, except attachments and this machine's own files, with a union
 * merge for messages.jsonl and our own merge for session.json (its driver is in git's `config`). `undefined` removes
 * our lines, except those for the `hidden` paths. `alsoHidden` are patterns of gitignore(5). With `dry` nothing is
 * written, only reported.
 */
export function applyVisibility(
  root: string,
  visibility: Visibility | undefined,
  hidden: readonly string[],
  {
    dry = false,
    program,
    alsoHidden = [],
  }: { dry?: boolean; program?: Program | undefined; alsoHidden?: readonly string[] } = {},
): FileChange[] {
  const common = findGitCommonDir(root)
  const shared = visibility === 'shared'
  const changes = [
    setBlock(root, root, '.gitattributes', 'workspace', shared ? ATTRIBUTES : undefined, dry),
    setBlock(root, root, '.gitignore', 'workspace', shared ? IGNORED : undefined, dry),
  ]
  if (common !== undefined) {
    const prefix = prefixOf(root)
    const lines = [
      ...hidden.map((path) => prefix + pattern(path)),
      ...alsoHidden.map((also) => prefix + also),
    ]
    const hide = visibility === 'private' || (!shared && lines.length > 0) ? lines : undefined
    const driver = shared ? driverLines(root, configOf(common), program) : undefined
    changes.push(
      setBlock(root, common, 'info/exclude', `workspace ${prefix}`, hide, dry),
      setBlock(root, common, 'config', DRIVER, driver, dry),
    )
  }
  return changes.filter((change) => change !== undefined)
}

/**
 * Git stores records byte for byte: it changes no line endings and runs no filter. Git LFS would replace a file by a
 * pointer, and merge the pointers.
 */
const ATTRIBUTES = [
  '**/.session/** -text -filter',
  '**/.session/messages.jsonl merge=union',
  '**/.session/session.json merge=cortext',
]
/** Only this machine has attachments: they are long, and contain what tools have read. */
export const ATTACHMENTS = '**/.session/attachments/'
const IGNORED = [ATTACHMENTS, '/.workspace/local/', `*${TEMP_SUFFIX}`]

/**
 * Names our merge driver in git's configuration when it is missing there, as in a clone, or when the program that it
 * names is gone. Verbs that change something in a shared workspace call this. Most of the time it reads one small file.
 */
export function refreshDriver(root: string, program: Program | undefined): void {
  const common = findGitCommonDir(root)
  if (common === undefined || program === undefined || statInside(common, 'config.lock') !== undefined) return
  setBlock(root, common, 'config', DRIVER, driverLines(root, configOf(common), program), false)
}

const DRIVER = 'merge driver'

/** The paths that a private workspace hides, relative to the root. Folders end in a slash. */
export function hiddenPaths(root: string, manifest: Manifest, pack?: string): string[] {
  const folders = [...loadRegistry(root, pack).values()].map((type) => `${type.folder}/`)
  const rendered = Object.values(manifest.rendered).flatMap((files) => Object.keys(files))
  const settings = Object.entries(manifest.settings).filter(([, entry]) => entry.created)
  const others = Object.keys(manifest.files).filter((path) => !path.startsWith('.workspace/'))
  const files = [...rendered, ...others, ...settings.map(([path]) => path)].sort()
  return ['.workspace/', ...[...new Set(folders)].sort(), ...new Set(files)]
}

/**
 * Puts a block into the file `path` below `folder` (the root, or git's folder), or removes it when `lines` is
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
  // There is one character for each byte, so that the person's text comes back as it was, whatever its encoding.
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

/** `/`, or `/sub/folder/` for a workspace below the top of its repository, so that patterns match only there. */
function prefixOf(root: string): string {
  const way = withSlashes(relative(findGitTop(root) ?? root, root))
  return way === '' ? '/' : `/${pattern(way)}/`
}

/** A pattern of gitignore(5) that matches only this path. */
function pattern(path: string): string {
  return path.replace(/[\\*?[\]!#]/g, '\\$&').replace(/ $/, '\\ ')
}
