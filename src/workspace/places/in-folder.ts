import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CortextError } from '../../errors.ts'
import { TEMP_SUFFIX } from '../../io/atomic-write.ts'
import { accessFile } from '../../io/file-error.ts'
import { listInside, readBytesInside, removeInside, writeInside } from '../../io/inside.ts'
import { listAllNames } from '../../io/list-names.ts'
import { makeFolders } from '../../io/real-folder.ts'
import { removePath } from '../../io/remove.ts'
import { type Files, stateOf } from './files.ts'

/** The files in a plain folder, which a service may copy in its own time. */
export function filesInFolder(address: string, folder: string): Files {
  const names = () => {
    checkIsThere(address)
    return listInside(address, folder, '').sort()
  }
  let isErasing = false
  return {
    state: async () => stateOf(names()),
    list: async () => names(),
    read: async (name) => readBytesInside(address, `${folder}/${name}`, LARGEST),
    write: async (name, bytes, { isAnew }) => {
      writeInside(address, `${folder}/${name}`, bytes)
      isErasing ||= isAnew
    },
    where: (name) => `${folder}/${name}`,
    remove: (name) => removeInside(address, `${folder}/${name}`),
    send: async () => {
      // The conflicted copies of a service may have what was erased.
      for (const name of isErasing ? names().filter((one) => COPY.test(one)) : [])
        removeInside(address, `${folder}/${name}`)
      removeTemporary(join(address, folder), isErasing)
      return stateOf(names())
    },
  }
}

const COPY = /^[0-9a-f]{32}(?!\.(?:bundle|age)$)/
const LARGEST = 1024 * 1024 * 1024

function checkIsThere(address: string): void {
  if (existsSync(address)) return
  throw new CortextError('not-found', `${address} is not there`, {
    fix: 'connect the disk, or start what copies it; or correct the path: cortext sync --to <place>',
  })
}

/** Whether nothing is in a folder that is there. */
export function isEmptyFolder(address: string): boolean {
  return accessFile(address, 'read', () => readdirSync(address).length === 0)
}

/** Removes what killed syncs have left; with `all`, however new it is: then a sync that is writing it fails. */
function removeTemporary(folder: string, all: boolean): void {
  for (const name of listAllNames(folder, TEMP_SUFFIX).filter((one) => TEMPORARY.test(one))) {
    const path = join(folder, name)
    const made = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (all || made < Date.now() - LEFT_AFTER_MS) removePath(path)
  }
}

const TEMPORARY = /^\.[0-9a-z-]+\.(?:bundle|age)\.[0-9a-f]{16}\./
const LEFT_AFTER_MS = 60 * 60_000

/**
 * The names of the folders in a plain folder: those of projects are among them. With `makes`, the folder is made if it
 * is not there, on a disk that is. Throws what files throw.
 */
export function foldersAt(address: string, makes: boolean): { names: Set<string>; made: boolean } {
  const made = makes && !existsSync(address) && existsSync(dirname(address))
  if (made) accessFile(address, 'write', () => makeFolders(address))
  checkIsThere(address)
  const entries = accessFile(address, 'read', () => readdirSync(address, { withFileTypes: true }))
  return { names: new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)), made }
}
