import { CortextError } from '../../../errors.ts'
import type { Environment } from '../../../io/environment.ts'
import {
  findEverywhere,
  listEverywhere,
  openEverywhere,
  type PlacedConversation,
} from '../../../journeys/finding/everywhere.ts'
import { called } from '../../../journeys/finding/find.ts'
import { toResume } from '../../../journeys/finding/list.ts'
import { cutAtWord, oneLine } from '../../../text/line.ts'
import { paste } from '../../../text/paste.ts'
import { openWorkspace, type Workspace } from '../../../workspace/open.ts'
import { choose } from '../../ask.ts'
import { knowsNone, noteUnread, placedTable } from '../../everywhere.ts'
import type { Chosen } from '../../picker/kept.ts'
import { note } from '../../print.ts'
import { lastOf, nothingResumable } from './pick.ts'

/**
 * Like `pick`, but chooses from the conversations of all workspaces of this machine. Throws `no-workspace` if no
 * workspace is known.
 */
export async function pickEverywhere(
  environment: Environment,
  here: Workspace | undefined,
  query: string,
  { looks, last }: { looks: boolean; last: boolean },
): Promise<Chosen<PlacedConversation>> {
  const everywhere = await openEverywhere(environment, here, { looks })
  if (knowsNone(everywhere)) openWorkspace(environment)
  const { conversations } = await listEverywhere(everywhere)
  noteUnread(everywhere, environment)
  const { shown: resumable, hidden } = toResume(conversations)
  const choosing = (some: readonly PlacedConversation[]) =>
    choose(
      environment,
      some,
      async (typed) => (await findEverywhere(everywhere, some, typed, environment)).found,
      { fix: paste`cd ${some[0]!.root} && cortext resume ${some[0]!.name}`, table: placedTable },
    )
  if (query === '' || last) {
    if (resumable[0] === undefined) throw nothingResumable(hidden)
    return last ? { one: lastOf(resumable) } : choosing(resumable)
  }
  const { found, nearest, isNamed } = await findEverywhere(everywhere, conversations, query, environment)
  if (found.length > 1) return choosing(found)
  const [one] = found
  if (one !== undefined) {
    if (!isNamed) note(`"${oneLine(query)}" was understood as ${called(one)}.`)
    return { one }
  }
  throw new CortextError(
    'not-found',
    [
      `no conversation of any workspace matches "${query}"`,
      ...(nearest.length > 0 ? ['the nearest are:'] : []),
      ...nearest.map((one) => `  ${cutAtWord(oneLine(one.title), 100)}  (${oneLine(one.root)})`),
    ].join('\n'),
    { fix: 'cortext list --everywhere --all' },
  )
}
