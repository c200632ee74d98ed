import { CortextError } from '../../../errors.ts'
import { allPagesFolder, INDEX, viewAll, viewConversation, writePage } from '../../../extras/page/index.ts'
import type { Environment } from '../../../io/environment.ts'
import { openFile } from '../../../io/open-on-desktop.ts'
import { findAllToRead, findConversations } from '../../../journeys/finding/find.ts'
import { type Listed, listConversations } from '../../../journeys/finding/list.ts'
import { countOf } from '../../../text/count-of.ts'
import { paste } from '../../../text/paste.ts'
import { openWorkspace, type Workspace } from '../../../workspace/open.ts'
import { choose } from '../../ask.ts'
import { look } from '../../first-step.ts'
import { which } from '../../named-conversation.ts'
import { note, say, sayJson } from '../../print.ts'
import { withProgress } from '../../progress/index.ts'
import { outputFolder, placeOf, writeOutput } from './where.ts'

interface ViewOptions {
  all?: boolean
  output?: string
  open: boolean
  json?: boolean
}

/** Writes the page of a conversation, or all pages and an index. Opens the result if a person is at a terminal. */
export async function viewVerb(
  environment: Environment,
  words: readonly string[],
  options: ViewOptions,
): Promise<void> {
  const ws = openWorkspace(environment)
  if (options.all === true && words.length > 0)
    throw new CortextError('usage', 'name one conversation, or all', { fix: 'cortext view --all' })
  await look(ws)
  if (options.all === true) return viewEverything(ws, options)
  const { path } = await conversationToView(ws, words.join(' '))
  const { page, problems } = viewConversation(ws, path)
  const file =
    options.output === undefined
      ? writePage(ws.local, path, page)
      : writeOutput(ws, environment.cwd, options.output, page)
  note(problems.map((problem) => `Not shown: ${problem}`))
  await printAndOpen(environment, file, options)
}

/**
 * Finds the conversation to view. Without words, it is the only conversation that is being recorded. If none is being
 * recorded, it is the only conversation of the workspace. If there are several, the person picks one. Throws
 * `not-found` when there is none.
 */
async function conversationToView(ws: Workspace, words: string): Promise<Listed> {
  const { conversations } = listConversations(ws)
  if (words !== '') {
    const several = ws.environment.interactive ? findAllToRead(ws, words, conversations).found : []
    return several.length > 1 ? chosen(ws, several) : which(ws, words)
  }
  const live = conversations.filter((one) => one.live)
  const [only, another] = live.length > 0 ? live : conversations
  if (only === undefined)
    throw new CortextError('not-found', 'there is no conversation to view', {
      fix: 'start one: /workspace.brainstorm <topic> in your AI client, or: cortext import --all',
    })
  return another === undefined ? only : chosen(ws, conversations)
}

async function chosen(ws: Workspace, some: readonly Listed[]): Promise<Listed> {
  const find = async (typed: string) => (await findConversations(ws, typed, some)).found
  const fix = paste`cortext view ${some[0]!.name}`
  return (await choose(ws.environment, some, find, { fix, startsNext: false })).one
}

async function viewEverything(ws: Workspace, options: ViewOptions): Promise<void> {
  const { environment } = ws
  const own = options.output === undefined
  const folder = own
    ? { root: allPagesFolder(ws.local), path: '' }
    : outputFolder(ws, environment.cwd, options.output!)
  const { pages, written, removed, problems } = await withProgress('Making pages', (report) =>
    viewAll(ws, folder, own ? 0o600 : undefined, (done, all) => report(`${done} of ${all}`)),
  )
  note(problems.map((problem) => `Not shown: ${problem}`))
  const file = placeOf(folder, INDEX)
  if (options.json === true) return sayJson({ path: file, pages, written, removed })
  note(`${countOf(pages, 'conversation')}; ${countOf(written.length, 'page')} written, ${removed} removed.`)
  await printAndOpen(environment, file, options)
}

/** Prints the path of a page, and opens it if a person is at a terminal. */
async function printAndOpen(
  environment: Environment,
  file: string,
  { open, json }: ViewOptions,
): Promise<void> {
  if (json === true) return sayJson({ path: file })
  say(file)
  if (open && environment.interactive && (await openFile(file, environment.env)))
    note('Opened in your browser.')
}
