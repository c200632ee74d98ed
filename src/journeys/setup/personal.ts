import { join } from 'node:path'
import type { Client } from '../../clients/contract/client.ts'
import { CortextError, withDefault } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { listRoots } from '../../workspace/everywhere.ts'
import { localDir } from '../../workspace/local-folder.ts'
import { type FileChange, readManifest } from '../../workspace/pack/manifest.ts'
import { installPersonal, personalPlaces, removePersonal } from '../../workspace/pack/personal.ts'

export interface PersonalReport {
  clients: PersonalClient[]
  /** The workspaces of this person that still have files of their own for one of these clients. */
  also: string[]
}

interface PersonalClient {
  /** The id of the client. */
  client: string
  /** The client's own folder. */
  folder: string
  /** Every file that was checked, written or removed, by its absolute path. */
  changes: FileChange[]
}

/**
 * Sets up clients for all workspaces, in the person's own settings. Needs no workspace. Keeps all edits of the person,
 * and changes nothing when it runs again. Throws `refused` for a client that can have no personal set-up, and `corrupt`,
 * `refused`, `unreadable` or `unsafe-path` if it cannot read a file or add something to it; nothing is written then.
 */
export function setUpPersonal(
  environment: Environment,
  { clients, pack }: { clients: readonly Client[]; pack?: string },
): PersonalReport {
  const without = clients.find(({ personal }) => personal === undefined)
  if (without !== undefined)
    throw new CortextError('refused', `${without.name} cannot be set up for all workspaces`, {
      fix: 'in each workspace: cortext init',
    })
  const places = personalPlaces(environment, clients)
  const options = pack === undefined ? {} : { pack }
  for (const place of places) installPersonal(place, { ...options, dry: true })
  const made = places.map((place) =>
    reported({ client: place.client.id, root: place.root, changes: installPersonal(place, options) }),
  )
  return { clients: made, also: alsoSetUp(environment, clients) }
}

/** Takes back what `setUpPersonal` has made, for all clients of this person. Throws what it throws. */
export function takeBackPersonal(
  environment: Environment,
  { clients, pack }: { clients: readonly Client[]; pack?: string },
): PersonalClient[] {
  return removePersonal(environment, clients, pack).map(reported)
}

function reported({
  client,
  root,
  changes,
}: {
  client: string
  root: string
  changes: readonly FileChange[]
}): PersonalClient {
  const absolute = changes.map((change) => ({ ...change, path: join(root, change.path) }))
  return { client, folder: root, changes: absolute }
}

/** A workspace that is damaged or gone is left out: `doctor` says what is wrong there. */
function alsoSetUp(environment: Environment, clients: readonly Client[]): string[] {
  const hasFiles = (root: string) => {
    const { rendered } = readManifest(root, localDir(root, environment, { looks: true }))
    return clients.some(({ id }) => Object.keys(rendered[id] ?? {}).length > 0)
  }
  return listRoots(environment).filter((root) => withDefault(false, () => hasFiles(root)))
}
