import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type ReadReport, UNSENT } from '../../clients/contract/reading.ts'
import type { NativeSession } from '../../clients/contract/sessions.ts'
import { readerList, readerOf } from '../../clients/index.ts'
import { stateOf } from '../../conversation/publish.ts'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { findProgram } from '../../io/program.ts'
import { listConversations, nameAndTitle } from '../../journeys/finding/list.ts'
import { gonePlaces } from '../../journeys/importing/earlier-places.ts'
import {
  type Account,
  type Imported,
  type ImportRequest,
  importSession,
  sessionsToImport,
} from '../../journeys/importing/import.ts'
import { pathToImportInto } from '../../journeys/importing/into.ts'
import { automatedNote, notSavedAmong } from '../../journeys/not-saved/sessions.ts'
import { byteSize, countOf } from '../../text/count-of.ts'
import { oneLine } from '../../text/line.ts'
import { paste } from '../../text/paste.ts'
import { putOnList } from '../../workspace/everywhere.ts'
import { openWorkspace, type Workspace } from '../../workspace/open.ts'
import { findGitTop } from '../../workspace/root.ts'
import { settleAfterGit } from '../first-step.ts'
import { fromHere } from '../from-sub-folder.ts'
import { note, say, sayJson } from '../print.ts'
import { type ShowProgress, withProgress } from '../progress/index.ts'
import { publishNotes } from '../publish-notes.ts'
import { reportError } from '../report-error.ts'

interface ImportOptions {
  all?: boolean
  automated?: boolean
  file?: string[]
  into?: string
  type?: string
  title?: string
  verbose?: boolean
  json?: boolean
}

type Report = ReadReport & { taken: number }

/**
 * What the command line names: one session of a client by its id or its file, or all its sessions of this folder. Only
 * the client: no session is named.
 */
interface Named {
  client: string
  nativeId?: string
  file?: string
  all?: true
}

/**
 * Imports native sessions and prints a line or an error for each session. The exit code is 1 if a session failed.
 * Records that no rule knows and lines that could not be read are always reported. `--verbose` prints the byte ledger:
 * how many bytes of the transcript were kept, derived, dropped by rule, unknown or unreadable.
 */
export async function importVerb(
  environment: Environment,
  client: string | undefined,
  words: string[],
  options: ImportOptions,
): Promise<void> {
  const named = client === undefined ? everyClient(options) : whatIsNamed(environment, client, words, options)
  const ws = openWorkspace(environment)
  putOnList(ws.root, environment)
  await settleAfterGit(ws)
  const into = options.into === undefined ? undefined : pathToImportInto(ws, options.into)
  const request = { type: options.type, title: options.title, into, state: await stateOf(ws) }
  const { results, failed, automated } = await withProgress('Importing', (show) =>
    takeIn(ws, { named, request }, options, show),
  )
  if (failed.length > 0) process.exitCode = 1
  if (options.json)
    return sayJson({
      imported: identified(ws, results),
      automated,
      ...(failed.length === 0 ? {} : { failed: failed.map(asJson) }),
    })
  if (results.length === 0 && failed.length === 0)
    say(
      client === undefined
        ? 'There is nothing to import: no client has sessions of this folder.'
        : 'There is nothing to import: this folder has no such sessions.',
    )
  if (results.length > 1 || failed.length > 0) say(totalLine(results, failed.length))
  note(notCommittedYet(ws, results))
  if (options.all) note(await earlierPlaces(ws, named))
  note(
    automatedNote(
      automated,
      client === undefined ? 'cortext import --all' : paste`cortext import ${client} --all`,
    ),
  )
}

/** Names the sessions of folders that are gone. The person says which of them belong here. */
async function earlierPlaces(ws: Workspace, named: readonly Named[]): Promise<string[]> {
  const places = await gonePlaces(ws, new Set(named.map(({ client }) => client)))
  return places.flatMap(({ folder, wasHere, sessions }) => {
    const shown = sessions.slice(0, MAX_EARLIER)
    const what = wasHere ? 'where this workspace was before' : 'which is gone and had files of this project'
    return [
      `${countOf(sessions.length, 'session')} of ${oneLine(folder)}, ${what}, ${sessions.length === 1 ? 'is' : 'are'} not saved:`,
      ...shown.map(
        ({ client, title, transcript }) =>
          `  ${oneLine(title) || 'Untitled'}: ${paste`cortext import ${client} --file ${transcript}`}`,
      ),
      ...(sessions.length > shown.length ? [`  and ${sessions.length - shown.length} more`] : []),
    ]
  })
}

const MAX_EARLIER = 10

/** An import commits nothing. Says how a person commits what git tracks in a shared workspace. */
function notCommittedYet(ws: Workspace, results: readonly Result[]): string[] {
  const changed = results.filter(({ appended }) => appended > 0)
  if (changed.length === 0 || ws.config.visibility === 'private' || findGitTop(ws.root) === undefined)
    return []
  const folders = [...new Set(changed.map(({ path }) => fromHere(ws, path.split('/')[0]!)))]
  const add = folders.map((folder) => paste` ${folder}`).join('')
  return [`Not committed. When you have looked at it: git add${add} && git commit -m "Earlier conversations"`]
}

/** All clients, for an import that names none. Throws `usage` without `--all`. */
function everyClient({ all, into }: ImportOptions): Named[] {
  if (all && into === undefined) return readerList().map(({ id }) => ({ client: id, all }))
  throw new CortextError('usage', 'say which client, or take all of them', {
    fix: 'every session of every client: cortext import --all',
  })
}

async function takeIn(
  ws: Workspace,
  { named, request }: { named: readonly Named[]; request: ImportRequest },
  options: ImportOptions,
  show: ShowProgress,
) {
  const results: Result[] = []
  const failed: Failed[] = []
  const done = new Set<string>()
  const isAny = new Set(named.map(({ client }) => client)).size > 1
  let automated = 0
  for (const { client, ...one } of named) {
    try {
      const all = sessionsToImport(ws, client, one)
      const sessions = one.all && !options.automated ? all.filter((session) => !session.automated) : all
      const left = all.filter((session) => !sessions.includes(session))
      automated += notSavedAmong(ws, left).length
      if (isAny && sessions.length > 0 && !options.json) say(`${readerOf(client).name}:`)
      for (const [index, session] of sessions.entries()) {
        if (done.has(session.transcript)) {
          note(`${one.file ?? session.nativeId} is named twice, and imported once.`)
          continue
        }
        done.add(session.transcript)
        const many = sessions.length > 1 ? `${index + 1} of ${sessions.length} sessions, ` : ''
        show(`${many}${byteSize(session.bytes)}`)
        const published = await importOne(ws, session, request, failed, options)
        if (published === undefined) continue
        const result = resultOf(session, published)
        results.push(result)
        if (options.json) continue
        say(resultLines(ws, result, options.verbose))
        for (const some of [...published.besides, published]) note(publishNotes(ws, some))
      }
    } catch (error) {
      if (named.length === 1 || !concernsOneSession(error)) throw error
      // Some clients have to run to list their sessions, and this one may not be installed.
      if (isAny && findProgram(client, ws.environment.env) === undefined) continue
      failed.push({ named: one.file ?? one.nativeId ?? client, error })
      if (!options.json) reportError(error, false)
    }
  }
  return { results, failed, automated }
}

interface Failed {
  named: string
  error: CortextError
}

/** Returns the sessions that the arguments and options name. Throws `usage` if they contradict each other. */
function whatIsNamed(
  { cwd }: Environment,
  client: string,
  words: string[],
  { all, file: files = [], title }: ImportOptions,
): Named[] {
  const wrong = (message: string) =>
    new CortextError('usage', message, { fix: paste`cortext import ${client} --help` })
  // When a shell expands `--file *.jsonl`, only the first file becomes the value of the option. The others are words.
  const isPath = (word: string) => /[/\\.]/.test(word) || existsSync(resolve(cwd, word))
  const id = files.length === 0 ? undefined : words.find((word) => !isPath(word))
  if (id !== undefined) throw wrong(`"${id}" is not a file: name files, or ids without --file`)
  if (all) return [{ client, all }]
  const named: Named[] =
    files.length > 0
      ? [...files, ...words].map((file) => ({ client, file }))
      : words.length > 0
        ? words.map((nativeId) => ({ client, nativeId }))
        : [{ client }]
  if (title !== undefined && named.length > 1) throw wrong('several sessions cannot have one title')
  return named
}

/**
 * Imports one session. With `all`, a session that is empty or fails does not end the import. It is reported, and the
 * function returns undefined.
 */
async function importOne(
  ws: Workspace,
  session: NativeSession,
  request: ImportRequest,
  failed: Failed[],
  { all = false, json: isJson = false }: Pick<ImportOptions, 'all' | 'json'>,
): Promise<Imported | undefined> {
  try {
    return await importSession(ws, session, request)
  } catch (error) {
    if (!all || !concernsOneSession(error)) throw error
    if (error.code === 'refused') note(error.message)
    else {
      failed.push({ named: session.nativeId, error })
      if (!isJson) reportError(error, false)
    }
    return undefined
  }
}

/** Whether an error concerns only one session, so that the next session may still be imported. */
function concernsOneSession(error: unknown): error is CortextError {
  return error instanceof CortextError && !['cancelled', 'disk-full', 'usage'].includes(error.code)
}

function resultOf(session: NativeSession, published: Imported) {
  const content = published.contents.findLast(
    ({ read }) =>
      read.client === session.client &&
      // A session of which another has the id was given an end of its own.
      (read.nativeId === session.nativeId || read.nativeId.startsWith(`${session.nativeId}~`)),
  )
  const { account } = published
  const taken = account?.taken.length === 0 ? 0 : (content?.taken ?? 0)
  const read = account?.report ?? content?.report
  const report: Report | undefined = read && { ...read, taken }
  return {
    client: session.client,
    native_id: session.nativeId,
    path: published.path,
    title: published.session.title,
    messages: published.session.message_count,
    appended: published.appended,
    report,
    ...(account === undefined ? {} : { before: account.before, taken: account.taken }),
  }
}

type Result = ReturnType<typeof resultOf>

/** Adds the ids and the names, which depend on all conversations that were imported. */
function identified(ws: Workspace, results: readonly Result[]) {
  const { conversations } = listConversations(ws)
  const byPath = new Map(conversations.map((one) => [one.path, one]))
  return results.map((result) => {
    const { ownId: id, name } = byPath.get(result.path) ?? { ownId: result.path, name: result.path }
    return { id, name, ...result }
  })
}

function resultLines(ws: Workspace, result: Result, verbose = false): string[] {
  const { title, path, messages, appended, report } = result
  const old = appended === 0 ? ', nothing new' : ''
  return [
    `${oneLine(title)}: ${messages} saved, ${lostIn(report)} lost${old} (${path})`,
    ...partLines(ws, result),
    ...(report === undefined ? [] : [...unknownLines(report), ...(verbose ? accountLines(report) : [])]),
  ]
}

/** Lists the conversations that have the session's messages, if a part of the session was saved before. */
function partLines(ws: Workspace, { before, taken }: Result): string[] {
  if (before === undefined || taken === undefined) return []
  const { conversations } = listConversations(ws)
  const line = (what: string, places: Account['before']) =>
    places.map(
      ({ path, messages }) =>
        `  ${what} ${nameAndTitle(conversations, path)}: ${countOf(messages, 'message')}`,
    )
  return [...line('saved before in', before), ...line('saved now in', taken)]
}

function totalLine(results: readonly Result[], failed: number): string {
  const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, one) => total + one, 0)
  // Several sessions may have gone into one conversation.
  const inEach = new Map(results.map(({ path, messages }) => [path, messages]))
  const saved = `${sum(inEach.values())} saved, ${sum(results.map(({ report }) => lostIn(report)))} lost`
  const isNew = results.some(({ appended }) => appended > 0)
  return `${countOf(results.length, 'session')}: ${isNew ? '' : 'nothing new; '}${saved}${failed === 0 ? '' : `; ${failed} not imported`}`
}

function lostIn(report: Report | undefined): number {
  return report?.unreadable.length ?? 0
}

function unknownLines({ unknown }: Report): string[] {
  const { [UNSENT]: unsent, ...others } = unknown
  const kinds = Object.entries(others).map(([kind, { records }]) => `${kind} (${records})`)
  return [
    ...(kinds.length === 0
      ? []
      : [`  saved as they are, because no rule knows them: ${oneLine(kinds.join(', '))}`]),
    ...(unsent === undefined
      ? []
      : [
          `  not saved: ${countOf(unsent.records, 'prompt')} in the queue of the client, which it had not sent`,
        ]),
  ]
}

function accountLines(report: Report): string[] {
  const rules = (group: Record<string, { records: number; bytes: number }>) =>
    Object.entries(group).map(
      ([rule, { records, bytes }]) => `    ${rule}: ${countOf(records, 'record')}, ${countOf(bytes, 'byte')}`,
    )
  const { [UNSENT]: _, ...unknown } = report.unknown
  const unreadable = report.unreadable.reduce((sum, line) => sum + line.bytes, 0)
  return [
    `${countOf(report.bytes, 'byte')} read:`,
    `  saved: ${countOf(report.kept.records, 'record')}, ${countOf(report.kept.bytes, 'byte')}`,
    `    taken from these records and from files next to the transcript: ${countOf(report.taken, 'byte')} of texts, thoughts, calls, results and attachments`,
    "    the rest of these records is the client's own: ids, usage, copies of results",
    `  derived from what is saved: ${countOf(report.derived.records, 'record')}, ${countOf(report.derived.bytes, 'byte')}`,
    '  left out by rule:',
    ...rules(report.dropped),
    ...(Object.keys(unknown).length === 0
      ? ['  unknown: none']
      : ['  unknown, saved as they are:', ...rules(unknown)]),
    `  unreadable: ${countOf(report.unreadable.length, 'line')}, ${countOf(unreadable, 'byte')}`,
  ].map((line) => `  ${line}`)
}

function asJson({ named, error: { code, message, fix } }: Failed) {
  return { named, error: { code, message, ...(fix === undefined ? {} : { fix }) } }
}
