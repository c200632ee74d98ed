import { join } from 'node:path'
import glob from 'fast-glob'
import { CortextError } from '../../errors.ts'
import { readInside } from '../../io/inside.ts'

export interface ShippedFile {
  path: string
  content: string
  /** The absolute path of the shipped file. The person can compare the two. */
  origin: string
}

/** The skill, for clients that have skills and do not use our MCP server. It is made only if the person asks for it. */
export const SKILL = '.agents/skills/cortext/SKILL.md'

/** Files of the package with another place in a workspace than the same path below `.workspace/`. */
const PLACES: Record<string, string> = {
  'templates/constitution.md': '.workspace/memory/constitution.md',
  'templates/registry.json': '.workspace/registry.json',
}

/** Where a workspace has its own version of a file of the package. */
export function placeInWorkspace(origin: string): string {
  return PLACES[origin] ?? `.workspace/${origin}`
}

/** The file names of the commands of a pack. */
export function shippedCommands(pack: string): string[] {
  return glob.sync('*.md', { cwd: join(pack, 'commands') })
}

/** One file of a pack. Throws `not-found`. */
export function shippedFile(pack: string, from: string, path = from): ShippedFile {
  const origin = join(pack, from)
  const content = readInside(pack, from)
  if (content === undefined) throw new CortextError('not-found', `${origin} is missing`)
  return { path, content, origin }
}
