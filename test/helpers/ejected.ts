import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { placeInWorkspace } from '../../src/workspace/pack/shipped-files.ts'

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))

/** Copies a file of the package into a workspace, as `cortext init --eject` does, if it is not there. Returns its path. */
export function ejected(root: string, origin: string): string {
  const path = join(root, placeInWorkspace(origin))
  cpSync(join(PACKAGE, origin), path, { force: false })
  return path
}

/** The absolute path of a file of the package. */
export function inPackage(origin: string): string {
  return join(PACKAGE, origin)
}
