import { toolVocabulary } from '../../clients/tool-vocabulary.ts'
import { answersIn } from '../../context/render.ts'
import { type FileChange, filesChanged } from '../../context/state/files-changed.ts'
import type { Source } from '../../journeys/finding/search.ts'
import { conversationNamed, conversationTrailer } from '../../session/commits.ts'
import { commitsSaying, fullNames, messageOfCommit } from '../../workspace/git/blame.ts'
import type { Workspace } from '../../workspace/open.ts'
import { type CommitMade, commitsIn } from './committed-in.ts'
import { allSources, allTold } from './told.ts'
import { insideOf } from './writings.ts'

/** A file that a conversation changed. One that lies outside the workspace is named as the tool named it. */
interface FileLogged extends FileChange {
  outside: boolean
}

export interface Logged {
  source: Source
  sources: readonly Source[]
  files: FileLogged[]
  /** Made by shell calls, in their order. `sha` is missing where this repository has no such commit (any more). */
  made: (CommitMade & { sha?: string })[]
  /** With which the conversation itself was saved, newest first. */
  saved: { sha: string; subject: string }[]
}

/** The files and commits of a conversation, by its path. */
export async function logOf(ws: Workspace, path: string): Promise<Logged | undefined> {
  const sources = await allSources(ws)
  const source = sources.find((one) => one.path === path)
  if (source === undefined) return undefined
  const told = allTold(source)
  const messages = told.flatMap((one) => one.messages.filter(({ event }) => event === undefined))
  const live = messages.toSorted((one, other) => one.timestamp.localeCompare(other.timestamp))
  const changes = filesChanged({ live, answers: answersIn(live, toolVocabulary()) })
  const made = commitsIn(told)
  const { root, environment } = ws
  const names = await fullNames(root, environment.env, [...new Set(made.map(({ id }) => id))])
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
  const inside = insideOf(root, path)
  return { path: inside ?? path, action, outside: inside === undefined }
}

async function savedBy({ root, environment: { env } }: Workspace, path: string): Promise<Logged['saved']> {
  const trailer = conversationTrailer(path)
  const saved: Logged['saved'] = []
  for (const sha of await commitsSaying(root, env, trailer)) {
    const message = (await messageOfCommit(root, env, sha)) ?? ''
    if (trailer.endsWith(` ${conversationNamed(message)}`))
      saved.push({ sha, subject: message.split('\n', 1)[0]! })
  }
  return saved
}
