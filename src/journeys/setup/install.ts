import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Client } from '../../clients/contract/client.ts'
import { goneConversations } from '../../conversation/worktrees.ts'
import type { Environment } from '../../io/environment.ts'
import { readInside } from '../../io/inside.ts'
import { processesIn } from '../../io/process.ts'
import { bringBackWorkspaceFiles, keepWorkspaceFiles } from '../../store/machine/copies.ts'
import { CONFIG, loadConfig, rawConfig, type Visibility, writeConfig } from '../../workspace/config.ts'
import { putOnList } from '../../workspace/everywhere.ts'
import { hasRemote, isTracked } from '../../workspace/git/index.ts'
import { localDir } from '../../workspace/local-folder.ts'
import { formatLike } from '../../workspace/merge/json-file.ts'
import { commandHash } from '../../workspace/pack/commands.ts'
import { installPack, renderCommands } from '../../workspace/pack/index.ts'
import {
  type FileChange,
  type Manifest,
  noteWritten,
  readManifest,
  writeInto,
  writeManifest,
} from '../../workspace/pack/manifest.ts'
import { namesServersBesides, ownSettings } from '../../workspace/pack/own-settings.ts'
import { applySettings, planSettings, removeSettings } from '../../workspace/pack/settings.ts'
import { loadRegistry } from '../../workspace/registry.ts'
import { findGitTop, findRoot, makeRoot } from '../../workspace/root.ts'
import { applyVisibility, hiddenPaths } from '../../workspace/visibility.ts'

export interface InstallRequest {
  /** Default: the workspace that contains the cwd, else the cwd. The folder is made if it is missing. */
  dir?: string
  /** The clients to set up. Other clients that were set up earlier stay as they are. */
  clients: readonly Client[]
  /** `--shared` or `--private`. Absent: the workspace keeps its visibility. */
  visibility?: Visibility
  /** Called once, for a new workspace in a repository that has a remote. Absent: the workspace is private. */
  ask?: () => Promise<Visibility>
  /** Adds our MCP server (`cortext mcp`) to the clients' settings; false removes it. Absent: it stays as it is. */
  mcp?: boolean
  /**
   * Makes the skill that tells an agent how to look things up. Absent: the skill is updated if the workspace has it.
   */
  skill?: boolean
  /** The folder of the prompt pack. Default: the shipped pack. */
  pack?: string
}

export interface InstallReport {
  root: string
  visibility: Visibility
  /** False: the folder is not in a git repository, so nothing can be committed. */
  git: boolean
  /** False: `redact` is off in the settings, so secrets stay in what is saved. */
  redact: boolean
  /** Files of an earlier workspace in this folder that were restored from the local folder. */
  back: string[]
  /** Conversations whose folders are gone and that this machine can bring back. */
  gone: string[]
  /** Running clients. They were started before this run, so they have not read the files that it wrote. */
  running: { client: string; pid: number }[]
  /** Every file that `init` checks or writes, in the order in which it does so. */
  changes: FileChange[]
}

/**
 * Makes, completes or updates a workspace. It loses no edit of the person and changes nothing when it is run again.
 * Throws `corrupt`, `unreadable` or `refused` for a file that it cannot read or add to (settings, config, registry, its
 * own manifest); then nothing was written. After an interruption, the next run completes the workspace.
 */
export async function install(environment: Environment, request: InstallRequest): Promise<InstallReport> {
  const { clients, pack } = request
  const root = prepareRoot(environment, request.dir)
  const localBefore = localDir(root, environment, { looks: true })
  // `git clean -x` removes a private workspace, with everything that the person has edited in it.
  const back = rawConfig(root).visibility === undefined ? bringBackWorkspaceFiles(localBefore, root) : []
  const manifest = readManifest(root, localBefore)
  const { redact } = loadConfig(root)
  loadRegistry(root, pack)
  const visibility = await chooseVisibility(environment, root, request)
  const settings = clients.flatMap((client) =>
    ownSettings(client, request.mcp).map((own) =>
      planSettings(root, client.id, own, visibility === 'shared'),
    ),
  )
  rehearse(root, request, manifest, visibility)

  const changes = [
    ...installPack(root, manifest, pack, false, request.skill),
    installConfig(root, visibility, manifest),
    ...renderCommands(root, clients, manifest, pack),
    ...(await noteTracked(
      environment,
      root,
      visibility,
      settings.map((plan) => applySettings(root, plan, manifest, environment)),
    )),
    ...clients.flatMap((client) => removeFromOtherFile(environment, root, client, visibility, manifest)),
    ...(request.mcp === false ? clients : []).flatMap((client) =>
      removeServers(environment, root, client, manifest),
    ),
  ]
  const { program } = environment
  changes.push(...applyVisibility(root, visibility, hiddenPaths(root, manifest, pack), { program }))
  const local = localDir(root, environment)
  writeManifest(root, manifest, local)
  keepWorkspaceFiles(local, root)
  putOnList(root, environment)
  const gone = goneConversations(root, local)
  return {
    root,
    visibility,
    git: findGitTop(root) !== undefined,
    redact,
    changes,
    back,
    gone,
    running: runningBefore(root, clients, changes),
  }
}

/**
 * Returns the clients that run here, if files have changed. These clients have read the old commands and hooks, so a
 * slash command of ours may be plain text to them.
 */
function runningBefore(
  root: string,
  clients: readonly Client[],
  changes: readonly FileChange[],
): InstallReport['running'] {
  if (!changes.some(({ state }) => state === 'made' || state === 'updated')) return []
  const ids = clients.map(({ id }) => id)
  return processesIn(root, ids).map(({ pid, name }) => ({ client: name, pid }))
}

/**
 * Runs the later steps without writing, so that a file that cannot be read or added to stops `init` before it writes.
 */
function rehearse(
  root: string,
  { clients, pack, skill }: InstallRequest,
  manifest: Manifest,
  visibility: Visibility,
): void {
  const copy = structuredClone(manifest)
  installPack(root, copy, pack, true, skill)
  renderCommands(root, clients, copy, pack, true)
  applyVisibility(root, visibility, hiddenPaths(root, copy, pack), { dry: true })
}

function prepareRoot(environment: Environment, dir: string | undefined): string {
  if (dir === undefined) return findRoot(environment.cwd) ?? realpathSync(environment.cwd)
  return makeRoot(resolve(environment.cwd, dir))
}

async function chooseVisibility(
  environment: Environment,
  root: string,
  request: InstallRequest,
): Promise<Visibility> {
  if (request.visibility !== undefined) return request.visibility
  if (rawConfig(root).visibility !== undefined) return loadConfig(root).visibility
  // If git fails, the repository is treated as if it had a remote.
  const seenByOthers = await hasRemote(root, environment.env).catch(() => true)
  if (!seenByOthers) return 'shared'
  return request.ask === undefined ? 'private' : request.ask()
}

/** Sets only the visibility in the settings, and only when it differs, because the settings belong to the person. */
function installConfig(root: string, visibility: Visibility, manifest: Manifest): FileChange {
  const path = CONFIG
  const before = readInside(root, path)
  if (before === undefined) writeInto(root, path, '', manifest)
  writeConfig(root, { visibility })
  const after = readInside(root, path) ?? ''
  const unedited = before === undefined || commandHash(before) === manifest.files[path]
  if (unedited || after === formatLike({ visibility }, undefined))
    noteWritten(manifest, manifest.files, path, commandHash(after))
  if (before === undefined) return { path, state: 'made' }
  return { path, state: before === after ? 'unchanged' : 'updated' }
}

/**
 * Adds a note to changes of a settings file that git tracks already. Such a file cannot be hidden from git, and some
 * clients read no other settings file of a project, so the person has to know that our entries show as a change.
 */
function noteTracked(
  environment: Environment,
  root: string,
  visibility: Visibility,
  changes: readonly FileChange[],
): Promise<FileChange[]> {
  return Promise.all(
    changes.map(async (change) => {
      const shows = visibility === 'private' && change.state !== 'unchanged'
      if (!shows || !(await isTracked(root, environment.env, change.path))) return change
      return { ...change, note: 'git tracks it: our entries show as a change; keep them out of your commits' }
    }),
  )
}

/** Removes our entries from the other settings file after a change of visibility. Otherwise hooks would run twice. */
function removeFromOtherFile(
  environment: Environment,
  root: string,
  client: Client,
  visibility: Visibility,
  manifest: Manifest,
): FileChange[] {
  const { settings: own } = client
  if (own === undefined) return []
  const other = own.file(visibility !== 'shared')
  if (other === own.file(visibility === 'shared') || manifest.settings[other] === undefined) return []
  return [removeSettings(root, other, own, manifest, environment)]
}

/** Removes our server from a separate file of servers, if an earlier `init --mcp` has written it. */
function removeServers(
  environment: Environment,
  root: string,
  client: Client,
  manifest: Manifest,
): FileChange[] {
  const { mcpEntry } = client
  if (mcpEntry === undefined || !namesServersBesides(client)) return []
  const path = mcpEntry.file(true)
  if (manifest.settings[path] === undefined) return []
  return [removeSettings(root, path, mcpEntry, manifest, environment)]
}
