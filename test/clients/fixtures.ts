import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { RawTranscript } from '../../src/clients/contract/reading.ts'

export const FIXTURES = join(import.meta.dirname, '..', 'fixtures')

/** A transcript below `test/fixtures/<client>/`, as a reader is given it. */
export interface Fixture {
  /** Its path below the client's folder, without the ending. */
  name: string
  raw: RawTranscript
}

/** All transcripts of a client: every `.jsonl`, but not those that lie in the folder of another one's side files. */
export function fixturesOf(client: string): Fixture[] {
  const folder = join(FIXTURES, client)
  return filesBelow(folder)
    .filter((path) => path.endsWith('.jsonl'))
    .map((path) => path.slice(0, -'.jsonl'.length))
    .filter((name) => !isSide(folder, name))
    .map((name) => ({ name, raw: fixtureAt(join(folder, name)) }))
}

/** `<path>.jsonl`, the side files in `<path>/`, and where the reader must know it, the native id in `<path>.json`. */
export function fixtureAt(path: string): RawTranscript {
  const sides = filesBelow(path)
  return {
    nativeId: existsSync(`${path}.json`)
      ? JSON.parse(readFileSync(`${path}.json`, 'utf8')).nativeId
      : 'native',
    bytes: readFileSync(`${path}.jsonl`),
    sideFiles: sides,
    readSideFile: (name) => (sides.includes(name) ? readFileSync(join(path, name)) : undefined),
  }
}

/** Paths of the files below a folder, sorted; none where there is no folder. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
}

function isSide(folder: string, name: string): boolean {
  const above = name.split('/').slice(0, -1)
  return above.some((_, index) => existsSync(join(folder, `${above.slice(0, index + 1).join('/')}.jsonl`)))
}
