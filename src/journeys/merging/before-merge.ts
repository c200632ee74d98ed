import { SessionFile } from '../../session/schema.ts'
import { RECORD } from '../../store/layout.ts'
import { tryParse } from '../../store/record/session-file.ts'
import { documentPath } from '../../workspace/folder.ts'
import { commitsOf, textsIn } from '../../workspace/git/merging.ts'
import type { Workspace } from '../../workspace/open.ts'

/** A conversation as it was before a merge brought another one into its folder. */
export interface Past {
  session: SessionFile
  /** The versions of its document, newest first. */
  documents: string[]
}

/** What git's history says about some folders. */
export interface History {
  /**
   * The conversations that were in a folder, by their `origin` in session.json. Only those with one of `origins`. A
   * conversation is missing if it is alone in no commit: somebody has squashed the history, or this clone does not have
   * all of it.
   */
  pastOf: (path: string, type: string, origins: readonly string[]) => Map<string, Past>
  /** All versions of a document. */
  documentsOf: (path: string, type: string) => Set<string>
}

/** A folder, and the type of the conversation in it. */
interface Folder {
  path: string
  type: string
}

/** Reads the history of all these folders, normally with two runs of git. Empty if git fails. */
export async function readHistory(ws: Workspace, folders: readonly Folder[]): Promise<History> {
  const files = folders.map(({ path, type }) => filesOf(path, type))
  const commits = await commitsOf(ws, files.flat())
  const commitsIn = (names: readonly string[]) => new Set(names.flatMap((name) => commits.get(name) ?? []))
  const wanted = files.flatMap((names) =>
    [...commitsIn(names)].flatMap((commit) => names.map((path) => ({ commit, path }))),
  )
  const texts = await textsIn(ws, wanted)
  const byName = new Map(wanted.map(({ commit, path }, index) => [`${commit} ${path}`, texts[index]]))
  const textIn = (commit: string, path: string) => byName.get(`${commit} ${path}`)
  return {
    pastOf(path, type, origins) {
      const past = new Map<string, Past>()
      const [file, document] = filesOf(path, type)
      for (const commit of commitsIn([file, document])) {
        const session = parseSingle(textIn(commit, file))
        if (session?.origin === undefined || !origins.includes(session.origin)) continue
        const entry = past.get(session.origin) ?? { session, documents: [] }
        const text = textIn(commit, document)
        if (text !== undefined && !entry.documents.includes(text)) entry.documents.push(text)
        past.set(session.origin, entry)
      }
      return past
    },
    documentsOf(path, type) {
      const document = documentPath(path, type)
      const texts = [...commitsIn([document])].map((commit) => textIn(commit, document))
      return new Set(texts.filter((text) => text !== undefined))
    },
  }
}

function filesOf(path: string, type: string): [session: string, document: string] {
  return [`${path}/${RECORD.session}`, documentPath(path, type)]
}

function parseSingle(text: string | undefined): SessionFile | undefined {
  const session = text === undefined ? undefined : SessionFile.safeParse(tryParse(text)).data
  return session?.merged === undefined ? session : undefined
}
