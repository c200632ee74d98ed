import { CortextError } from '../../../errors.ts'
import { keepPage, ownPagesFolder, viewConversation } from '../../../extras/page/view.ts'
import { INDEX, viewAll } from '../../../extras/page/view-all.ts'
import type { Environment } from '../../../io/environment.ts'
import { openFile } from '../../../io/open-file.ts'
import { openWorkspace, type Workspace } from '../../../workspace/open.ts'
import { note, say, sayJson } from '../../print.ts'
import { withProgress } from '../../progress/index.ts'
import { look } from '../../settle.ts'
import { named } from './named.ts'
import { folderWhere, placeOf, writeWhere } from './where.ts'
import { zone } from './zone.ts'

interface ViewOptions {
  all?: boolean
  output?: string
  open: boolean
  json?: boolean
}

/** Makes a page of a conversation, writes it, and opens it where a person sits. */
export async function viewVerb(
  environment: Environment,
  words: readonly string[],
  options: ViewOptions,
): Promise<void> {
  const ws = openWorkspace(environment)
  if (options.all === true && words.length > 0)
    throw new CortextError('usage', 'name one conversation, or all', { fix: 'cortext view --all' })
  await look(ws)
  if (options.all === true) return viewThemAll(ws, options)
  const { path } = await named(ws, words.join(' '))
  const { page, problems } = viewConversation(ws, path, zone())
  const file =
    options.output === undefined
      ? keepPage(ws, path, page)
      : writeWhere(ws, environment.cwd, options.output, page)
  note(problems.map((problem) => `Not shown: ${problem}`))
  await tell(environment, file, options)
}

async function viewThemAll(ws: Workspace, options: ViewOptions): Promise<void> {
  const { environment } = ws
  const own = options.output === undefined
  const folder = own
    ? { root: ownPagesFolder(ws), path: '' }
    : folderWhere(ws, environment.cwd, options.output!)
  const { pages, written, removed, problems } = await withProgress('Making pages', (tell) =>
    viewAll(ws, folder, zone(), own ? 0o600 : undefined, (done, all) => tell(`${done} of ${all}`)),
  )
  note(problems.map((problem) => `Not shown: ${problem}`))
  const file = placeOf(folder, INDEX)
  if (options.json === true) return sayJson({ path: file, pages, written, removed })
  note(`${pages} conversations; ${written.length} pages written, ${removed} removed.`)
  await tell(environment, file, options)
}

/** Prints where a page lies, and opens it. Nobody sits where there is no terminal. */
async function tell(environment: Environment, file: string, { open, json }: ViewOptions): Promise<void> {
  if (json === true) return sayJson({ path: file })
  say(file)
  if (open && environment.interactive && (await openFile(file, environment.env)))
    note('Opened in your browser.')
}
