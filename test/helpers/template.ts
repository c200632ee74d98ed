import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where the templates of one run of the tests lie; vitest's global setup makes it and takes it away. */
const FOLDER = 'CORTEXT_TEST_TEMPLATES'

/**
 * Fills a folder as `furnish` does: once in a run of the tests it furnishes a template, and the others are copies of
 * it, their times kept. What is furnished must not hold its own path.
 */
export async function copyTemplate(
  name: string,
  into: string,
  furnish: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = process.env[FOLDER]
  // A benchmark runs outside vitest.
  if (folder === undefined) return furnish(into)
  const template = join(folder, name)
  if (!existsSync(template)) await makeTemplate(template, furnish)
  cpSync(template, into, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
}

/** Workers may make the same one at the same moment: the first one is kept. */
async function makeTemplate(template: string, furnish: (folder: string) => Promise<void>): Promise<void> {
  const aside = mkdtempSync(`${template}-aside-`)
  await furnish(aside)
  const bound = readdirSync(aside, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(aside))
  if (bound.length > 0) throw new Error(`hold the path of the template: ${bound.join(', ')}`)
  try {
    renameSync(aside, template)
  } catch (error) {
    if (!existsSync(template)) throw error
    rmSync(aside, { recursive: true })
  }
}

/** Vitest's global setup: workers inherit the environment. */
export default function templates(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'cortext-templates-'))
  process.env[FOLDER] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
