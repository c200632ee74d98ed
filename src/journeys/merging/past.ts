import { SessionFile } from '../../session/schema.ts'
import { RECORD } from '../../store/layout.ts'
import { tryParse } from '../../store/record/session-file.ts'
import { documentPath } from '../../workspace/folder.ts'
import { commitsOf, textIn } from '../../workspace/git/merging.ts'
import type { Workspace } from '../../workspace/open.ts'

/** A conversation as it was when it had its folder for itself. */
export interface Past {
  session: SessionFile
  /** Its document, the newest version first. */
  documents: string[]
}

/**
 * What git's history knows of conversations (by their origins) that a merge has put into one folder, whatever kind of
 * merge that was. A conversation is missing where no commit has it alone: the history was squashed, or is not here.
 */
export async function pastOf(
  ws: Workspace,
  path: string,
  type: string,
  origins: readonly string[],
): Promise<Map<string, Past>> {
  const { root, environment } = ws
  const past = new Map<string, Past>()
  const [file, document] = [`${path}/${RECORD.session}`, documentPath(path, type)]
  const commits = [
    ...(await commitsOf(root, environment.env, file)),
    ...(await commitsOf(root, environment.env, document)),
  ]
  for (const commit of new Set(commits)) {
    const session = aloneIn(await textIn(root, environment.env, commit, file))
    if (session?.origin === undefined || !origins.includes(session.origin)) continue
    const known = past.get(session.origin) ?? { session, documents: [] }
    const text = await textIn(root, environment.env, commit, document)
    if (text !== undefined && !known.documents.includes(text)) known.documents.push(text)
    past.set(session.origin, known)
  }
  return past
}

/** The versions of a file that git's history knows. */
export async function versionsOf({ root, environment }: Workspace, file: string): Promise<Set<string>> {
  const commits = await commitsOf(root, environment.env, file)
  const texts = await Promise.all(commits.map((commit) => textIn(root, environment.env, commit, file)))
  return new Set(texts.filter((text) => text !== undefined))
}

function aloneIn(text: string | undefined): SessionFile | undefined {
  const session = text === undefined ? undefined : SessionFile.safeParse(tryParse(text)).data
  return session?.merged === undefined ? session : undefined
}
