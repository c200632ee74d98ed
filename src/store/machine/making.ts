import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureLocalFolder, localFiles } from '../layout.ts'

/** The folder in which conversations are made before git sees them, without what killed processes have left there. */
export function emptyMakingFolder(local: string): string {
  const { making } = localFiles(local)
  ensureLocalFolder(local, making)
  for (const name of readdirSync(making)) rmSync(join(making, name), { recursive: true, force: true })
  return making
}
