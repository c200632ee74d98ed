import { resolve } from 'node:path'
import { clientList } from '../../clients/index.ts'
import type { Environment } from '../../io/environment.ts'
import { publishAll } from '../../journeys/recording/publish-all.ts'
import { uninstall } from '../../journeys/setup/uninstall.ts'
import { oneLine } from '../../text/line.ts'
import { openWorkspace } from '../../workspace/open.ts'
import { sayJson, sayWrapped } from '../print.ts'
import { changeLines, changesInShort } from './init/changes.ts'
import { uninstallPersonal } from './init/personal.ts'

/** Publishes what only the journal contains, so that nothing is lost. Then removes what `init` has put in. */
export async function uninstallVerb(
  environment: Environment,
  dir: string | undefined,
  options: { personal?: boolean; verbose?: boolean; json?: boolean },
) {
  if (options.personal) return uninstallPersonal(environment, options)
  const ws = openWorkspace(environment, resolve(environment.cwd, dir ?? '.'))
  const { failed } = await publishAll(ws)
  const report = uninstall(environment, {
    dir: ws.root,
    clients: clientList(),
    hasUnpublished: failed.length > 0,
  })
  if (options.json) return sayJson({ ...report, failed })
  const changes = options.verbose ? changeLines(report.changes) : changesInShort(report.changes)
  sayWrapped(`No longer a workspace: ${oneLine(report.root)}`, '', changes)
  sayWrapped('', 'The conversations stay as they are: plain files.')
  if (report.hidden.length > 0)
    sayWrapped(`Git did not see these, and .git/info/exclude still hides them: ${inShort(report.hidden)}`)
  if (report.journal !== undefined)
    sayWrapped(`Not everything could be saved (${inShort(failed)}); the journal stays: ${report.journal}`)
}

function inShort(paths: readonly string[]): string {
  const shown = paths.slice(0, MAX_NAMED).map(oneLine).join(', ')
  return paths.length > MAX_NAMED ? `${shown} and ${paths.length - MAX_NAMED} more` : shown
}

const MAX_NAMED = 4
