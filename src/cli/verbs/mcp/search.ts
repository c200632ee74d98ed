import { readConversation } from '../../../conversation/read.ts'
import { CortextError } from '../../../errors.ts'
import { missingLine, nearestLine } from '../../../journeys/finding/lines-above-hits.ts'
import { type FoundMessage, moreMessages, passagesIn, saidAt } from '../../../journeys/finding/passages.ts'
import {
  type Found,
  joinWordings,
  type SearchResult,
  searchConversations,
} from '../../../journeys/finding/search.ts'
import { extendIndexes } from '../../../journeys/finding/word-index.ts'
import type { Fit, Ranked } from '../../../search/rank.ts'
import { safeLine } from '../../../session/resume-block.ts'
import { cutAtWord } from '../../../text/line.ts'
import type { Workspace } from '../../../workspace/open.ts'
import { roleOf } from '../../option-values.ts'
import { type Arguments, dateIn, numberIn, optionalText, textsIn } from './arguments.ts'
import { DATA } from './bounded.ts'
import { numbersIn, timeOf } from './steps.ts'

/** Number of conversations that are listed by default. If the first is sure, or none fits, more do not help. */
const LIMITS: Readonly<Record<Fit, number>> = { sure: 4, likely: 10, weak: 5 }

/**
 * Lists the conversations that answer a question (in one or several wordings), best first. Each has its id and its best
 * messages, with the numbers that show_messages accepts. Throws `usage`.
 */
export async function searchWorkspace(ws: Workspace, given: Arguments): Promise<string> {
  const wordings = wordingsIn(given)
  const narrowed = filterIn(given)
  const searched = await searchConversations(ws, joinWordings(wordings), narrowed)
  if (searched === undefined || searched.found.length === 0) return nothingFound(wordings, narrowed)
  const { found, sources, known } = searched
  // The answer comes first.
  setImmediate(() => extendIndexes(sources, known))
  const isWeak = found[0]!.fit === 'weak'
  const byTime = isByTime(given)
  const limit = numberIn(given, 'limit') ?? LIMITS[byTime ? 'likely' : found[0]!.fit]
  const nearest = nearestLine(searched, found.slice(0, limit), wordings.join(' '))
  const named = nearest?.named
  const hits = found.slice(0, limit).map((one, index) => hitOf(ws, one, searched, { place: index, named }))
  const hidden = found.length - hits.length
  const opened = hits.find(({ first }) => first !== undefined)
  const shown = byTime ? hits.toSorted((a, b) => a.at - b.at) : hits
  return [
    DATA,
    ...(nearest === undefined ? [] : [isWeak ? `Try other words. ${nearest.line}` : nearest.line]),
    opened === undefined
      ? 'More of one: get_context with its id.'
      : `To read a hit with what was said around it: show_messages {"id": "${opened.id}", "around": ${opened.first}}.`,
    ...(byTime ? ['The oldest comes first: what is said in it may have been changed by a later one.'] : []),
    ...shown.flatMap(({ lines }) => lines),
    ...(hidden > 0
      ? [
          '',
          `${hidden} more conversation${hidden === 1 ? ' matches' : 's match'} less well: a higher limit shows them.`,
        ]
      : []),
  ].join('\n')
}

/** Wordings are accepted under the name `query` too. */
function wordingsIn(given: Arguments): string[] {
  const wordings = [...textsIn(given, 'queries'), ...textsIn(given, 'query')]
  if (wordings.length > 0) return wordings
  throw new CortextError('usage', '"queries" is missing', {
    fix: '"queries": ["a question", "the same in other words", "words of the answer"]',
  })
}

function filterIn(given: Arguments) {
  const role = optionalText(given, 'role')
  return {
    since: dateIn(given, 'since'),
    until: dateIn(given, 'until', { end: true }),
    role: role === undefined ? undefined : roleOf(role, '"role": "user"'),
    file: optionalText(given, 'file'),
    author: optionalText(given, 'author'),
  }
}

function nothingFound(wordings: readonly string[], narrowed: ReturnType<typeof filterIn>): string {
  const words = wordings.map((wording) => `"${safeLine(wording)}"`).join(', ')
  const filters = Object.entries(narrowed).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  return filters.length === 0
    ? `Nothing was found for ${words}. Fewer or other words may find it.`
    : `Nothing was found for ${words} with ${filters.join(', ')}. Try without these filters, or with other words.`
}

/** Throws `usage`. */
function isByTime(given: Arguments): boolean {
  const sort = optionalText(given, 'sort') ?? 'relevance'
  if (sort === 'relevance' || sort === 'time') return sort === 'time'
  throw new CortextError('usage', `"${safeLine(sort)}" is not an order: relevance, time`, {
    fix: '"sort": "time"',
  })
}

/** So many conversations are shown with more than their best message: the others may not be read. */
const WITH_MORE = 4

/** The lines of a found conversation. `first` is the number of the first listed message that has a number. */
interface Hit {
  id: string
  /** When its best message was said, in milliseconds. */
  at: number
  first: number | undefined
  lines: string[]
}

function hitOf(
  ws: Workspace,
  one: Ranked<Found>,
  searched: SearchResult,
  { place, named }: { place: number; named: readonly string[] | undefined },
): Hit {
  const { path, session, names } = one.candidate
  const id = safeLine(names.nameOf(path))
  const passages = passagesIn(one, searched.query, { isBest: place === 0 })
  const { total } = passages
  const messages = passages.messages.slice(0, place < WITH_MORE ? undefined : 1)
  // `asked` gives a person the words back as they were typed. A model has them.
  const missing = one.fit === 'sure' ? undefined : missingLine(one, searched, { named, asked: '' })
  const numbers = messages.some(({ at }) => at !== undefined) ? numbersOf(ws, path) : undefined
  const numbered = messages.map((found) => ({ found, number: numbers?.get(found.message.id) }))
  const further = total - messages.length
  const lines = [
    '',
    `${id}  [${safeLine(session.conversation_type)}] ${cutAtWord(safeLine(session.title), 100)}${one.fit === 'sure' ? '  (sure)' : ''}`,
    ...(missing === undefined ? [] : [`  ${safeLine(missing)}`]),
    ...numbered.flatMap(({ found, number }) => [
      messageLine(found, number),
      ...(place < WITH_MORE ? (found.next ?? []) : []).map(
        ({ role, text }) => `  then ${role}: ${safeLine(text)}`,
      ),
    ]),
    ...(further > 0 ? [`  … ${moreMessages(further)}`] : []),
  ]
  const first = numbered.find(({ number }) => number !== undefined)?.number
  return { id, at: saidAt(passages, one.candidate), first, lines }
}

/** Undefined if the conversation cannot be read, so that the other conversations are still listed. */
function numbersOf(ws: Workspace, path: string): Map<string, number> | undefined {
  try {
    return numbersIn(readConversation(ws, path).messages)
  } catch (error) {
    if (!(error instanceof CortextError)) throw error
    return undefined
  }
}

/** A pruned message, or one of a subagent, has the name of its file instead of a number. */
function messageLine({ message, file, text }: FoundMessage, number: number | undefined): string {
  const where = number === undefined ? '' : `#${number} `
  const inFile = file === undefined ? '' : `, in ${safeLine(file)}`
  return `  ${where}${message.role}, ${timeOf(message)}${inFile}: ${safeLine(text)}`
}
