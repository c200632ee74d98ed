import type { Client } from '../../../clients/contract/client.ts'
import { clientList, clientOf } from '../../../clients/index.ts'
import type { Environment } from '../../../io/environment.ts'
import { setUpPersonal, takeBackPersonal } from '../../../journeys/setup/personal.ts'
import { paste } from '../../../text/paste.ts'
import type { FileChange } from '../../../workspace/pack/manifest.ts'
import { tableOf } from '../../conversation-lines.ts'
import { shortPath } from '../../everywhere.ts'
import { sayJson, sayWrapped } from '../../print.ts'
import { changeLines, statesOf } from './changes.ts'
import { firstCommand, installedOrAll, whatIsAsked, whatRunsUnasked } from './words.ts'

interface Options {
  in?: string[]
  verbose?: boolean
  json?: boolean
}

/** Sets up clients in the person's own settings, for all workspaces. */
export function initPersonal(environment: Environment, options: Options) {
  const clients =
    options.in?.map(clientOf) ?? installedOrAll(environment).filter(({ personal }) => personal !== undefined)
  const report = setUpPersonal(environment, { clients })
  if (options.json) return sayJson(report)
  const changes = report.clients.flatMap((one) => one.changes)
  const isNew = ({ state }: FileChange) => state === 'made' || state === 'updated'
  sayWrapped(
    'Set up for all your workspaces:',
    '',
    linesOf(environment, report.clients, options),
    '',
    'In a folder that is no workspace nothing is recorded. To make one: cortext init there. It then needs no files for these clients.',
    whatRunsUnasked(clients).map((line) => line.replace(' unasked,', ' unasked, in every folder,')),
    changes.some(isNew) ? ['A client that already runs has not loaded this: end it and start it again.'] : [],
    alsoLines(report.also, clients),
    whatIsAsked(
      clients.flatMap(({ id, personal }) =>
        report.clients.some((one) => one.client === id && one.changes.some(isNew))
          ? [personal?.settings?.trustQuestion]
          : [],
      ),
    ),
    '',
    `Then, in a workspace: ${firstCommand(clients)}`,
  )
}

/** Takes back what `init --personal` has made. */
export function uninstallPersonal(environment: Environment, options: Options) {
  const clients = takeBackPersonal(environment, { clients: clientList() })
  if (options.json) return sayJson({ clients })
  if (clients.length === 0) return sayWrapped('Nothing was set up for all your workspaces.')
  sayWrapped(
    'No longer set up for all your workspaces:',
    '',
    linesOf(environment, clients, options),
    '',
    'Workspaces and conversations stay as they are. A workspace without files of its own for a client gets them by: cortext init',
  )
}

interface Changed {
  client: string
  folder: string
  changes: FileChange[]
}

function linesOf(environment: Environment, clients: readonly Changed[], { verbose }: Options): string[] {
  const changes = clients.flatMap((one) => one.changes)
  if (verbose) return changeLines(changes)
  const changed = clients.filter((one) => one.changes.some(({ state }) => state !== 'unchanged'))
  const rows = tableOf([
    { cells: changed.map(({ client }) => clientOf(client).name) },
    { cells: changed.map((one) => statesOf(one.changes)) },
    { cells: changed.map(({ folder }) => `${shortPath(folder, environment)}/`) },
  ])
  // Unchanged files are counted, and a file with a note is named.
  const named = changes.filter(({ state, note }) => state === 'unchanged' || note !== undefined)
  return [...rows.map((row) => `  ${row}`), ...changeLines(named)]
}

function alsoLines(roots: readonly string[], clients: readonly Client[]): string[] {
  const [first] = roots
  if (first === undefined) return []
  const count = roots.length === 1 ? 'One workspace has' : `${roots.length} workspaces have`
  const clashes = clients.flatMap(({ personal }) => personal?.clash ?? []).map((clash) => ` (${clash})`)
  return [
    `${count} files for these clients too, which you do not need any more${clashes.join('')}. To take them back: ${roots
      .slice(0, MAX_NAMED)
      .map((root) => paste`cortext init ${root}`)
      .join(', ')}${roots.length > MAX_NAMED ? ', …' : ''}`,
  ]
}

const MAX_NAMED = 4
