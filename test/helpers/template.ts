import {
  closeSync,
  cpSync,
  existsSync,
  futimesSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { basename, join } from 'node:path'
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
  if (!loaded.has(template)) {
    if (!existsSync(template)) await makeTemplate(template, into.slice(0, -6), furnish)
    const [original = ''] = readdirSync(template)
    loaded.set(template, { original, entries: entriesOf(join(template, original)) })
  }
  const { original, entries } = loaded.get(template)!
  writeEntries(entries, into, (text) => text.replaceAll(original, basename(into)))
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

/** A folder, a symbolic link or a file of a template. */
type Entry = { name: string; mode: number; atime: Date; mtime: Date } & (
  | { entries: Entry[] }
  | { target: string }
  | { content: Buffer }
)

/** Templates in memory, by their paths: writing one takes a sixth of the time that copying its files takes. */
const loaded = new Map<string, { original: string; entries: Entry[] }>()

function entriesOf(folder: string): Entry[] {
  return readdirSync(folder).map((name) => {
    const path = join(folder, name)
    const stats = lstatSync(path)
    const { mode, atime, mtime } = stats
    const entry = { name, mode, atime, mtime }
    if (stats.isDirectory()) return { ...entry, entries: entriesOf(path) }
    if (stats.isSymbolicLink()) return { ...entry, target: readlinkSync(path) }
    return { ...entry, content: readFileSync(path) }
  })
}

/** The names in `rename` have the same length, so that offsets in files stay valid. */
function writeEntries(entries: readonly Entry[], folder: string, rename: (text: string) => string): void {
  for (const entry of entries) {
    const path = join(folder, rename(entry.name))
    if ('entries' in entry) {
      mkdirSync(path, { mode: entry.mode, recursive: true })
      writeEntries(entry.entries, path, rename)
    } else if ('target' in entry) symlinkSync(entry.target, path)
    else writeFile(path, entry, Buffer.from(rename(entry.content.toString('latin1')), 'latin1'))
  }
}

function writeFile(path: string, { mode, atime, mtime }: Entry, content: Buffer): void {
  const file = openNew(path, mode)
  writeSync(file, content)
  futimesSync(file, atime, mtime)
  closeSync(file)
}

/** Opens a file for writing in the place of one that may be there, and may be read-only. */
function openNew(path: string, mode: number): number {
  try {
    return openSync(path, 'wx', mode)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    unlinkSync(path)
    return openSync(path, 'wx', mode)
  }
}

/** Vitest's global setup: makes the folder of templates. Workers inherit its variable. */
export default function templates(): () => void {
  const folder = mkdtempSync(join(tempBase(), 'cortext-templates-'))
  process.env[FOLDER] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
