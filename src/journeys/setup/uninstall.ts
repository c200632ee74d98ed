import { join, resolve } from 'node:path'
import type { Client } from '../../clients/contract/client.ts'
import { CortextError, withDefault } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { listInside, readInside, removeInside, statInside } from '../../io/inside.ts'
import { removeTranscript } from '../../io/transcripts.ts'
import { localFiles, RECORD } from '../../store/layout.ts'
import { removeLocal } from '../../store/machine/forget.ts'
import { listBindings } from '../../store/machine/list-bindings.ts'
import { paste } from '../../text/paste.ts'
import { CONFIG, loadConfig } from '../../workspace/config.ts'
import { takeOffEverywhere } from '../../workspace/everywhere.ts'
import { forgetLocal, localDir } from '../../workspace/local-folder.ts'
import { formatLike } from '../../workspace/merge/json-file.ts'
import { commandHash, PROMPTS } from '../../workspace/pack/commands.ts'
import { installSkill, removeWritten, renderCommands } from '../../workspace/pack/index.ts'
import {
  clientFiles,
  type FileChange,
  hasOtherManifests,
  type Manifest,
  NEEDED_ELSEWHERE,
  noteWritten,
  readManifest,
  removeEmptyFolders,
  removeManifest,
} from '../../workspace/pack/manifest.ts'
import { ownSettings } from '../../workspace/pack/own-settings.ts'
import { removeSettings } from '../../workspace/pack/settings.ts'
import { loadRegistry, REGISTRY } from '../../workspace/registry.ts'
import { findGitTop, findRoot } from '../../workspace/root.ts'
import { ATTACHMENTS, applyVisibility, type Hidden, hiddenPaths } from '../../workspace/visibility.ts'

export interface UninstallRequest {
  /** Default: the workspace at or above the working folder. */
  dir?: string
  /** All known clients. The settings of each are checked, also if the manifest does not name the client. */
  clients: readonly Client[]
  /** Whether a journal of this work tree has turns that could not be published. */
  hasUnpublished: boolean
}

export interface UninstallReport {
  root: string
  /** The files that were removed or changed, and those that were kept, with the reason. */
  changes: FileChange[]
  /** The files of a private workspace that stay and that git still ignores. Relative to the root. */
  hidden: string[]
  /** The absolute path of the journals, if they stay because of unpublished turns. */
  journal?: string
}

/**
 * Removes what `init` made: files that nobody has edited, our entries in the clients' settings, our lines in git's
 * files, and caches. Conversations and everything that the person has edited stay. What git ignored before, it still
 * ignores; otherwise the next `git add` would add it. Throws `no-workspace`.
 */
export function uninstall(environment: Environment, request: UninstallRequest): UninstallReport {
  const folder = resolve(environment.cwd, request.dir ?? '.')
  const root = findRoot(folder)
  if (root === undefined)
    throw new CortextError('no-workspace', `there is no workspace in ${folder}`, {
      fix: 'change into its folder',
    })
  const local = localDir(root, environment)
  const manifest = readManifest(root, local)
  const wasHidden = hiddenBefore(root, manifest)
  noteOurs(root, request.clients, manifest)
  const changes = [
    ...removeAllSettings({ root, local }, request.clients, manifest),
    ...Object.values(manifest.rendered).flatMap((files) => removeFiles(root, files, manifest)),
    ...removeFiles(root, { ...manifest.files, ...manifest.ejected }, manifest),
    ...removePrompts(root),
  ]
  if (!request.hasUnpublished)
    changes.push(
      ...removeOwnTranscripts(environment, { root, local, clients: request.clients }).map(
        (path): FileChange => ({ path, state: 'removed' }),
      ),
    )
  const hasOthers = isUsedElsewhere(root, local)
  removeManifest(root, local)
  // Only the other worktrees can publish what was said in them.
  const isNeeded = request.hasUnpublished || hasOthers
  removeLocal(local, isNeeded ? 'what can be made again' : 'all', hasOthers ? NEEDED_ELSEWHERE : [])
  if (!isNeeded) forgetLocal(root, local, environment)
  takeOffEverywhere([root], environment)
  removeEmptyFolders(root, [...manifest.folders, PROMPTS, '.workspace', '.workspace/local'])
  // This step is the last one. If the process is killed before it, git still ignores everything.
  const isThere = (path: string) => statInside(root, path.replace(/\/$/, '')) !== undefined
  const hidden = { folders: wasHidden.folders.filter(isThere), files: wasHidden.files.filter(isThere) }
  // All worktrees share the list, so what is hidden in another one stays hidden.
  const stillHidden = {
    folders: hasOthers ? wasHidden.folders : hidden.folders,
    files: [...new Set([...hidden.files, ...manifest.elsewhere])],
  }
  changes.push(...applyVisibility(root, undefined, stillHidden, { alsoHidden: wasHidden.patterns }))
  const reported = changes.filter((change) => change.state !== 'unchanged')
  const journal = request.hasUnpublished ? { journal: localFiles(local).journal } : {}
  return {
    root,
    changes: [...reported, ...ownFiles(root, reported)],
    hidden: [...hidden.folders, ...hidden.files],
    ...journal,
  }
}

/** Whether another worktree is set up, or sessions are bound to one. All worktrees share the local folder. */
function isUsedElsewhere(root: string, local: string): boolean {
  const roots = new Set(listBindings(local).map((binding) => binding.root))
  return hasOtherManifests(root, local) || [...roots].some((one) => one !== root && findRoot(one) === one)
}

/**
 * The paths and patterns of the workspace that git ignores. If the settings cannot be read, these are all of its files.
 */
function hiddenBefore(root: string, manifest: Manifest): Hidden & { patterns: string[] } {
  if (findGitTop(root) === undefined) return { folders: [], files: [], patterns: [] }
  const all = {
    folders: ['.workspace/', 'conversations/'],
    files: [...clientFiles(manifest), ...manifest.elsewhere],
    patterns: [ATTACHMENTS],
  }
  return withDefault(all, () => {
    const { visibility } = loadConfig(root)
    const hidden = hiddenPaths(root, manifest)
    if (visibility !== 'shared') return { ...hidden, patterns: [] }
    const folders = [...loadRegistry(root).values()].map(({ folder }) => folder)
    const patterns = folders.some((folder) => hasAttachments(root, folder)) ? [ATTACHMENTS] : []
    return { folders: [], files: hidden.files, patterns }
  })
}

function hasAttachments(root: string, folder: string): boolean {
  return foldersIn(root, folder)
    .flatMap((day) => foldersIn(root, day))
    .some((path) => statInside(root, `${path}/${RECORD.attachments}`) !== undefined)
}

function foldersIn(root: string, path: string): string[] {
  return listInside(root, path, '').map((name) => `${path}/${name}`)
}

/**
 * Notes the files that this version would write. They are ours, also if another machine has written them, or if the
 * manifest was lost with git's folder.
 */
function noteOurs(root: string, clients: readonly Client[], manifest: Manifest): void {
  // The rehearsal notes in `here` what this machine would have made, or else it would not be removed.
  const rehearsed = { ...structuredClone(manifest), here: manifest.here }
  installSkill(root, rehearsed, { dry: true })
  for (const client of clients) {
    const changes = renderCommands(root, [client], rehearsed, undefined, { dry: true })
    const ours = changes.filter(({ state }) => state === 'unchanged').map(({ path }) => path)
    const written = rehearsed.rendered[client.id] ?? {}
    const found = ours.flatMap((path) =>
      written[path] === undefined ? [] : [[path, written[path]] as const],
    )
    manifest.rendered[client.id] = { ...manifest.rendered[client.id], ...Object.fromEntries(found) }
  }
  for (const visibility of ['private', 'shared'] as const) {
    const text = formatLike({ visibility }, undefined)
    if (readInside(root, CONFIG) === text) noteWritten(manifest, manifest.files, CONFIG, commandHash(text))
  }
}

function removeAllSettings(
  { root, local }: { root: string; local: string },
  clients: readonly Client[],
  manifest: Manifest,
): FileChange[] {
  const changes = clients.flatMap((client) =>
    ownSettings(client, true)
      .filter(({ file }) => mayContainOurs(client, file, manifest))
      .map((own) => removeSettings(root, own.file, own, manifest, local)),
  )
  // What is left is of no client that this version knows: `removeSettings` takes out what it has done.
  const unknown = Object.entries(manifest.settings).map(([path, { client }]): FileChange => {
    return { path, state: 'kept', note: `it belongs to ${client}, which this version does not know` }
  })
  return [...changes, ...unknown]
}

/**
 * Whether a settings file may contain our entries. For a file that has only MCP servers, this is so only if `init
 * --mcp` has written into it.
 */
function mayContainOurs({ settings }: Client, path: string, manifest: Manifest): boolean {
  return manifest.settings[path] !== undefined || settings?.file === path
}

function removeFiles(root: string, files: Record<string, string>, manifest: Manifest): FileChange[] {
  return Object.entries(files).map(([path, hash]) => removeWritten(root, path, hash, manifest))
}

/** Removes the kept versions of commands. A version whose hash is not its name was edited, and stays. */
function removePrompts(root: string): FileChange[] {
  return listInside(root, PROMPTS, '.md').map((name): FileChange => {
    const path = `${PROMPTS}/${name}`
    if (commandHash(readInside(root, path) ?? '') !== `sha256:${name.replace(/\.md$/, '')}`)
      return {
        path,
        state: 'kept',
        note: paste`edited here; if you do not want it: rm ${join(root, path)}`,
      }
    removeInside(root, path)
    return { path, state: 'removed' }
  })
}

/** The person's own prompts, templates and types. They stay, and because of them `.workspace/` stays. */
function ownFiles(root: string, reported: readonly FileChange[]): FileChange[] {
  const inFolders = ['commands', 'templates', 'memory'].flatMap((folder) =>
    listInside(root, `.workspace/${folder}`, '').map((name) => `.workspace/${folder}/${name}`),
  )
  return [...inFolders, ...(statInside(root, REGISTRY) === undefined ? [] : [REGISTRY])]
    .filter((path) => !reported.some((change) => change.path === path))
    .map((path): FileChange => ({ path, state: 'kept', note: 'it is your own' }))
}

/**
 * Removes the transcripts that cortext wrote for recorded sessions, because the client writes none, and folders that
 * are then empty. Their messages are published, and are still in the client's own store. Transcripts of other
 * workspaces stay. Returns absolute paths.
 */
export function removeOwnTranscripts(
  environment: Environment,
  { root, local, clients }: { root: string; local: string; clients: readonly Client[] },
): string[] {
  const ours = clients.filter((client) => client.sessions.refresh !== undefined)
  const paths = listBindings(local).flatMap(({ client: id, native_id, transcript }) => {
    const client = ours.find((one) => one.id === id)
    return client?.sessions.transcriptPath(environment, root, native_id) === transcript ? [transcript] : []
  })
  for (const path of paths) removeTranscript(path)
  return paths
}
