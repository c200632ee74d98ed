import { CortextError } from '../errors.ts'
import type { Environment } from '../io/environment.ts'
import { type Config, loadConfig } from './config.ts'
import { type ConversationType, loadRegistry } from './registry.ts'
import { findRoot, localDir } from './root.ts'

/** An opened workspace: what every journey is given. */
export interface Workspace {
  environment: Environment
  /** Absolute, symlinks resolved. */
  root: string
  /** This machine's own state of it. */
  local: string
  config: Config
  types: Map<string, ConversationType>
  /** False where a command has promised to write nothing: then scans do not keep what they have read either. */
  keepIndex: boolean
}

/** The workspace at or above a folder, by default the working folder. Throws `no-workspace`. */
export function openWorkspace(environment: Environment, folder = environment.cwd): Workspace {
  const root = findRoot(folder)
  if (root === undefined)
    throw new CortextError('no-workspace', `no workspace at or above ${folder}`, { fix: 'cortext init' })
  const [local, config, types] = [localDir(root), loadConfig(root), loadRegistry(root)]
  return { environment, root, local, config, types, keepIndex: true }
}

/** The same workspace for a command that only looks: nothing in it is changed, no cache either. */
export function onlyLooking(ws: Workspace): Workspace {
  return { ...ws, keepIndex: false }
}
