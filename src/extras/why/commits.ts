import { toolVocabulary } from '../../clients/all-tools.ts'
import { answersIn } from '../../context/rendering/answers.ts'
import type { Source } from '../../journeys/finding/search.ts'
import { callKey, textOf } from '../../session/live-path.ts'
import { conversationNamed, type ReportedCommit, reportedCommits } from '../../session/shell/commits.ts'
import { commandOf } from '../../session/tool-use.ts'
import { messageOfCommit } from '../../workspace/git/blame.ts'
import type { Workspace } from '../../workspace/open.ts'
import { type Place, placeOf, type RecordFile, recordFilesMatching } from './record-files.ts'

/** A commit that a shell command of an agent made, and the message with this command. */
export interface CommitMade extends ReportedCommit {
  place: Place
}

/** The commits that git has reported in the results of shell commands. */
export function commitsIn(records: readonly RecordFile[]): CommitMade[] {
  const tools = toolVocabulary()
  return records.flatMap((record) => {
    const { results } = answersIn(record.messages, tools)
    return record.messages.flatMap((message, index) =>
      (message.tool_calls ?? []).flatMap((call) => {
        const command = commandOf(tools, call, message.client)
        const result = results.get(callKey(message, call.id))
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
  /** The message with the shell command that made the commit. */
  place?: Place
}

/** The conversations in which a shell command made the commit, and the conversation that the commit's trailer names. */
export async function committedIn(
  ws: Workspace,
  sources: readonly Source[],
  sha: string,
): Promise<CommittedIn[]> {
  const made = commitsIn(recordFilesMatching(sources, new RegExp(sha.slice(0, MIN_ID_LENGTH), 'g')))
    .filter(({ id }) => sha.startsWith(id))
    .map(({ place }): CommittedIn => ({ source: place.source, how: 'made in it', place }))
  const named = conversationNamed((await messageOfCommit(ws, sha)) ?? '')
  const saved = sources
    .filter(({ path }) => named !== undefined && path.endsWith(`/${named}`))
    .map((source): CommittedIn => ({ source, how: 'saved it' }))
  const seen = new Set<Source>()
  return [...made, ...saved].filter(({ source }) => !seen.has(source) && seen.add(source))
}

/** Git prints at least so many digits of a commit's id, by default. */
const MIN_ID_LENGTH = 7
