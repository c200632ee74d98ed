import { CortextError } from '../errors.ts'
import type { Environment } from '../io/environment.ts'
import { type Config, loadConfig } from './config.ts'
import { keptFor, localDir } from './local-folder.ts'
import { type ConversationType, readRegistry } from './registry.ts'
import { otherCopies } from './repository.ts'
import { findRoot } from './root.ts'
import { leftOutWorkspace } from './sparse.ts'

/** An opened workspace. Every journey gets one. */
export interface Workspace {
  environment: Environment
  /** The absolute path, with symlinks resolved. */
  root: string
  /** The local folder. */
  local: string
  config: Config
  types: Map<string, ConversationType>
  /** What is wrong with the types in the registry that are left out; see readRegistry. */
  wrongTypes: string[]
  /** Whether other worktrees of the repository may have newer copies of the conversations: those of a private workspace. */
  hasCopies: boolean
  /** False for a command that promises to write nothing. Then scans do not write their index either. */
  mayWrite: boolean
}

/**
 * Opens the workspace at or above `folder`. With `looks`, nothing is written, not even a cache. Throws `no-workspace`,
 * or `corrupt` when its settings or its registry are not valid.
 */
export function openWorkspace(
  environment: Environment,
  folder = environment.cwd,
  { looks = false } = {},
): Workspace {
  const root = findRoot(folder)
  if (root === undefined) {
    const leftOut = leftOutWorkspace(folder)
    throw new CortextError(
      'no-workspace',
      `no workspace at or above ${folder}${leftOut === undefined ? removedHint(folder, environment) : '; git has one that your sparse checkout leaves out'}`,
      { fix: leftOut === undefined ? 'cortext init' : `${leftOut} && cortext init` },
    )
  }
  const local = localDir(root, environment, { looks })
  const config = loadConfig(root)
  const { types, wrong } = readRegistry(root)
  const hasCopies = config.visibility !== 'shared' && otherCopies(root).length > 0
  return { environment, root, local, config, types, wrongTypes: wrong, hasCopies, mayWrite: !looks }
}

/** A remark for a person whose workspace `git clean -x` has removed; otherwise empty. */
export function removedHint(folder: string, environment: Environment): string {
  const root = keptFor(folder, environment)
  return root === undefined ? '' : `; the one that was in ${root} can come back`
}

/**
 * Finds the local folder of an opened workspace again. A process that has waited for long needs this: meanwhile the
 * person may have made a repository around the workspace, and another process may have moved the local folder into it.
 */
export function openAgain(ws: Workspace): Workspace {
  return { ...ws, local: localDir(ws.root, ws.environment, { looks: !ws.mayWrite }) }
}
