import { CortextError } from '../errors.ts'
import type { Environment } from '../io/environment.ts'
import { type Config, loadConfig } from './config.ts'
import { keptFor, localDir } from './local-folder.ts'
import { type ConversationType, readRegistry } from './registry.ts'
import { findRoot } from './root.ts'

/** An opened workspace, which every journey receives. */
export interface Workspace {
  environment: Environment
  /** The absolute path, with symlinks resolved. */
  root: string
  /** The folder with this machine's own state of the workspace. */
  local: string
  config: Config
  types: Map<string, ConversationType>
  /** What is wrong with types that are left out (readRegistry). */
  wrongTypes: string[]
  /** False when a command has promised to write nothing. Then scans do not update their index either. */
  keepIndex: boolean
}

/**
 * Opens the workspace at or above `folder`. With `looks` nothing is changed in it or on this machine, not even a cache.
 * Throws `no-workspace`, or `corrupt` when its settings cannot be read.
 */
export function openWorkspace(
  environment: Environment,
  folder = environment.cwd,
  { looks = false } = {},
): Workspace {
  const root = findRoot(folder)
  if (root === undefined)
    throw new CortextError(
      'no-workspace',
      `no workspace at or above ${folder}${removedHint(folder, environment)}`,
      {
        fix: 'cortext init',
      },
    )
  const local = localDir(root, environment, { looks })
  const config = loadConfig(root)
  const { types, wrong } = readRegistry(root)
  return { environment, root, local, config, types, wrongTypes: wrong, keepIndex: !looks }
}

/** A remark when `git clean -x` has removed a private workspace here; otherwise empty. */
function removedHint(folder: string, environment: Environment): string {
  const root = keptFor(folder, environment)
  return root === undefined ? '' : `; the one that was in ${root} can come back`
}

/**
 * Opens a workspace again for a process that has waited for long: meanwhile a repository may have been made around it,
 * and another process may have moved this machine's state there.
 */
export function openAgain(ws: Workspace): Workspace {
  return { ...ws, local: localDir(ws.root, ws.environment, { looks: !ws.keepIndex }) }
}
