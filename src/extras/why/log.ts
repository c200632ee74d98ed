import { toolVocabulary } from '../../clients/all-tools.ts'
import { answersIn } from '../../context/rendering/answers.ts'
import { type FileChange, filesChanged } from '../../context/state/files-changed.ts'
import type { Source } from '../../journeys/finding/search.ts'
import { conversationNamed, conversationTrailer } from '../../session/shell/commits.ts'
import { projectPath } from '../../text/project-path.ts'
import { commitsMentioning, fullNames } from '../../workspace/git/blame.ts'
import type { Workspace } from '../../workspace/open.ts'
import { type CommitMade, commitsIn } from './commits.ts'
import { allSources, recordFilesOf } from './record-files.ts'

/**
 * A file that a conversation changed. `path` is relative to the root; for a file outside the root, it is the path from
 * the tool call.
 */
interface FileLogged extends FileChange {
  outside: boolean
}

export interface ConversationLog {
  source: Source
  sources: readonly Source[]
  files: FileLogged[]
  /**
   * The commits that shell commands made, oldest first. `sha` is missing when this repository does not have the commit.
   */
  made: (CommitMade & { sha?: string })[]
  /** The commits that saved the conversation, newest first. */
  saved: { sha: string; subject: string }[]
}

/** Returns the files and commits of the conversation at `path`; undefined when it is missing or cannot be read. */
export async function logOf(ws: Workspace, path: string): Promise<ConversationLog | undefined> {
  const sources = await allSources(ws)
  const source = sources.find((one) => one.path === path)
  if (source === undefined) return undefined
  const records = recordFilesOf(source)
  const messages = records.flatMap((one) => one.messages.filter(({ event }) => event === undefined))
  const live = messages.toSorted((one, other) => one.timestamp.localeCompare(other.timestamp))
  const changes = filesChanged({ live, answers: answersIn(live, toolVocabulary()) })
  const made = commitsIn(records)
  const { root } = ws
  const names = await fullNames(ws, [...new Set(made.map(({ id }) => id))])
  return {
    ...{ source, sources, files: changes.map((change) => fileLogged(root, change)) },
    made: made.map((one) => {
      const sha = names.get(one.id)
      return sha === undefined ? one : { ...one, sha }
    }),
    saved: await savedBy(ws, path),
  }
}

function fileLogged(root: string, { path, action }: FileChange): FileLogged {
  const inside = projectPath(root, path)
  return { path: inside ?? path, action, outside: inside === undefined }
}

async function savedBy(ws: Workspace, path: string): Promise<ConversationLog['saved']> {
  const trailer = conversationTrailer(path)
  const commits = await commitsMentioning(ws, trailer)
  return commits
    .filter(({ message }) => trailer.endsWith(` ${conversationNamed(message)}`))
    .map(({ sha, message }) => ({ sha, subject: message.split('\n', 1)[0]! }))
}
