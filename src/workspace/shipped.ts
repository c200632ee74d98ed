import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CortextError } from '../errors.ts'
import { readText } from './json-file.ts'

/**
 * The folder that holds the shipped `commands/` and `templates/`: the package's own, found by walking up from
 * this file, so that it is the same from the source tree and from `dist/`.
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

/** A file of the workspace as it is shipped; path below the workspace root, with forward slashes. */
export interface ShippedFile {
  path: string
  content: string
  /** Absolute path of the shipped original, to compare with. */
  origin: string
  /** The person's own from the moment it is made: never brought up to date. */
  once?: true
}

/** Every file of a pack, where a workspace keeps it. */
export function shippedFiles(pack: string): ShippedFile[] {
  return [
    file(pack, 'templates/registry.json', '.workspace/registry.json'),
    { ...file(pack, 'templates/constitution.md', '.workspace/memory/constitution.md'), once: true },
    ...markdown(pack, 'commands').map((name) =>
      file(pack, `commands/${name}`, `.workspace/commands/${name}`),
    ),
    ...markdown(pack, 'templates')
      .filter((name) => name !== 'constitution.md')
      .map((name) => file(pack, `templates/${name}`, `.workspace/templates/${name}`)),
  ]
}

function file(pack: string, from: string, path: string): ShippedFile {
  const origin = join(pack, from)
  const content = readText(origin)
  if (content === undefined) throw new CortextError('not-found', `${origin} is missing`)
  return { path, content, origin }
}

function markdown(pack: string, folder: string): string[] {
  return readdirSync(join(pack, folder))
    .filter((name) => name.endsWith('.md'))
    .sort()
}
