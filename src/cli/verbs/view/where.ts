import { dirname, relative, resolve } from 'node:path'
import fs from 'fs-extra'
import { writeFileAtomic } from '../../../io/atomic-write.ts'
import { isInside, writeInside } from '../../../io/inside.ts'
import { realFolder } from '../../../io/real-folder.ts'
import type { Workspace } from '../../../workspace/open.ts'

/**
 * Writes a page where the person says, relative to where they are, and returns the absolute path. Inside the workspace
 * no link is followed, since what lies there may have come with a clone. Throws what files throw.
 */
export function writeWhere(ws: Workspace, cwd: string, output: string, page: string): string {
  const target = resolve(realFolder(cwd), output)
  const below = relative(ws.root, target)
  if (isInside(below)) writeInside(ws.root, below, page)
  else {
    fs.ensureDirSync(dirname(target))
    writeFileAtomic(target, page)
  }
  return target
}
