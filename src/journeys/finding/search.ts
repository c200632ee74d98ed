import { basename } from 'node:path'
import { CortextError, withDefault } from '../../errors.ts'
import { listInside, pathInside } from '../../io/inside.ts'
import { countIn, emptyTally } from '../../search/count.ts'
import { afterSample, SAMPLE, tells } from '../../search/frequent.ts'
import { mayNameDay } from '../../search/may-name-day.ts'
import { MAX_CHARACTERS, parseQuery, type QueryOptions } from '../../search/parse-query.ts'
import type { Query, Term } from '../../search/query.ts'
import { type Candidate, type Ranked, rank } from '../../search/rank.ts'
import type { IndexEntry } from '../../session/index-entry.ts'
import type { Names } from '../../session/names.ts'
import type { Message } from '../../session/schema.ts'
import { withoutLastSaid } from '../../session/summary.ts'
import { RECORD } from '../../store/layout.ts'
import { differsFromCopy } from '../../store/machine/copied-beyond.ts'
import { listBindings } from '../../store/machine/list-bindings.ts'
import { readUnpublished } from '../../store/machine/unpublished.ts'
import { eachMatchingLine } from '../../store/record/matching-lines.ts'
import { prunedFile, prunedFilesIn } from '../../store/record/pruned-files.ts'
import { messageIn } from '../../store/record/read-messages.ts'
import { namesInRecord, scanConversations } from '../../store/scan.ts'
import { pathBelow, plainPath } from '../../text/project-path.ts'
import { plain } from '../../text/without-accents.ts'
import type { Workspace } from '../../workspace/open.ts'
import { otherCopies } from '../../workspace/repository.ts'
import {
  countInFiles,
  countInMessages,
  emptyCounts,
  type MessageFilter,
  type MessageTally,
} from './count-record.ts'
import { liveByConversation, namesIn } from './list.ts'
import { hasWholes } from './record-line.ts'
import { type KnownFile, knownFiles } from './word-index.ts'

/** Narrows a search. By default, a search covers all messages of conversations that are not archived. */
export interface SearchFilter {
  type?: string | undefined
  client?: string | undefined
  /** Leaves out older messages. */
  since?: Date | undefined
  /** Leaves out newer messages. */
  until?: Date | undefined
  /** The author of messages in a shared workspace. */
  author?: string | undefined
  role?: string | undefined
  /** Only conversations whose tool calls name this file: a path from the working folder, or the end of a path. */
  file?: string | undefined
  archived?: boolean | undefined
  subagents?: boolean | undefined
}

/** A conversation in which something was found. */
export interface Found extends Candidate, Omit<Source, 'files' | 'wholes'> {
  messages: MessageTally
  /** Whether title, summary, tags or id match a part of the query. */
  named: boolean
}

export interface SearchResult {
  query: Query
  /** Best first. */
  found: Ranked<Found>[]
  /** Number of conversations that were left out because they are archived. */
  archived: number
  /** The words of the query that were found nowhere, in any form that counts, without those that name its days. */
  nowhere: string[]
  /** The words that were found only with a typo in them, as `widget` for `winget`. */
  alike: string[]
  /** What was searched, and what the indexes of words knew of it. */
  sources: readonly Source[]
  known: ReadonlyMap<string, KnownFile>
}

/**
 * Finds the conversations that match a query, in messages or in title, summary, tags and id, and ranks them
 * (search/rank.ts). It reads the records themselves, so a change of a record is always seen; an index of words
 * (word-index.ts) only spares lines. If a word matches nothing, a second search allows a typo in it. Undefined for a
 * query without words.
 */
export async function searchConversations(
  ws: Workspace,
  text: string,
  narrowed: SearchFilter = {},
): Promise<SearchResult | undefined> {
  if (parseQuery(text) === undefined) return undefined
  return searchSources(await sourcesOf(ws, narrowed), text, narrowed, await optionsOf(text, ws))
}

/** Returns the days that a query names, and the related words from the settings of these workspaces. */
export async function optionsOf(text: string, ...workspaces: readonly Workspace[]): Promise<QueryOptions> {
  const typed = text.slice(0, MAX_CHARACTERS)
  const now = workspaces[0]?.environment.now() ?? new Date()
  const related = workspaces.flatMap(({ config }) => config.search.related)
  if (!mayNameDay(typed)) return { related }
  const { askedDays, dayWordsIn } = await import('../../search/asked-days.ts')
  const days = askedDays(typed, now)
  return { days, dayWords: days && dayWordsIn(typed, now), related }
}

/**
 * Like `searchConversations`, but in the given conversations, which may be of several workspaces. Ranks them all
 * together.
 */
export function searchSources(
  { open, archived }: Sources,
  text: string,
  narrowed: SearchFilter,
  options: QueryOptions,
): SearchResult | undefined {
  const parsed = parseQuery(text, options)
  if (parsed === undefined) return undefined
  const query = withSample(open, parsed)
  const [first, known] = candidates(open, query, narrowed)
  const typos = new Set(
    unmatched(query, first)
      .filter((term) => mayBeTypo(term) && query.dayWords?.has(term.text) !== true)
      .map(({ text }) => text),
  )
  const again = typos.size === 0 ? undefined : withSample(open, parseQuery(text, { ...options, typos })!)
  const [used, found] = again === undefined ? [query, first] : [again, candidates(open, again, narrowed)[0]]
  const nowhere =
    used.literal === undefined
      ? unmatched(used, found).flatMap(({ text }) => (used.dayWords?.has(text) ? [] : [text]))
      : []
  const alike = [...typos].filter((word) => !nowhere.includes(word))
  return { query: used, found: rank(used, found), archived, nowhere, alike, sources: open, known }
}

/** Joins several wordings of a question into one query, which finds more than each wording alone. */
export function joinWordings(wordings: readonly string[]): string {
  return wordings.join('\n')
}

/** The conversations to search. */
export interface Sources {
  open: Source[]
  /** Number of conversations that are left out because they are archived. */
  archived: number
}

export interface Source {
  /** The root of its workspace. */
  root: string
  /** The local folder of its workspace. */
  local: string
  path: string
  folder: string
  session: IndexEntry
  /** The names of the conversations of its workspace. */
  names: Names
  files: string[]
  /** Whether the full texts of cut results may be beside the record. */
  wholes: boolean
  /** The messages that are recorded, and that the next publishing appends to the record. */
  unpublished: readonly Message[]
}

/**
 * Lists the conversations to search, with their files. A conversation that cannot be read has no files, and does not
 * stop the search of the others.
 */
export async function sourcesOf(ws: Workspace, narrowed: SearchFilter): Promise<Sources> {
  const { root } = ws
  const live = liveByConversation(listBindings(ws.local, ws))
  const entries = scanConversations(root, ws.local, ws)
  const names = namesIn(ws, entries)
  const open: Source[] = []
  let archived = 0
  for (const { path, folder: found, session: recorded, backupOnly, held } of entries) {
    const session = recorded && asNow(recorded, live.get(path))
    if (session === undefined || !isMeant(session, narrowed)) continue
    if (session.archived_at !== undefined && narrowed.archived !== true) {
      archived += 1
      continue
    }
    const nothing: Source = {
      ...{
        root,
        local: ws.local,
        path,
        session,
        names,
        folder: `${root}/${path}`,
        files: [],
        wholes: false,
        unpublished: [],
      },
    }
    const source = await readable(nothing, async (): Promise<Source> => {
      // A scan enters no links.
      const folder = backupOnly === true ? pathInside(root, path) : found
      const isBehind = live.has(path) || backupOnly === true || held === true
      const unpublished =
        isBehind || differsFromCopy(ws.local, path, folder)
          ? await unpublishedIn(ws, path, folder, narrowed.author !== undefined)
          : []
      return { ...nothing, folder, unpublished, ...filesOf(folder, narrowed) }
    })
    const isNamed =
      narrowed.file === undefined || (await readable(false, () => namesFile(ws, source, narrowed.file!)))
    if (isNamed) open.push(source)
  }
  return { open, archived }
}

/** What is talked about now was last active now, in the client in which it is. */
function asNow(session: IndexEntry, live: { at: Date; client: string } | undefined): IndexEntry {
  if (live === undefined) return session
  const isLater = !(new Date(session.last_active) >= live.at)
  return {
    ...session,
    client: live.client,
    ...(isLater && { last_active: live.at.toISOString() }),
  }
}

function isMeant(session: IndexEntry, { type, client, since }: SearchFilter): boolean {
  return (
    (type === undefined || session.conversation_type === type) &&
    (client === undefined || session.client === client) &&
    // A time that cannot be parsed excludes nothing.
    !(since !== undefined && new Date(session.last_active) < since)
  )
}

/**
 * The files of a conversation that are searched. One look says what there is, because most conversations have only the
 * messages. A scan enters no links, and what is there is looked at again before it is read.
 */
function filesOf(folder: string, { subagents }: SearchFilter): Pick<Source, 'files' | 'wholes'> {
  const names = namesInRecord(folder)
  const has = (path: string) => names.includes(basename(path))
  const pruned = has(RECORD.archive) ? prunedFilesIn(folder) : []
  const talks =
    subagents === true && has(RECORD.subagents) ? listInside(folder, RECORD.subagents, '.jsonl') : []
  return {
    files: [
      RECORD.messages,
      ...pruned.map((archive) => prunedFile({ archive })),
      ...talks.map((name) => `${RECORD.subagents}/${name}`),
    ],
    wholes: has(RECORD.attachments) && hasWholes(folder),
  }
}

/**
 * Returns the messages that the record lacks. Usually these messages are cached. The imports are dynamic because they
 * load the readers of all clients and the rules of redaction. `withAuthors`: they name their author, as in the record.
 */
async function unpublishedIn(
  ws: Workspace,
  path: string,
  folder: string,
  withAuthors: boolean,
): Promise<readonly Message[]> {
  if (withAuthors) {
    const { authorOf, withAuthor } = await import('../../conversation/author.ts')
    const { readConversation } = await import('../../conversation/read.ts')
    return withAuthor(readConversation(ws, path), await authorOf(ws)).plan.append
  }
  const { aheadStamp } = await import('../../conversation/read-mark.ts')
  const stamp = aheadStamp(ws, path, folder)
  const cached = readUnpublished(ws.local, path, stamp)
  if (cached !== undefined) return cached
  const { readConversation } = await import('../../conversation/read.ts')
  return readConversation(ws, path).plan.append
}

async function readable<T>(otherwise: T, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof CortextError)) throw error
    return otherwise
  }
}

/** Returns a pattern that matches the names of these files, in any folder, in the plain lines of a record. */
export function fileNamePattern(...files: readonly string[]): RegExp {
  const names = files.map((file) => JSON.stringify(plain(basename(file))).slice(1, -1))
  return new RegExp(names.map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|'), 'g')
}

/** Whether a tool call in a conversation names a file. The import is dynamic because it loads all clients' tools. */
async function namesFile(
  ws: Workspace,
  { folder, files, unpublished }: Source,
  file: string,
): Promise<boolean> {
  const { touchedFiles } = await import('../resuming/touched-files.ts')
  const calls: Message[] = [...unpublished]
  const named = plainPath(file)
  if (basename(named) === '') return false
  const pattern = fileNamePattern(named)
  const take = (line: string) => {
    const message = messageIn(line.trim())
    if (message !== undefined) calls.push(message)
  }
  for (const one of files) eachMatchingLine(folder, one, pattern, take, { signs: true })
  const wanted = plain(pathBelow(ws.root, ws.environment.cwd, file) ?? named)
  return [...touchedFiles([ws.root, ...otherCopies(ws.root)], calls).keys()].some(
    (path) => plain(path) === wanted || `/${plain(path)}`.endsWith(`/${plain(named)}`),
  )
}

/**
 * Adapts the query to the words that are frequent in a sample of messages. Reads only as many conversations as the
 * sample needs.
 */
function withSample(sources: readonly Source[], query: Query): Query {
  const sample = emptyCounts()
  for (const source of sources) {
    if (sample.count >= SAMPLE) break
    ifReadable(() => countInFiles(source, query, undefined, sample))
  }
  return afterSample(query, sample.said, sample.count)
}

function candidates(
  sources: readonly Source[],
  query: Query,
  narrowed: SearchFilter,
): [found: Found[], known: Map<string, KnownFile>] {
  const filter = filterOf(narrowed)
  const known = knownFiles(sources, query, filter !== undefined)
  const found = sources.map(({ files, wholes, ...source }) => {
    const { folder, session, unpublished } = source
    const said = emptyCounts()
    const named = filter === undefined ? headingsOf(session, query) : []
    ifReadable(() => countInFiles({ folder, files, wholes }, query, filter, said, known))
    ifReadable(() => countInMessages(folder, unpublished, query, filter, said))
    return {
      ...source,
      ...{ messages: said.said, count: said.count, talk: Math.max(session.message_count, 1) },
      ...{ headings: named, named: named.length > 0 },
    }
  })
  return [found, known]
}

/** What cannot be read counts nothing. */
export function ifReadable(read: () => void): void {
  withDefault(undefined, read)
}

function filterOf({ since, until, author, role }: SearchFilter): MessageFilter {
  if ([since, until, author, role].every((one) => one === undefined)) return undefined
  const wanted = author?.toLowerCase()
  return (message) =>
    (role === undefined || message.role === role) &&
    (wanted === undefined || message.author?.toLowerCase() === wanted) &&
    // A time that cannot be parsed excludes nothing.
    !(since !== undefined && new Date(message.timestamp) < since) &&
    !(until !== undefined && new Date(message.timestamp) > until)
}

/** Weight of a word in the metadata of a conversation; in a message it is 1. */
const HEADING_WEIGHTS = { title: 1.5, tags: 2, summary: 1.5, id: 0.5 }

function headingsOf(session: IndexEntry, query: Query): Found['headings'] {
  const { title, tags = [], context_summary: summary, conversation_id: id } = session
  const texts = [
    { text: title, weight: HEADING_WEIGHTS.title },
    { text: tags.join(' | '), weight: HEADING_WEIGHTS.tags },
    { text: withoutLastSaid(summary), weight: HEADING_WEIGHTS.summary },
    { text: id, weight: HEADING_WEIGHTS.id },
  ]
  return texts.flatMap((one) => counted(one, query))
}

function counted({ text, weight }: { text: string; weight: number }, query: Query): Found['headings'] {
  const tally = emptyTally()
  return countIn(plain(text), query, tally) && tells(query, tally) ? [{ counted: tally, weight }] : []
}

/** Returns the words of a query that match nothing. */
function unmatched({ terms, phrases, frequent }: Query, found: readonly Found[]): Term[] {
  // Frequent words count as matched, because messages that contain only frequent words are not counted.
  const matched = new Set(frequent?.keys())
  // The counts are flat: so many numbers for each text (search/count.ts).
  const width = terms.length + phrases.length
  for (const { messages, headings } of found)
    for (const { counts } of [messages, ...headings.map(({ counted }) => counted)])
      for (let index = 0; index < counts.length; index += 1)
        if (counts[index]! > 0) matched.add(index % width)
  return terms.filter(({ related }, index) => !related && !matched.has(index))
}

/** Whether a word is long enough for a search with a typo. */
function mayBeTypo({ text, unspaced }: Term): boolean {
  return !unspaced && text.length >= MIN_TYPO_LENGTH
}

const MIN_TYPO_LENGTH = 4
