import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { readText } from '../../io/regular-file.ts'
import { textOf } from '../shared/transcript/fields.ts'
import { splitLines } from '../shared/transcript/lines.ts'

/** The folder in which Codex CLI keeps its settings and its threads. */
export function codexHome({ env, home }: Environment): string {
  return env.CODEX_HOME || join(home, '.codex')
}

/**
 * Returns the name that a person gave to a thread with `/rename`. Codex CLI appends a line with the id and the name to
 * `session_index.jsonl`, beside the folder of its threads; the last line counts. The index of the home from which a
 * copied rollout comes is asked first.
 */
export function givenName(
  environment: Environment,
  { nativeId, transcript }: { nativeId: string; transcript: string },
): string | undefined {
  const [, copied] = /^(.*)[/\\](?:archived_)?sessions[/\\]/.exec(transcript) ?? []
  for (const home of new Set([copied ?? codexHome(environment), codexHome(environment)])) {
    const name = nameIn(join(home, 'session_index.jsonl'), nativeId)
    if (name !== '') return name
  }
  return undefined
}

function nameIn(index: string, thread: string): string {
  return namesIn(index).get(thread) ?? ''
}

/** A list of threads asks for the name of each. */
let lastNames: { key: string; names: ReadonlyMap<string, string> } | undefined

function namesIn(index: string): ReadonlyMap<string, string> {
  const stats = statSync(index, { throwIfNoEntry: false })
  const key = `${index} ${stats?.size} ${stats?.mtimeMs}`
  if (lastNames?.key === key) return lastNames.names
  const records = splitLines(stats === undefined ? new Uint8Array() : bytesOf(index)).map(({ content }) =>
    content.kind === 'record' ? content.record : {},
  )
  const names = new Map(records.map(({ id, thread_name: name }) => [textOf(id), textOf(name)]))
  lastNames = { key, names }
  return names
}

function bytesOf(index: string): Uint8Array {
  try {
    return Buffer.from(readText(index, MAX_INDEX) ?? '')
  } catch {
    // Nobody may read it. The thread gets a title of its first words.
    return new Uint8Array()
  }
}

const MAX_INDEX = 16 * 1024 * 1024
