import { resolve } from 'node:path'
import { clientList, readerOf } from '../../clients/index.ts'
import type { Environment } from '../../io/environment.ts'
import { countNotSaved } from '../../journeys/not-saved/sessions.ts'
import { publishAll } from '../../journeys/recording/publish-all.ts'
import { uninstall } from '../../journeys/setup/uninstall.ts'
import { countOf } from '../../text/count-of.ts'
import { oneLine } from '../../text/line.ts'
import { removedBelow } from '../../workspace/git/index.ts'
import { openWorkspace } from '../../workspace/open.ts'
import { confirm } from '../ask.ts'
import { inShort, note, sayJson, sayWrapped } from '../print.ts'
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
  const notSaved = countNotSaved(ws)
  if (!options.json && notSaved.length > 0) {
    note(
      notSaved.map(
        ({ client, sessions, command }) =>
          `${countOf(sessions, 'session')} of ${readerOf(client).name} ${sessions === 1 ? 'is' : 'are'} in no conversation here. To save ${sessions === 1 ? 'it' : 'them'} first: ${command}`,
      ),
    )
    if (environment.interactive && !(await confirm('Uninstall without saving them?'))) return
  }
  const report = uninstall(environment, {
    dir: ws.root,
    clients: clientList(),
    hasUnpublished: failed.length > 0,
  })
  if (options.json) return sayJson({ ...report, failed, not_saved: notSaved })
  const changes = options.verbose ? changeLines(report.changes) : changesInShort(report.changes)
  sayWrapped(`No longer a workspace: ${oneLine(report.root)}`, '', changes)
  sayWrapped('', 'The conversations stay as they are: plain files.')
  if ((await removedBelow(ws, '.workspace').catch(() => [])).length > 0)
    sayWrapped(
      'Git has .workspace/ for everybody: a commit of what was removed ends the workspace for them too.',
    )
  if (notSaved.length > 0)
    sayWrapped(
      `What is in no conversation stays with its client. To save it later: cortext init, then ${notSaved.map(({ command }) => command).join(', ')}`,
    )
  if (report.hidden.length > 0)
    sayWrapped(`Git did not see these, and .git/info/exclude still hides them: ${inShort(report.hidden)}`)
  if (report.journal !== undefined)
    sayWrapped(`Not everything could be saved (${inShort(failed)}); the journal stays: ${report.journal}`)
}
