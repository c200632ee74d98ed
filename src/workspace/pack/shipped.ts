import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CortextError } from '../../errors.ts'

/**
 * The folder with the shipped `commands/` and `templates/`: the nearest folder above this file that has them. So it is
 * found from the source tree and from `dist/`.
 */
export function shippedPack(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'templates', 'registry.json'))) {
    const parent = dirname(folder)
    if (parent === folder)
      throw new CortextError('not-found', 'the commands and templates that belong to cortext are missing', {
        fix: 'npm install --global cortext',
      })
    folder = parent
  }
  return folder
}
