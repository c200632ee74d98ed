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
}

/** The workspace at or above the place's cwd. Throws `no-workspace`. */
export function openWorkspace(environment: Environment, folder = environment.cwd): Workspace {
  const root = findRoot(folder)
  if (root === undefined)
    throw new CortextError('no-workspace', `no workspace at or above ${folder}`, { fix: 'cortext init' })
  return { environment, root, local: localDir(root), config: loadConfig(root), types: loadRegistry(root) }
}
