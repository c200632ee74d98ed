import { join } from 'node:path'
import glob from 'fast-glob'
import { CortextError } from '../../errors.ts'
import { readInside } from '../../io/inside.ts'

export interface ShippedFile {
  path: string
  content: string
  /** The absolute path of the shipped file. The person can compare the two. */
  origin: string
  /** The file is made once and never updated, because it belongs to the person. */
  once?: true
}

/** The skill, for clients that have skills and do not use our MCP server. It is made only if the person asks for it. */
export const SKILL = '.agents/skills/cortext/SKILL.md'

/**
 * The files of a pack for a workspace, with their paths there. With `skill`, also the skill. Throws `not-found` when a
 * file is missing.
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
