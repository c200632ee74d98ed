import { dirname, join, relative, resolve } from 'node:path'
import fs from 'fs-extra'
import { CortextError } from '../../../errors.ts'
import { writeFileAtomic } from '../../../io/atomic-write.ts'
import { type Inside, isInside, pathInside, writeInside } from '../../../io/inside.ts'
import { realFolder } from '../../../io/real-folder.ts'
import { withSlashes } from '../../../io/slashes.ts'
import type { Workspace } from '../../../workspace/open.ts'

/** A path of `-o`, resolved from the current folder. */
interface Output {
  target: string
  /**
   * The path relative to the workspace, if the target is inside it. A clone may contain links, so no link is followed
   * inside the workspace.
   */
  below?: string
}

/** Writes a page to the path of `-o` and returns the absolute path. Throws file errors. */
export function writeOutput(ws: Workspace, cwd: string, output: string, page: string): string {
  const { target, below } = resolveOutput(ws, cwd, output)
  if (below !== undefined) writeInside(ws.root, below, page)
  else {
    fs.ensureDirSync(dirname(target))
    writeFileAtomic(target, page)
  }
  return target
}

/**
 * Checks the folder of `--all -o`, and creates it if it is outside the workspace. Its files are written without
 * following links. Throws `usage` if the path is a file, `unsafe-path`, and file errors.
 */
export function outputFolder(ws: Workspace, cwd: string, output: string): Inside & { path: string } {
  const { target, below } = resolveOutput(ws, cwd, output)
  if (below !== undefined) {
    pathInside(ws.root, below)
    return { root: ws.root, path: below }
  }
  if (fs.existsSync(target) && !fs.statSync(target).isDirectory())
    throw new CortextError('usage', `${output} is a file, and --all needs a folder`, {
      fix: 'cortext view --all -o <folder>',
    })
  fs.ensureDirSync(target)
  return { root: target, path: '' }
}

export function placeOf({ root, path }: Inside, name: string): string {
  return join(root, path, name)
}

function resolveOutput(ws: Workspace, cwd: string, output: string): Output {
  const target = resolve(realFolder(cwd), output)
  const below = withSlashes(relative(ws.root, target))
  return isInside(below) ? { target, below } : { target }
}
