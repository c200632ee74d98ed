import { CortextError } from '../../../errors.ts'
import type { Environment } from '../../../io/environment.ts'
import { install } from '../../../journeys/setup/install.ts'
import { openWorkspace, type Workspace } from '../../../workspace/open.ts'
import { addressOf } from '../../../workspace/places/address.ts'
import { findRoot } from '../../../workspace/root.ts'
import { leftOutWorkspace } from '../../../workspace/sparse.ts'
import { sayWrapped } from '../../print.ts'
import { whatWasDone } from '../init/index.ts'
import { installedOrAll } from '../init/words.ts'

export const HOW_TO_UNDO = 'If this was the wrong folder: cortext uninstall, there.'

/**
 * Makes a private workspace, as `init` does, where there is none: a new machine then needs this one command. Nothing is
 * looked for at the place of the person's other workspaces. Returns its root, if it was made. Throws `usage` for a wrong
 * address, and what `install` throws.
 */
export async function setUp(
  environment: Environment,
  to: string,
  json?: boolean,
): Promise<string | undefined> {
  if (!isNone(environment)) return undefined
  // Nothing is made for an address that is refused.
  addressOf(to, environment.cwd)
  const clients = installedOrAll(environment)
  const report = await install(environment, { clients, visibility: 'private' })
  if (!json) sayWrapped(whatWasDone(report, clients), '')
  return report.root
}

/** Opens the workspace. Throws `no-workspace`: a new machine may need the place, not `init`. */
export function openToSync(environment: Environment): Workspace {
  try {
    return openWorkspace(environment)
  } catch (error) {
    if (!(error instanceof CortextError) || !isNone(environment)) throw error
    throw new CortextError(error.code, error.message, {
      fix: 'in a clone of the project: cortext sync --to <place>, which makes one; or without a place: cortext init',
    })
  }
}

/** Whether there is no workspace, nor one that a sparse checkout leaves out. */
function isNone({ cwd }: Environment): boolean {
  return findRoot(cwd) === undefined && leftOutWorkspace(cwd) === undefined
}
