import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Client } from '../../clients/contract/client.ts'
import type { OwnSettings } from '../../clients/contract/settings.ts'
import { goneConversations } from '../../conversation/worktrees.ts'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { readInside, writeInside } from '../../io/inside.ts'
import { processesIn } from '../../io/process.ts'
import { findProgram } from '../../io/program.ts'
import { realFolder } from '../../io/real-folder.ts'
import { bringBackWorkspaceFiles, keepWorkspaceFiles } from '../../store/machine/copies.ts'
import { CONFIG, loadConfig, rawConfig, type Visibility, writeConfig } from '../../workspace/config.ts'
import { putOnList } from '../../workspace/everywhere.ts'
import { hasRemote, isTracked, removedBelow, seenByGit } from '../../workspace/git/index.ts'
import { localDir } from '../../workspace/local-folder.ts'
import { formatLike } from '../../workspace/merge/json-file.ts'
import { commandHash } from '../../workspace/pack/commands.ts'
import { installSkill, renderCommands } from '../../workspace/pack/index.ts'
import {
  type FileChange,
  type Manifest,
  noteWritten,
  readManifest,
  writeInto,
  writeManifest,
} from '../../workspace/pack/manifest.ts'
import { namesServersBesides, ownServer, ownSettings } from '../../workspace/pack/own-settings.ts'
import { personalIds } from '../../workspace/pack/personal.ts'
import {
  applySettings,
  planSettings,
  readSettings,
  removeSettings,
  type SettingsPlan,
} from '../../workspace/pack/settings.ts'
import { loadRegistry } from '../../workspace/registry.ts'
import { findRefused, type Refused } from '../../workspace/repository.ts'
import { findGitTop, findRoot, makeRoot } from '../../workspace/root.ts'
import { applyVisibility, guardFolders, hiddenPaths } from '../../workspace/visibility.ts'

export interface InstallRequest {
  /** Default: the workspace at or above the working folder, else the working folder. A missing folder is made. */
  dir?: string
  /** The clients to set up. Clients that were set up earlier stay set up. */
  clients: readonly Client[]
  /** `--shared` or `--private`. Absent: the workspace keeps its visibility. */
  visibility?: Visibility
  /** Asks for the visibility of a new workspace in a repository with a remote. Absent: the workspace is private. */
  ask?: () => Promise<Visibility>
  /** True adds our MCP server (`cortext mcp`) to the clients' settings, false removes it. Absent: nothing changes. */
  mcp?: boolean
  /**
   * True makes the skill, with which an agent learns to look things up. In any case, a skill that is there is updated.
   */
  skill?: boolean
  /** The folder of the prompt pack. Default: the shipped pack. */
  pack?: string
}

export interface InstallReport {
  root: string
  visibility: Visibility
  /** Whether the workspace is in a git repository. If not, nothing can be committed. */
  git: boolean
  /** Why not, if git refuses the repository. */
  refused?: Pick<Refused, 'refused' | 'fix'>
  /** The setting `redact`. If it is false, secrets stay in what is saved. */
  redact: boolean
  /** What git does not see, relative to the root. Folders end in a slash. */
  unseen: string[]
  /** Files of an earlier workspace in this folder that `init` has restored, from git or from the local folder. */
  back: string[]
  /** Conversations whose folders are gone, and that this machine can bring back. */
  gone: string[]
  /** The ids of the clients whose personal set-up serves this workspace too, so that it has no files for them. */
  personal: string[]
  /** Running clients that have not read the new files yet. */
  running: { client: string; pid: number }[]
  /** Every file that `init` has checked or written, in this order. */
  changes: FileChange[]
}

/**
 * Makes, completes or updates a workspace. Keeps all edits of the person, and changes nothing when it runs again. If it
 * is killed, the next run does the rest. Throws `corrupt`, `unreadable` or `refused` if it cannot read a file or add
 * something to it, such as settings, the registry or the manifest, and for the home folder; then nothing is written but
 * what comes back of a private workspace.
 */
export async function install(environment: Environment, request: InstallRequest): Promise<InstallReport> {
  const { clients, pack } = request
  const root = prepareRoot(environment, request.dir)
  const localBefore = localDir(root, environment, { looks: true })
  // `git clean -x` may have removed a private workspace with all that the person has edited in it.
  const back =
    rawConfig(root).visibility === undefined
      ? [...(await bringBackTracked(environment, root)), ...bringBackWorkspaceFiles(localBefore, root)]
      : []
  const manifest = readManifest(root, localBefore)
  const { redact } = loadConfig(root)
  loadRegistry(root, pack)
  const visibility = await chooseVisibility(environment, root, request)
  const personal = personalIds(environment, clients)
  const settings = clients
    .flatMap((client) =>
      settingsOf(root, client, request.mcp, personal).map((own) => planSettings(root, client.id, own)),
    )
    // Clients that read one file (`.mcp.json`) have the same entry there.
    .filter(({ path }, at, all) => all.findIndex((plan) => plan.path === path) === at)
  rehearse(root, request, { manifest, visibility, personal })
  const local = localDir(root, environment)

  const changes = [
    ...installSkill(root, manifest, { pack, isAsked: request.skill }),
    installConfig(root, visibility, manifest),
    ...renderCommands(root, clients, manifest, pack, { personal }),
    ...(await noteTracked(
      environment,
      root,
      settings.map((plan) => applySettings(root, plan, manifest, local)),
    )),
    ...clients
      .filter(({ id }) => personal.has(id))
      .flatMap((client) => removeReplaced({ root, local }, client, settings, manifest)),
    ...(request.mcp === false ? clients : []).flatMap((client) =>
      removeServers({ root, local }, client, manifest),
    ),
  ]
  const { program } = environment
  const hidden = hiddenPaths(root, manifest, pack)
  changes.push(...applyVisibility(root, visibility, hidden, { program }))
  if (visibility === 'private')
    changes.push(...guardFolders(root, await foldersSeen(root, environment, hidden.folders)))
  writeManifest(root, manifest, local)
  keepWorkspaceFiles(local, root)
  putOnList(root, environment)
  const gone = goneConversations(root, local)
  const found = findRefused(root)
  return {
    root,
    visibility,
    git: findGitTop(root) !== undefined,
    ...(found === undefined ? {} : { refused: { refused: found.refused, fix: found.fix } }),
    redact,
    changes,
    unseen: visibility === 'shared' ? hidden.files : [...hidden.folders, ...hidden.files],
    back,
    gone,
    personal: [...personal],
    running: runningBefore(root, clients, changes),
  }
}

/** Writes the files of `.workspace/` that git tracks and that `uninstall` has removed. Without git there are none. */
async function bringBackTracked(environment: Environment, root: string): Promise<string[]> {
  const removed = await removedBelow({ root, environment }, '.workspace').catch(() => [])
  for (const { path, text } of removed) writeInside(root, path, text)
  return removed.map(({ path }) => path)
}

/** Without git, or if git fails, no folder is returned: `doctor` reports a git that fails. */
async function foldersSeen(
  root: string,
  environment: Environment,
  folders: readonly string[],
): Promise<string[]> {
  if (findGitTop(root) === undefined || findProgram('git', environment.env) === undefined) return []
  return seenByGit({ root, environment }, folders).catch(() => [])
}

/**
 * Returns the clients that run in the workspace, if files have changed. They have read the old commands and hooks, so
 * they may take a slash command of ours for plain text.
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

/** Runs the next steps without writing. So if a file cannot be read, `init` fails before it has written anything. */
function rehearse(
  root: string,
  { clients, pack, skill }: InstallRequest,
  {
    manifest,
    visibility,
    personal,
  }: { manifest: Manifest; visibility: Visibility; personal: ReadonlySet<string> },
): void {
  const copy = structuredClone(manifest)
  installSkill(root, copy, { pack, dry: true, isAsked: skill })
  renderCommands(root, clients, copy, pack, { dry: true, personal })
  applyVisibility(root, visibility, hiddenPaths(root, copy, pack), { dry: true })
}

function prepareRoot(environment: Environment, dir: string | undefined): string {
  const root = dir === undefined ? rootFor(environment.cwd) : makeRoot(resolve(environment.cwd, dir))
  const found = findRefused(root)
  if (found?.bare) throw new CortextError('refused', found.refused, { fix: found.fix })
  if (root === realFolder(environment.home) && findRoot(root) !== root)
    throw new CortextError(
      'refused',
      `${root} is your home folder: every folder in it would belong to this workspace, and its hooks would go into the clients' own settings`,
      { fix: 'cortext init ~/notes' },
    )
  return root
}

/** The workspace around a folder, or else the folder. Not one that is above the worktrees of a bare repository. */
function rootFor(folder: string): string {
  const [root, top] = [findRoot(folder), findGitTop(folder)]
  return (root !== undefined && findRefused(root)?.bare ? top : root) ?? realpathSync(folder)
}

async function chooseVisibility(
  environment: Environment,
  root: string,
  request: InstallRequest,
): Promise<Visibility> {
  if (request.visibility !== undefined) return request.visibility
  if (rawConfig(root).visibility !== undefined) return loadConfig(root).visibility
  // If git fails, there may be a remote.
  const seenByOthers = await hasRemote({ root, environment }).catch(() => true)
  if (!seenByOthers) return 'shared'
  return request.ask === undefined ? 'private' : request.ask()
}

/** Writes the visibility into the settings, if it differs. Everything else in the settings belongs to the person. */
function installConfig(root: string, visibility: Visibility, manifest: Manifest): FileChange {
  const path = CONFIG
  const before = readInside(root, path)
  // Notes the folders that are made for it, so that `uninstall` removes them.
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
 * Adds a note to the change of a settings file that git tracks. Git cannot ignore such a file, and some clients have no
 * other settings file for a project. So `git status` shows our entries as a change, and the person must know why.
 */
function noteTracked(
  environment: Environment,
  root: string,
  changes: readonly FileChange[],
): Promise<FileChange[]> {
  return Promise.all(
    changes.map(async (change) => {
      if (change.state === 'unchanged' || !(await isTracked({ root, environment }, change.path)))
        return change
      return { ...change, note: 'git tracks it: our entries show as a change; keep them out of your commits' }
    }),
  )
}

/** The settings files of the workspace that get entries of ours. */
function settingsOf(
  root: string,
  client: Client,
  mcp: boolean | undefined,
  personal: ReadonlySet<string>,
): OwnSettings[] {
  if (!personal.has(client.id)) return ownSettings(client, mcp)
  const { mcpEntry } = client
  const present = mcpEntry === undefined ? undefined : readSettings(root, mcpEntry.file, mcpEntry)
  return ownServer(client, mcp, present ?? {})
}

/** Removes our hooks from the settings of the workspace, because the person's own settings have them. */
function removeReplaced(
  { root, local }: { root: string; local: string },
  client: Client,
  planned: readonly SettingsPlan[],
  manifest: Manifest,
): FileChange[] {
  if (client.settings === undefined) return []
  // The hooks come first, with the server if both are in one file.
  const [own] = ownSettings(client, true)
  return [client.settings.file]
    .filter((path) => manifest.settings[path] !== undefined && planned.every((plan) => plan.path !== path))
    .map((path) => removeSettings(root, path, own!, manifest, local))
}

/** Removes our MCP server, if the client has a file of its own for servers and `init --mcp` has written into it. */
function removeServers(
  { root, local }: { root: string; local: string },
  client: Client,
  manifest: Manifest,
): FileChange[] {
  const { mcpEntry } = client
  if (mcpEntry === undefined || !namesServersBesides(client)) return []
  const path = mcpEntry.file
  if (manifest.settings[path] === undefined) return []
  return [removeSettings(root, path, mcpEntry, manifest, local)]
}
