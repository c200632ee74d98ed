import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import type { RawTranscript, Reading } from '../contract/reading.ts'

/** Stands for what other files of this folder will hold: where threads lie, what they say, how they are started. */
export function transcriptPath({ env, home }: Environment, _folder: string, nativeId: string): string {
  const sessions = join(env.CODEX_HOME || join(home, '.codex'), 'sessions')
  const found = readdirSync(sessions, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.includes(nativeId))
    .sort()
  return join(sessions, found.at(-1) ?? `${nativeId}.jsonl`)
}

export function read({ bytes }: RawTranscript): Reading {
  return {
    messages: [],
    subagents: {},
    blobs: new Map(),
    facts: { mcpTools: [], settled: true },
    report: {
      bytes: bytes.length,
      kept: { records: 0, bytes: 0 },
      derived: { records: 0, bytes: 0 },
      dropped: { all: { records: 1, bytes: bytes.length } },
      unknown: {},
      unreadable: [],
    },
  }
}
