import { otherRoots } from '../../conversation/worktrees.ts'
import { withDefault } from '../../errors.ts'
import { entriesInside, isLeftByWrite, pathInside, readBytesInside } from '../../io/inside.ts'
import { SESSION_FOLDER } from '../../store/layout.ts'
import { readSession } from '../../store/record/session-file.ts'
import { blobOf, hasBlob, type OwnRepository } from '../../workspace/git/own-repository.ts'
import type { Workspace } from '../../workspace/open.ts'
import { foldersIn, readRegistry } from '../../workspace/registry.ts'

/**
 * Whether a folder has something else than the conversation with this origin, in some work tree. A stranger may have
 * chosen the folder: what is in it would be sent with the conversation, and deleted with it. A killed sync may have
 * written a part of the conversation, or of a file of it.
 */
export function isInTheWay(ws: Workspace, repository: OwnRepository, path: string, origin: string): boolean {
  const isOurs = (root: string, file: string) => {
    if (isLeftByWrite(file)) return true
    const bytes = readBytesInside(root, file)
    return bytes !== undefined && hasBlob(repository, blobOf(bytes))
  }
  return rootsOf(ws).some((root) => {
    const read = () => readSession(pathInside(root, path))?.session.origin
    if (withDefault(undefined, read) === origin) return false
    return withDefault(true, () => hasOther(root, path, { isFileOurs: (file) => isOurs(root, file) }))
  })
}

/**
 * Why a registry that a place has is not taken; undefined if it is. A folder with other files does not become one of a
 * type: git would no longer see what is new in it.
 */
export function whyNoRegistry(ws: Workspace, text: string): string | undefined {
  const folders = withDefault(undefined, () => foldersIn(text))
  if (folders === undefined) return 'it cannot be read'
  const known = new Set([...readRegistry(ws.root).types.values()].map(({ folder }) => folder))
  const isFolderOurs = (names: readonly string[]) => names.includes(SESSION_FOLDER)
  const isOther = (root: string, folder: string) =>
    withDefault(true, () => hasOther(root, folder, { isFolderOurs }))
  const other = folders
    .filter((folder) => !known.has(folder))
    .find((folder) => rootsOf(ws).some((root) => isOther(root, folder)))
  return other && `its folder ${other} has other files here`
}

/** Whether there is anything at and below a path but folders, and what is ours. Throws what files throw. */
function hasOther(root: string, path: string, ours: Ours): boolean {
  const entries = entriesInside(root, path) ?? []
  if (ours.isFolderOurs?.(entries.map(({ name }) => name))) return false
  return entries.some((entry) => {
    const inner = `${path}/${entry.name}`
    if (entry.isDirectory()) return hasOther(root, inner, ours)
    return !entry.isFile() || ours.isFileOurs?.(inner) !== true
  })
}

interface Ours {
  isFolderOurs?: (names: readonly string[]) => boolean
  isFileOurs?: (path: string) => boolean
}

function rootsOf(ws: Workspace): string[] {
  return [ws.root, ...otherRoots(ws)]
}
