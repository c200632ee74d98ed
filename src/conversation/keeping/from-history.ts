import { listInside, statInside, writeInside } from '../../io/inside.ts'
import type { SessionFile } from '../../session/schema.ts'
import { newestCopies, writeDocument } from '../../store/machine/copies.ts'
import { documentPath } from '../../workspace/folder.ts'
import { contentsOf, filesOf } from '../../workspace/git/own-repository.ts'
import type { Workspace } from '../../workspace/open.ts'
import { gitSeesRecord } from '../held-back.ts'
import { attempt, hasGit, inHistory } from './open-history.ts'

/** Writes files of a conversation that are missing in its folder, as they were committed last. */
export function bringBackFromHistory(ws: Workspace, path: string): void {
  if (!hasGit(ws)) return
  attempt(ws, `bringing back ${path}`, () =>
    inHistory(ws, {}, (repository) => {
      const missing = (filesOf(repository, [path]) ?? []).filter(
        (file) => statInside(ws.root, file.path) === undefined,
      )
      const contents = contentsOf(repository, missing)
      for (const [at, file] of missing.entries()) writeInside(ws.root, file.path, contents[at]!)
    }),
  )
}

/**
 * Writes the document of a private conversation if it is lost, as it was after the last turn. Not if the folder has a
 * Markdown file that is new: the person may have given the document another name.
 */
export function bringBackDocument(ws: Workspace, path: string, session: SessionFile): void {
  const document = documentPath(path, session.conversation_type)
  if (gitSeesRecord(ws) || statInside(ws.root, document) !== undefined) return
  const copy = newestCopies(ws.local, path).find(({ name }) => `${path}/${name}` === document)
  if (copy === undefined || !hasGit(ws)) return
  attempt(ws, `bringing back ${document}`, () =>
    inHistory(ws, {}, (repository) => {
      const committed = new Set((filesOf(repository, [path]) ?? []).map((file) => file.path))
      const isKnown = (name: string) => committed.has(`${path}/${name}`)
      if (committed.has(document) && listInside(ws.root, path, '.md').every(isKnown))
        writeDocument(ws.root, path, copy)
    }),
  )
}
