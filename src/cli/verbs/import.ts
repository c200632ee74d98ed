import type { ReadReport } from '../../clients/contract/reading.ts'
import type { NativeSession } from '../../clients/contract/sessions.ts'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { calledIn, listConversations } from '../../journeys/finding/list.ts'
import {
  type Account,
  type Imported,
  type ImportRequest,
  importSession,
  sessionsToImport,
} from '../../journeys/importing/import.ts'
import { pathToImportInto } from '../../journeys/importing/into.ts'
import { oneLine } from '../../text/line.ts'
import { putOnList } from '../../workspace/everywhere.ts'
import { openWorkspace, type Workspace } from '../../workspace/open.ts'
import { note, say, sayJson } from '../print.ts'
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
  const into = options.into === undefined ? undefined : await pathToImportInto(ws, options.into)
  const results = []
  for (const session of sessions) {
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
    const { account } = published
    const taken = account?.taken.length === 0 ? 0 : (content?.taken ?? 0)
    const read = account?.report ?? content?.report
    const report = read && { ...read, taken }
    results.push({
      native_id: session.nativeId,
      id: published.session.conversation_id,
      path: published.path,
      title: published.session.title,
      messages: published.session.message_count,
      appended: published.appended,
      report,
      ...(account === undefined ? {} : { before: account.before, taken: account.taken }),
    })
    if (options.json === true) continue
    say(
      oneLine(published.session.title),
      `  ${published.path}: ${published.session.message_count} messages, ${published.appended} new lines`,
    )
    if (account !== undefined) say(...accountLines(ws, account).map((line) => `  ${line}`))
    if (report !== undefined) say(...reportLines(report).map((line) => `  ${line}`))
    for (const one of [...published.besides, published]) note(...publishNotes(ws, one))
  }
  if (options.json === true) return sayJson({ imported: results })
  if (results.length === 0) say('There is nothing to import: this folder has no such sessions.')
}

/** Among all sessions, one in which nothing was said is passed by. */
async function importOne(
  ws: Workspace,
  session: NativeSession,
  request: ImportRequest,
  all = false,
): Promise<Imported | undefined> {
  try {
    return await importSession(ws, session, request)
  } catch (error) {
    if (!all || !(error instanceof CortextError) || error.code !== 'refused') throw error
    note(error.message)
    return undefined
  }
}

/** Which conversations hold the messages of a session that was partly kept before. */
function accountLines(ws: Workspace, { before, taken }: Account): string[] {
  const { conversations } = listConversations(ws)
  const line = (what: string, places: Account['before']) =>
    places.map(({ path, messages }) => `${what} ${calledIn(conversations, path)}: ${messages} messages`)
  return [
    ...line('kept before in', before),
    ...(taken.length === 0 ? ['taken in now: nothing, all of it is kept'] : line('taken in now into', taken)),
  ]
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
