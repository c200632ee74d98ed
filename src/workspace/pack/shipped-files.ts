import { join } from 'node:path'
import glob from 'fast-glob'
import { CortextError } from '../../errors.ts'
import { readInside } from '../../io/inside.ts'

export interface ShippedFile {
  path: string
  content: string
  /** The absolute path of the shipped original, for comparison. */
  origin: string
  /** The file is the person's own once it is made, and is never updated. */
  once?: true
}

/** The skill, for clients that have skills and do not use our server. It is made on request only. */
export const SKILL = '.agents/skills/cortext/SKILL.md'

/**
 * The files of a pack that go into a workspace, each with its place there; with `skill`, the skill too. Throws
 * `not-found` when a file is missing.
 */
export function shippedFiles(pack: string, skill = false): ShippedFile[] {
  const markdown = glob.sync(['commands/*.md', 'templates/*.md', '!templates/constitution.md'], { cwd: pack })
  return [
    shippedFile(pack, 'templates/registry.json', '.workspace/registry.json'),
    { ...shippedFile(pack, 'templates/constitution.md', '.workspace/memory/constitution.md'), once: true },
    ...markdown.sort().map((path) => shippedFile(pack, path, `.workspace/${path}`)),
    ...(skill ? [shippedFile(pack, 'skills/cortext/SKILL.md', SKILL)] : []),
  ]
}

/** One file of a pack. Throws `not-found`. */
export function shippedFile(pack: string, from: string, path = from): ShippedFile {
  const origin = join(pack, from)
  const content = readInside(pack, from)
  if (content === undefined) throw new CortextError('not-found', `${origin} is missing`)
  return { path, content, origin }
}
