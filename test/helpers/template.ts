import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { tempBase } from './repository.ts'

/** This variable names the folder of the templates. Vitest's global setup makes the folder and removes it. */
const FOLDER = 'CORTEXT_TEST_TEMPLATES'

/**
 * Fills a folder with the result of `furnish`, which is called once for each `name` in a run of the tests. The result
 * is kept as a template, and `into` becomes a copy with the same times. Where the template names its own folder, in a
 * text or in a file's name, the copy names `into`. The name of `into` must end in six random letters.
 */
export async function copyTemplate(
  name: string,
  into: string,
  furnish: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = process.env[FOLDER]
  // The variable is missing in benchmarks, which run outside vitest.
  if (folder === undefined) return furnish(into)
  const template = join(folder, name)
  if (!existsSync(template)) await makeTemplate(template, into.slice(0, -6), furnish)
  const [original = ''] = readdirSync(template)
  cpSync(join(template, original), into, KEPT_AS_IT_IS)
  rename(into, original, basename(into))
}

/** A folder that all tests of a run share; undefined outside vitest. */
export function sharedFolder(name: string): string | undefined {
  const folder = process.env[FOLDER]
  if (folder === undefined) return undefined
  const shared = join(folder, name)
  mkdirSync(shared, { recursive: true })
  return shared
}

const KEPT_AS_IT_IS = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true }

/** Two workers may make the same template at the same time. The first template is kept. */
async function makeTemplate(
  template: string,
  prefix: string,
  furnish: (folder: string) => Promise<void>,
): Promise<void> {
  const original = mkdtempSync(prefix)
  await furnish(original)
  const aside = mkdtempSync(`${template}-aside-`)
  // The lab and the templates may be on different disks.
  cpSync(original, join(aside, basename(original)), KEPT_AS_IT_IS)
  rmSync(original, { recursive: true })
  try {
    renameSync(aside, template)
  } catch (error) {
    if (!existsSync(template)) throw error
    rmSync(aside, { recursive: true })
  }
}

/** Renames files, and replaces the name in their texts. Both names have the same length, so that offsets stay valid. */
function rename(folder: string, from: string, to: string): void {
  // Deeper entries come first, so that the remaining paths stay valid.
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }).reverse()) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) renameIn(path, from, to)
    if (entry.name.includes(from)) renameSync(path, join(dirname(path), entry.name.replaceAll(from, to)))
  }
}

function renameIn(path: string, from: string, to: string): void {
  const text = readFileSync(path, 'latin1')
  if (!text.includes(from)) return
  const { atime, mtime } = statSync(path)
  writeFileSync(path, text.replaceAll(from, to), 'latin1')
  utimesSync(path, atime, mtime)
}

/** Vitest's global setup: makes the folder of templates. Workers inherit its variable. */
export default function templates(): () => void {
  const folder = mkdtempSync(join(tempBase(), 'cortext-templates-'))
  process.env[FOLDER] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
