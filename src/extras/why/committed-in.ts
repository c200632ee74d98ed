import { toolVocabulary } from '../../clients/tool-vocabulary.ts'
import type { Source } from '../../journeys/finding/search.ts'
import { type CommitTold, commitsTold, conversationNamed } from '../../session/commits.ts'
import { textOf } from '../../session/live-path.ts'
import { commandOf } from '../../session/tool-use.ts'
import { messageOfCommit } from '../../workspace/git/blame.ts'
import type { Workspace } from '../../workspace/open.ts'
import { type Place, placeOf, type Told, toldIn } from './told.ts'
import { resultsIn } from './writings.ts'

/** A commit that a shell call of a conversation made. */
export interface CommitMade extends CommitTold {
  place: Place
}

/** The commits that were made in conversations, as git told it in the results of shell calls. */
export function commitsIn(told: readonly Told[]): CommitMade[] {
  const tools = toolVocabulary()
  return told.flatMap((one) => {
    const results = resultsIn(one.messages)
    return one.messages.flatMap((message, index) =>
      (message.tool_calls ?? []).flatMap((call) => {
        const command = commandOf(tools, call, message.client)
        const result = results.get(call.id)
        if (command === undefined || result === undefined) return []
        return commitsTold(command, textOf(result)).map((commit) => ({
          ...commit,
          place: placeOf(one, index),
        }))
      }),
    )
  })
}

/** How a commit is known to belong to a conversation. */
export interface CommittedIn {
  source: Source
  how: 'made in it' | 'saved it'
  /** Of the call that made it. */
  place?: Place
}

/** The conversations that made a commit by a shell call, or that it names as a stop does. */
export async function committedIn(
  ws: Workspace,
  sources: readonly Source[],
  sha: string,
): Promise<CommittedIn[]> {
  const made = commitsIn(toldIn(sources, new RegExp(sha.slice(0, SHORTEST), 'g')))
    .filter(({ id }) => sha.startsWith(id))
    .map(({ place }): CommittedIn => ({ source: place.source, how: 'made in it', place }))
  const named = conversationNamed((await messageOfCommit(ws.root, ws.environment.env, sha)) ?? '')
  const saved = sources
    .filter(({ path }) => named !== undefined && path.endsWith(`/${named}`))
    .map((source): CommittedIn => ({ source, how: 'saved it' }))
  const seen = new Set<Source>()
  return [...made, ...saved].filter(({ source }) => !seen.has(source) && seen.add(source))
}

/** Of git's shortened names. */
const SHORTEST = 7
