import { dirname, join, relative, resolve } from 'node:path'
import fs from 'fs-extra'
import { CortextError } from '../../../errors.ts'
import { writeFileAtomic } from '../../../io/atomic-write.ts'
import { type Inside, isInside, placeInside, writeInside } from '../../../io/inside.ts'
import { realFolder } from '../../../io/real-folder.ts'
import type { Workspace } from '../../../workspace/open.ts'

/** What a person named with `-o`, relative to where they are. */
interface Named {
  target: string
  /** The same below the workspace, where no link is followed: what lies there may have come with a clone. */
  below?: string
}

/** Writes a page where the person says, and returns the absolute path. Throws what files throw. */
export function writeWhere(ws: Workspace, cwd: string, output: string, page: string): string {
  const { target, below } = namedBy(ws, cwd, output)
  if (below !== undefined) writeInside(ws.root, below, page)
  else {
    fs.ensureDirSync(dirname(target))
    writeFileAtomic(target, page)
  }
  return target
}

/**
 * The folder that the person names for the pages of all, as files are written below it: no link in it is followed, of
 * whatever was there before. Throws `unsafe-path` and what files throw.
 */
export function folderWhere(ws: Workspace, cwd: string, output: string): Inside & { path: string } {
  const { target, below } = namedBy(ws, cwd, output)
  if (below !== undefined) {
    placeInside(ws.root, below)
    return { root: ws.root, path: below }
  }
  if (fs.existsSync(target) && !fs.statSync(target).isDirectory())
    throw new CortextError('usage', `${output} is a file, and the pages of all need a folder`, {
      fix: 'cortext view --all -o <folder>',
    })
  fs.ensureDirSync(target)
  return { root: target, path: '' }
}

/** Where the index lies. */
export function placeOf({ root, path }: Inside, name: string): string {
  return join(root, path, name)
}

function namedBy(ws: Workspace, cwd: string, output: string): Named {
  const target = resolve(realFolder(cwd), output)
  const below = relative(ws.root, target).replaceAll('\\', '/')
  return isInside(below) ? { target, below } : { target }
}
