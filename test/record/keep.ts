import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import type { Client } from '../../src/clients/contract/client.ts'
import { FIXTURES, filesBelow } from '../clients/fixtures.ts'
import type { Lab } from '../e2e/lab.ts'
import { differences, unknownIn } from './differences.ts'
import { Scrub } from './scrub.ts'

/** A native session that was held in a lab. */
export interface Recorded {
  client: Client
  version: string
  lab: Lab
  nativeId: string
  transcript: string
}

/** The name of each recording: `recorded.jsonl`, its side files in `recorded/`, its native id in `recorded.json`. */
const NAME = 'recorded'

/**
 * Makes a session the fixture of its client and version. One that is there is replaced with `CORTEXT_RECORD_WRITE`
 * only. What differs from it, or where there is none from the version before, is printed, and what the reader does
 * not know.
 */
export function keep(recorded: Recorded): void {
  const { client, version } = recorded
  const folder = mkdtempSync(join(tmpdir(), 'cortext-recorded-'))
  writeScrubbed(folder, recorded)
  const fixture = join(FIXTURES, client.id, version)
  const before = existsSync(fixture) ? fixture : otherVersion(client.id)
  say(`\n${client.name} ${version}`)
  for (const unknown of unknownIn(client, join(folder, NAME))) say(`  the reader does not know ${unknown}`)
  const changes = before === undefined ? [] : differences(before, folder)
  for (const change of changes) say(`  ${change}`)
  if (!existsSync(fixture) || process.env.CORTEXT_RECORD_WRITE) {
    rmSync(fixture, { recursive: true, force: true })
    cpSync(folder, fixture, { recursive: true })
    say(`  written to ${relative(process.cwd(), fixture)}`)
  } else if (changes.length === 0) {
    say(`  as ${relative(process.cwd(), fixture)} has it`)
  } else {
    say(`  kept as it was; the new one is in ${folder}; to take it: npm run record-fixtures -- --write`)
    return
  }
  rmSync(folder, { recursive: true })
}

function writeScrubbed(folder: string, { client, lab, nativeId, transcript }: Recorded): void {
  const scrub = scrubOf(lab)
  const put = (path: string, content: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const parts = client.hooks.before?.(transcript) ?? []
  const before = parts.map(({ path, to }) => readFileSync(path).subarray(0, to))
  put(`${NAME}.jsonl`, scrub.lines(Buffer.concat([...before, readFileSync(transcript)]).toString('utf8')))
  put(`${NAME}.json`, `${JSON.stringify({ nativeId: scrub.text(nativeId) })}\n`)
  for (const { path, name } of client.sessions.sideFiles?.(transcript, nativeId) ?? [])
    put(join(NAME, scrub.text(name)), scrub.lines(readFileSync(path, 'utf8')))
  const sides = client.sessions.sideFolder?.(transcript, nativeId)
  if (sides === undefined) return
  const named = filesBelow(sides).map((path) => [scrub.text(path), path] as const)
  for (const [path, original] of named.sort())
    put(join(NAME, path), scrub.lines(readFileSync(join(sides, original), 'utf8')))
}

/** The folders of the lab are those of a home of nobody, also where a client makes a name of them. */
function scrubOf({ project, home, folder }: Lab): Scrub {
  const folders: [string, string][] = [
    [project, '/home/dev/project'],
    [home, '/home/dev'],
    [folder, '/home/dev/lab'],
  ]
  const slug = (path: string) => path.replace(/[^a-zA-Z0-9]/g, '-')
  const slugs = folders.map(([from, to]): [string, string] => [slug(from), slug(to)])
  return new Scrub([...folders, ...slugs, [basename(folder), 'lab']])
}

/** The newest other version of which there is a recording. */
function otherVersion(client: string): string | undefined {
  const folder = join(FIXTURES, client)
  const versions = (existsSync(folder) ? readdirSync(folder) : []).filter((name) => /^\d/.test(name))
  const newest = versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)
  return newest === undefined ? undefined : join(FIXTURES, client, newest)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
