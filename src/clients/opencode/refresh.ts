import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { makeFolders } from '../../io/real-folder.ts'
import { type Fields, fieldsOf, isObject, listOf, textOf } from '../shared/transcript/fields.ts'
import { splitLines } from '../shared/transcript/lines.ts'
import { sessionInDatabase } from './database.ts'
import { recordsOf } from './export.ts'
import { sessionFromOpenCode } from './program.ts'

/**
 * Brings our transcript of a session up to date with OpenCode's database. A session may have been held without the
 * plugin, or may have ended before the plugin could write. This appends what is new or has changed. If it has to ask
 * OpenCode, it takes about a second for the session and for each subagent. Throws `not-found` when OpenCode does not
 * export the session.
 */
export function refresh(
  environment: Environment,
  { nativeId, transcript, cwd }: { nativeId: string; transcript: string; cwd: string },
): void {
  const records = exportRecords(environment, cwd, nativeId)
  if (records === undefined)
    throw new CortextError('not-found', `OpenCode did not export session ${nativeId}`, {
      fix: 'opencode session list',
    })
  const states = statesIn(transcript)
  const fresh = records.filter((record) => states.get(textOf(record.id)) !== stateOf(record))
  if (fresh.length === 0) return
  makeFolders(dirname(transcript), 0o700)
  appendFileSync(transcript, fresh.map((record) => `${JSON.stringify(record)}\n`).join(''), { mode: 0o600 })
}

/**
 * The records of a session and of its subagents. Undefined when OpenCode does not export the session. A subagent that
 * it does not export is left out.
 */
function exportRecords(environment: Environment, cwd: string, id: string): Fields[] | undefined {
  const session = sessionInDatabase(environment, id) ?? sessionFromOpenCode(environment, cwd, id)
  const own = recordsOf(id, session)
  if (own === undefined) return undefined
  return [...own, ...childrenIn(own).flatMap((child) => exportRecords(environment, cwd, child) ?? [])]
}

function childrenIn(records: readonly Fields[]): string[] {
  const ids = records
    .flatMap((record) => listOf(record.parts))
    .map((part) => textOf(fieldsOf(fieldsOf(fieldsOf(part).state).metadata).sessionId))
  return [...new Set(ids.filter((id) => id !== ''))]
}

function statesIn(transcript: string): Map<string, string> {
  if (!existsSync(transcript)) return new Map()
  return new Map(
    splitLines(readFileSync(transcript)).flatMap(({ content }) =>
      content.kind === 'record' ? [[textOf(content.record.id), stateOf(content.record)] as const] : [],
    ),
  )
}

/**
 * The content of a record as a text for comparison, whatever the order of the keys. It leaves out everything that the
 * comparison in plugin/transcript.ts leaves out.
 */
function stateOf({ type, info, parts, message }: Fields): string {
  if (message !== undefined) return sortedJson(message)
  const { title, directory, version, summary, ...rest } = fieldsOf(info)
  if (type === 'session') return sortedJson([title, directory, version])
  return sortedJson([{ title, directory, version, ...rest }, summary === true, parts])
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  )
}
