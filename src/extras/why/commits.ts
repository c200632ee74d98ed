import { toolVocabulary } from '../../clients/tool-vocabulary.ts'
import type { Source } from '../../journeys/finding/search.ts'
import { conversationNamed, type ReportedCommit, reportedCommits } from '../../session/commits.ts'
import { textOf } from '../../session/live-path.ts'
import { commandOf } from '../../session/tool-use.ts'
import { messageOfCommit } from '../../workspace/git/blame.ts'
import type { Workspace } from '../../workspace/open.ts'
import { type Place, placeOf, type RecordFile, recordFilesMatching } from './record-files.ts'
import { resultsIn } from './recorded-edits.ts'

/** A commit that a shell call of a conversation made. */
export interface CommitMade extends ReportedCommit {
  place: Place
}

/** The commits that git reports in the results of shell calls. */
export function commitsIn(records: readonly RecordFile[]): CommitMade[] {
  const tools = toolVocabulary()
  return records.flatMap((record) => {
    const results = resultsIn(record.messages)
    return record.messages.flatMap((message, index) =>
      (message.tool_calls ?? []).flatMap((call) => {
        const command = commandOf(tools, call, message.client)
        const result = results.get(call.id)
        if (command === undefined || result === undefined) return []
        return reportedCommits(command, textOf(result)).map((commit) => ({
          ...commit,
          place: placeOf(record, index),
        }))
      }),
    )
  })
}

/** A conversation to which a commit belongs, and why. */
export interface CommittedIn {
  source: Source
  how: 'made in it' | 'saved it'
  /** The call that made the commit. */
  place?: Place
}

/**
 * The conversations in which a shell call made the commit, and the conversation that the trailer of the commit names.
 */
export async function committedIn(
  ws: Workspace,
  sources: readonly Source[],
  sha: string,
): Promise<CommittedIn[]> {
  const made = commitsIn(recordFilesMatching(sources, new RegExp(sha.slice(0, MIN_ID_LENGTH), 'g')))
    .filter(({ id }) => sha.startsWith(id))
    .map(({ place }): CommittedIn => ({ source: place.source, how: 'made in it', place }))
  const named = conversationNamed((await messageOfCommit(ws.root, ws.environment.env, sha)) ?? '')
  const saved = sources
    .filter(({ path }) => named !== undefined && path.endsWith(`/${named}`))
    .map((source): CommittedIn => ({ source, how: 'saved it' }))
  const seen = new Set<Source>()
  return [...made, ...saved].filter(({ source }) => !seen.has(source) && seen.add(source))
}

/** By default, git prints at least this many digits of a commit's name. */
const MIN_ID_LENGTH = 7
