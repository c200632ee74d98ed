import type { ReadReport } from '../../clients/contract/reading.ts'
import type { NativeSession } from '../../clients/contract/sessions.ts'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import type { Published } from '../../journeys/conversation/publish.ts'
import { type ImportRequest, importSession, sessionsToImport } from '../../journeys/importing/import.ts'
import { pathToImportInto } from '../../journeys/importing/into.ts'
import { byteSize } from '../../text/byte-size.ts'
import { oneLine } from '../../text/line.ts'
import { putOnList } from '../../workspace/everywhere.ts'
import { openWorkspace, type Workspace } from '../../workspace/open.ts'
import { note, say, sayJson } from '../print.ts'
import { type Tell, withProgress } from '../progress/index.ts'
import { publishNotes } from '../publish-notes.ts'
import { settleAfterGit } from '../settle.ts'

interface ImportOptions {
  all?: boolean
  file?: string
  into?: string
  type: string
  title?: string
  json?: boolean
}

/**
 * Imports native sessions and prints the byte ledger. It has every byte of the transcript in a record that is kept,
 * derived, dropped by rule, unknown or unreadable, and says how much was taken from the records that are kept.
 */
export async function importVerb(
  environment: Environment,
  client: string,
  nativeId: string | undefined,
  options: ImportOptions,
): Promise<void> {
  const ws = openWorkspace(environment)
  putOnList(ws.root, environment)
  await settleAfterGit(ws)
  const sessions = sessionsToImport(ws, client, { nativeId, file: options.file, all: options.all })
  const into = options.into === undefined ? undefined : pathToImportInto(ws, options.into)
  const results = await withProgress('Importing', (tell) => takeIn(ws, sessions, into, options, tell))
  if (options.json === true) return sayJson({ imported: results })
  if (results.length === 0) say('There is nothing to import: this folder has no such sessions.')
}

async function takeIn(
  ws: Workspace,
  sessions: readonly NativeSession[],
  into: string | undefined,
  options: ImportOptions,
  tell: Tell,
) {
  const results = []
  for (const [at, session] of sessions.entries()) {
    tell(`${at + 1} of ${sessions.length} sessions, ${byteSize(session.bytes)}`)
    const published = await importOne(
      ws,
      session,
      { type: options.type, title: options.title, into },
      options.all,
    )
    if (published === undefined) continue
    const content = published.contents.findLast(
      ({ read }) => read.client === session.client && read.nativeId === session.nativeId,
    )
    const report = content === undefined ? undefined : { ...content.report, taken: content.taken }
    results.push({
      native_id: session.nativeId,
      id: published.session.conversation_id,
      path: published.path,
      title: published.session.title,
      messages: published.session.message_count,
      appended: published.appended,
      report,
    })
    if (options.json === true) continue
    say(
      oneLine(published.session.title),
      `  ${published.path}: ${published.session.message_count} messages, ${published.appended} new lines`,
    )
    if (report !== undefined) say(reportLines(report).map((line) => `  ${line}`))
    note(publishNotes(ws, published))
  }
  return results
}

/** Among all sessions, one in which nothing was said is passed by. */
async function importOne(
  ws: Workspace,
  session: NativeSession,
  request: ImportRequest,
  all = false,
): Promise<Published | undefined> {
  try {
    return await importSession(ws, session, request)
  } catch (error) {
    if (!all || !(error instanceof CortextError) || error.code !== 'refused') throw error
    note(error.message)
    return undefined
  }
}

function reportLines(report: ReadReport & { taken: number }): string[] {
  const rules = (group: Record<string, { records: number; bytes: number }>) =>
    Object.entries(group).map(
      ([rule, { records, bytes }]) => `    ${rule}: ${records} records, ${bytes} bytes`,
    )
  const unreadable = report.unreadable.reduce((sum, line) => sum + line.bytes, 0)
  return [
    `${report.bytes} bytes read:`,
    `  kept: ${report.kept.records} records, ${report.kept.bytes} bytes`,
    `    taken from them, and from files beside the transcript: ${report.taken} bytes of texts, thoughts, calls, results and attachments`,
    "    the rest of them is the client's own: ids, usage, copies of results",
    `  derived from what is kept: ${report.derived.records} records, ${report.derived.bytes} bytes`,
    '  left out by rule:',
    ...rules(report.dropped),
    ...(Object.keys(report.unknown).length === 0
      ? ['  unknown: none']
      : ['  unknown, kept raw:', ...rules(report.unknown)]),
    `  unreadable: ${report.unreadable.length} lines, ${unreadable} bytes`,
  ]
}
