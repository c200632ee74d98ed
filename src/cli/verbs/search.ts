import type { Environment } from '../../io/environment.ts'
import type { Everywhere } from '../../journeys/finding/everywhere.ts'
import { missingLine, nearestLine } from '../../journeys/finding/lines-above-hits.ts'
import {
  type FoundMessage,
  MAX_SHOWN,
  moreMessages,
  type Passages,
  passagesIn,
  saidAt,
} from '../../journeys/finding/passages.ts'
import {
  type Found,
  joinWordings,
  type SearchFilter,
  type SearchResult,
  searchConversations,
} from '../../journeys/finding/search.ts'
import { extendIndexes } from '../../journeys/finding/word-index.ts'
import type { Fit } from '../../search/rank.ts'
import { authorOfMessage } from '../../session/sharing/authors.ts'
import { withoutInvisible } from '../../text/invisible.ts'
import { cutAtWord, oneLine } from '../../text/line.ts'
import { localTime } from '../../text/local-time.ts'
import { paste } from '../../text/paste.ts'
import { relativeTime } from '../../text/relative-time.ts'
import type { Workspace } from '../../workspace/open.ts'
import { knowsNone, NO_WORKSPACES, noteUnread, openHere, shortPath, workspaceOrNone } from '../everywhere.ts'
import { look } from '../first-step.ts'
import { dateOf, endOf, numberOf, roleOf } from '../option-values.ts'
import { lineWidth, note, type Piece, rowsOf, say, sayJson, sayPieces, screenRows } from '../print.ts'
import { branchNotes } from './list/branch-notes.ts'

export interface SearchVerbOptions {
  type?: string
  in?: string
  since?: string
  until?: string
  author?: string
  file?: string
  role?: string
  all?: boolean
  everywhere?: boolean
  sort?: string
  limit?: string
  json?: boolean
  /** The hits name a command that an agent may run without asking. */
  agent?: boolean
}

const DEFAULT_LIMIT = 5

interface Searching {
  here?: Workspace
  everywhere?: Everywhere
  searched: SearchResult | undefined
}

interface Hit extends Passages {
  found: Found
  score: number
  fit: Fit
  /** The words of the query that the conversation has in no form, without those that say little. */
  missing: string[]
}

export async function searchVerb(
  environment: Environment,
  words: string[],
  options: SearchVerbOptions,
): Promise<void> {
  const { type, in: client, author, file, all } = options
  const narrowed = {
    ...{ type, client, author, file, archived: all, subagents: all },
    role: options.role === undefined ? undefined : roleOf(options.role),
    since: options.since === undefined ? undefined : dateOf(options.since),
    until: options.until === undefined ? undefined : endOf(options.until),
  }
  const text = words.some((word) => /\s/.test(word.trim())) ? joinWordings(words) : words.join(' ')
  const searching = await search(environment, text, narrowed, options)
  await report(environment, words, text, options, searching)
  const { searched } = searching
  if (searched !== undefined) extendIndexes(searched.sources, searched.known)
}

async function report(
  environment: Environment,
  words: readonly string[],
  text: string,
  options: SearchVerbOptions,
  { here, everywhere, searched }: Searching,
): Promise<void> {
  const limit = options.limit === undefined ? DEFAULT_LIMIT : numberOf(options.limit, '--limit 20')
  const ranked = searched?.found ?? []
  const isWeak = ranked[0]?.fit === 'weak'
  const hits = ranked.slice(0, limit).map(
    (one, index): Hit => ({
      ...{ found: one.candidate, score: one.score, fit: one.fit, missing: one.missing },
      ...passagesIn(one, searched!.query, { isBest: index === 0 }),
    }),
  )
  if (options.sort === 'time') hits.sort((a, b) => saidAt(a, a.found) - saidAt(b, b.found))
  const left = { conversations: ranked.length, archived: searched?.archived ?? 0 }
  const isPoor = hits.length === 0 || isWeak
  // Imported only here, because it loads all clients, and most searches find something.
  const notSaved =
    isPoor && here !== undefined
      ? (await import('./list/sessions-not-saved.ts')).sessionNotes(environment, here, text)
      : undefined
  if (options.json)
    return sayJson(
      everywhere === undefined
        ? { hits: hits.map(asJson), ...left, ...(notSaved && { not_saved: notSaved.json }) }
        : allAsJson(hits, left, everywhere),
    )
  if (everywhere !== undefined && knowsNone(everywhere)) return say(NO_WORKSPACES)
  const said = words.join(' ')
  if (hits.length === 0) say(`Nothing was found for "${said}".`)
  if (hits.length === 0 && here !== undefined) note((await branchNotes(here)).lines)
  const show = options.agent ? 'cortext agent show' : 'cortext show'
  let isCut = false
  if (searched !== undefined && hits.length > 0) {
    const best = ranked[0]!.candidate
    const nearest = nearestLine(searched, hits, text)
    const linesOf = (hit: Hit, passages: number) => {
      const messages = hit.messages.slice(0, hit.found === best ? passages : 1)
      const missing = missingLine(hit, searched, { named: nearest?.named, asked: text })
      return [...hitLines(environment, { ...hit, messages }, { missing, here: here?.root, show }), []]
    }
    const isWhole = options.limit !== undefined || options.sort === 'time'
    const rows = isWhole ? undefined : screenRows()
    const room = rows && rows - ROWS_BELOW - (nearest === undefined ? 0 : ROWS_ABOVE)
    const { whole, others, passages } = layoutOf(room, hits, linesOf)
    isCut = whole < hits.length
    if (nearest !== undefined) say(nearest.line, '')
    for (const hit of hits.slice(0, whole)) sayPieces(...linesOf(hit, passages))
    const heads = hits.slice(whole, whole + others).map(({ found }) => headOf(environment, found, here?.root))
    if (heads.length > 0) say(...heads, '')
  }
  if (isWeak) note('To find more, try other words, or fewer.')
  if (notSaved !== undefined) note(notSaved.lines)
  if (isCut || left.conversations > hits.length) note(`To see more: --limit ${isCut ? limit : 2 * limit}`)
  if (left.archived > 0) note(`Archived and not searched: ${left.archived}. To search these too: --all`)
  if (everywhere !== undefined) noteUnread(everywhere, environment)
}

async function search(
  environment: Environment,
  text: string,
  narrowed: SearchFilter,
  { everywhere: all = false, agent = false }: SearchVerbOptions,
): Promise<Searching> {
  const here = all
    ? workspaceOrNone(environment)
    : openHere(environment, agent ? undefined : paste`cortext search ${text} --everywhere`)
  if (here !== undefined) await look(here)
  if (here !== undefined && !all) return { here, searched: await searchConversations(here, text, narrowed) }
  // Imported only here, because most searches do not need these files.
  const { openEverywhere, searchEverywhere } = await import('../../journeys/finding/everywhere.ts')
  const { withProgress } = await import('../progress/index.ts')
  return withProgress('Searching all workspaces', async () => {
    const everywhere = await openEverywhere(environment, here)
    return { ...(here && { here }), everywhere, searched: await searchEverywhere(everywhere, text, narrowed) }
  })
}

/**
 * How many of these hits are printed whole, how many of the others with a line, and how many passages of the best one, so
 * that it stays on the screen.
 */
function layoutOf(
  room: number | undefined,
  hits: readonly Hit[],
  linesOf: (hit: Hit, passages: number) => Piece[][],
): { whole: number; others: number; passages: number } {
  const lengths = hits.map((hit) => rowsOf(linesOf(hit, MAX_SHOWN.best)))
  const left = room ?? Number.POSITIVE_INFINITY
  let [whole, taken] = [1, lengths[0]!]
  while (whole < hits.length && taken + lengths[whole]! + hits.length - whole - 1 <= left) {
    taken += lengths[whole]!
    whole += 1
  }
  let passages = MAX_SHOWN.best
  while (passages > 1 && taken > left) {
    passages -= 1
    taken = rowsOf(linesOf(hits[0]!, passages))
  }
  return { whole, others: Math.min(hits.length - whole, Math.max(left - taken, 0)), passages }
}

/** A line above the hits, with an empty one. */
const ROWS_ABOVE = 2
/** An empty line after the others, one that says how to see more, and the prompt. */
const ROWS_BELOW = 3

/**
 * Returns the lines of a hit: the conversation, its passages, and the command that opens the best passage. This command
 * begins with `show`.
 */
function hitLines(
  environment: Environment,
  { found, messages, total, fit }: Hit,
  { missing, here, show }: { missing: string | undefined; here: string | undefined; show: string },
): Piece[][] {
  const { root, path, session, names } = found
  const name = names.nameOf(path)
  const isHere = root === here
  const when = relativeTime(new Date(session.last_active), environment.now())
  const where = isHere ? oneLine(name) : shortPath(root, environment)
  const at = messages.find((one) => one.at !== undefined)?.at
  const open = `${show} ${at === undefined ? paste`${name}` : paste`${name} --at ${at}`}`
  return [
    [
      headLine(`[${oneLine(session.conversation_type)}] `, oneLine(session.title), [
        `  (${where}, ${when})`,
        ...(fit === 'sure' ? ['  (sure)'] : []),
      ]),
    ],
    ...(missing === undefined ? [] : [[`   ${missing}`]]),
    ...messages.flatMap((one) => [
      [`   ${whoAndWhen(one)}: `, ...piecesOf(one)],
      ...(one.next ?? []).map(({ role, text }) => [`   then ${role}: ${withoutInvisible(text)}`]),
    ]),
    ...(total > messages.length ? [[`   … ${moreMessages(total - messages.length)}`]] : []),
    [`   → ${isHere ? '' : paste`cd ${root} && `}${open}`],
  ]
}

/** The line of a hit of which nothing else is shown. */
function headOf(
  environment: Environment,
  { root, path, session, names }: Found,
  here: string | undefined,
): string {
  const when = relativeTime(new Date(session.last_active), environment.now())
  const where = root === here ? oneLine(names.nameOf(path)) : shortPath(root, environment)
  return headLine(`${where}  `, oneLine(session.title), [`  (${when})`])
}

/** The title is cut so that the line fits the terminal. */
function headLine(before: string, title: string, after: readonly string[]): string {
  const rest = after.join('')
  const room = (lineWidth() ?? WIDE) - before.length - rest.length
  return before + cutAtWord(title, Math.max(room - 1, SHORTEST_TITLE)) + rest
}

const WIDE = 140
const SHORTEST_TITLE = 30

function whoAndWhen({ message, file }: FoundMessage): string {
  const author = authorOfMessage(message)
  const where = file === undefined ? '' : `, ${file}`
  return oneLine(
    `${author === undefined ? message.role : `${message.role} (${author})`}, ${localTime(message.timestamp)}${where}`,
  )
}

/** Makes the found words bold in a terminal. Other outputs have no marks, so that programs can compare texts. */
function piecesOf({ text, marks }: FoundMessage): Piece[] {
  const pieces: Piece[] = []
  const part = (start: number, end?: number) => withoutInvisible(text.slice(start, end))
  let last = 0
  for (const [start, end] of marks) {
    pieces.push(part(last, start), { bold: part(start, end) })
    last = end
  }
  return [...pieces, part(last)]
}

function allAsJson(hits: readonly Hit[], left: object, { unread }: Everywhere) {
  return { hits: hits.map((hit) => ({ workspace: hit.found.root, ...asJson(hit) })), ...left, unread }
}

function asJson({ found, score, fit, messages, total, missing }: Hit) {
  const { path, session, names, named } = found
  return {
    ...{
      id: names.idOf(path),
      name: names.nameOf(path),
      path,
      title: session.title,
      type: session.conversation_type,
      client: session.client,
    },
    ...{ last_active: session.last_active, archived: session.archived_at !== undefined },
    ...{ score: rounded(score), fit, inMetadata: named, total, missing },
    messages: messages.map(({ message, at, file, score, text, marks, next }) => ({
      ...{
        id: message.id,
        role: message.role,
        author: authorOfMessage(message),
        timestamp: message.timestamp,
      },
      ...{ at, file, score: rounded(score), excerpt: text, marks, next },
    })),
  }
}

function rounded(score: number): number {
  return Number(score.toFixed(3))
}
