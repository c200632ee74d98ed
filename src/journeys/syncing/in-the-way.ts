import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { otherRoots } from '../../conversation/worktrees.ts'
import { withDefault } from '../../errors.ts'
import { accessFile } from '../../io/file-error.ts'
import { pathInside, readBytesInside } from '../../io/inside.ts'
import { withSlashes } from '../../io/slashes.ts'
import { SESSION_FOLDER } from '../../store/layout.ts'
import { readSession } from '../../store/record/session-file.ts'
import { blobOf, hasBlob, type OwnRepository } from '../../workspace/git/own-repository.ts'
import type { Workspace } from '../../workspace/open.ts'
import { foldersIn, readRegistry } from '../../workspace/registry.ts'

/**
 * Whether a folder has something else than the conversation with this origin, in some work tree. A stranger may have
 * chosen the folder: what is in it would be sent with the conversation, and deleted with it. A killed sync may have
 * written a part of the conversation.
 */
export function isInTheWay(ws: Workspace, repository: OwnRepository, path: string, origin: string): boolean {
  return rootsOf(ws).some((root) =>
    withDefault(true, () => {
      const folder = pathInside(root, path)
      const stats = accessFile(folder, 'read', () => lstatSync(folder, { throwIfNoEntry: false }))
      if (stats === undefined) return false
      if (!stats.isDirectory()) return true
      if (withDefault(undefined, () => readSession(folder)?.session.origin) === origin) return false
      const entries = accessFile(folder, 'read', () =>
        readdirSync(folder, { recursive: true, withFileTypes: true }),
      )
      return entries.some((entry) => {
        if (entry.isDirectory()) return false
        const name = withSlashes(join(entry.parentPath, entry.name).slice(root.length + 1))
        const bytes = entry.isFile() ? readBytesInside(root, name) : undefined
        return bytes === undefined || !hasBlob(repository, blobOf(bytes))
      })
    }),
  )
}

/**
 * Why a registry that a place has is not taken; undefined if it is. A folder with other files does not become one of a
 * type: git would no longer see what is new in it.
 */
export function whyNoRegistry(ws: Workspace, text: string): string | undefined {
  const folders = withDefault(undefined, () => foldersIn(text))
  if (folders === undefined) return 'it cannot be read'
  const known = new Set([...readRegistry(ws.root).types.values()].map(({ folder }) => folder))
  const other = folders
    .filter((folder) => !known.has(folder))
    .find((folder) =>
      rootsOf(ws).some((root) => withDefault(true, () => hasOtherFiles(pathInside(root, folder)))),
    )
  return other && `its folder ${other} has other files here`
}

function hasOtherFiles(folder: string): boolean {
  const stats = accessFile(folder, 'read', () => lstatSync(folder, { throwIfNoEntry: false }))
  if (stats === undefined) return false
  if (!stats.isDirectory()) return true
  const entries = accessFile(folder, 'read', () => readdirSync(folder, { withFileTypes: true }))
  if (entries.some(({ name }) => name === SESSION_FOLDER)) return false
  return entries.some((entry) => !entry.isDirectory() || hasOtherFiles(join(folder, entry.name)))
}

function rootsOf(ws: Workspace): string[] {
  return [ws.root, ...otherRoots(ws)]
}
