import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '../../src/clients/contract/client.ts'
import { splitLines } from '../../src/clients/shared/transcript/lines.ts'
import { filesBelow, fixtureAt } from '../clients/fixtures.ts'

/** How deep into a record is looked for keys that were not there before. */
const DEPTH = 4

/** What the reader of a client does not know in a recorded session, a line each. */
export function unknownIn(client: Client, session: string): string[] {
  const { messages, report } = client.reading.read(fixtureAt(session))
  return [
    ...Object.entries(report.unknown).map(([kind, { records }]) => `${records} records of kind ${kind}`),
    ...report.unreadable.map(({ line }) => `line ${line + 1}, which is not JSON`),
    ...messages
      .filter(({ event }) => event === 'unknown')
      .map(({ raw }) => `what is in ${JSON.stringify(raw).slice(0, 200)}`),
  ]
}

/** What two folders of recordings differ in: `git diff --stat`, and what is in records of the new one only. None: []. */
export function differences(before: string, after: string): string[] {
  const args = ['-c', 'color.ui=never', 'diff', '--no-index', '--stat=120', before, after]
  const { stdout, status } = spawnSync('git', args, { encoding: 'utf8' })
  if (status === 0) return []
  const known = new Set(shapesBelow(before))
  const fresh = [...new Set(shapesBelow(after))].filter((shape) => !known.has(shape))
  return [...stdout.trimEnd().split('\n'), ...fresh.map((shape) => `new in the records: ${shape}`)]
}

function shapesBelow(folder: string): string[] {
  return filesBelow(folder)
    .filter((path) => path.endsWith('.jsonl'))
    .flatMap((path) => splitLines(readFileSync(join(folder, path))))
    .flatMap(({ content }) => (content.kind === 'record' ? shapesOf(content.record) : []))
}

/** `user.message.content[].type=text`: the kind of a record and the keys in it; of a `type` or `subtype` the value. */
function shapesOf(record: Record<string, unknown>): string[] {
  const kind = typeof record.type === 'string' ? record.type : (Object.keys(record)[0] ?? '')
  return keysIn(record, DEPTH).map((path) => kind + path)
}

function keysIn(value: unknown, depth: number): string[] {
  if (depth === 0 || typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((one) => keysIn(one, depth).map((path) => `[]${path}`))
  return Object.entries(value).flatMap(([key, one]) => {
    const here = /^(sub)?type$/.test(key) && typeof one === 'string' ? `.${key}=${one}` : `.${key}`
    return [here, ...keysIn(one, depth - 1).map((path) => `.${key}${path}`)]
  })
}
