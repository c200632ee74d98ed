import { callKey, textOf } from '../session/live-path.ts'
import type { Message } from '../session/schema.ts'
import { resultOf } from '../session/tool-use.ts'
import { pruneArgument, pruneResult } from './prune-result.ts'
import { type Answers, toolOf } from './rendering/answers.ts'
import { callsOf, type History, type Piece, type Room, type StrategyResult } from './strategy.ts'

/**
 * How a message is shown:
 * * `whole`: as it is in the record
 * * `talk`: its text, and its tool calls in a line
 * * `cut`: shortened
 * * `pruned`: shortened, of a tool result
 */
export interface Shown {
  piece: Piece
  how: 'whole' | 'pruned' | 'talk' | 'cut'
}

/** The messages that are shown, by their indexes on the live path. */
export type ShownAt = Map<number, Shown>

/** `addResults` adds nothing more when fewer tokens than this are left. */
const MIN_TOKENS_LEFT = 24
/** `addResults` tries no older calls after this number of calls in a row that do not fit. */
const MAX_MISFITS = 60

/**
 * Fills `left` tokens with the results of calls that are reported in a line. Returns the tokens that it used. It goes on
 * until too few are left:
 * 1. the newest call first: shows it as it was made, with its results whole, or pruned if only that fits
 * 2. shows calls that did not fit with their results cut
 * 3. shows more of the newest result that is pruned
 */
export function addResults(shown: ShownAt, { live, answers }: History, room: Room, left: number): number {
  const indexes = indexesOfResults(live)
  let used = 0
  let misfits = 0
  const tooLong: number[][] = []
  for (
    let index = live.length - 1;
    index >= 0 && left - used >= MIN_TOKENS_LEFT && misfits < MAX_MISFITS;
    index--
  ) {
    const line = shown.get(index)
    const message = live[index]!
    const { tool_calls: calls = [] } = message
    if (line?.how !== 'talk' || calls.length === 0) continue
    const results = calls.flatMap(({ id }) => indexes.get(callKey(message, id)) ?? [])
    // A call without its results says more as a line. And models accept no other message between a call and its
    // results.
    if (results.length < calls.length || !results.every((one) => followsDirectly(live, index, one))) continue
    // The tokens of its line are not won back, although it is gone: it may have been in the middle of a joined line, of
    // which two remain. So a call with results of 100 tokens and a line of 10 uses 110.
    const maxTokens = left - used - room.cost(line.piece)
    const ways = (['whole', 'pruned'] as const).map((how) =>
      callWithResults(live, [index, ...results], answers, how),
    )
    const fitting = ways.find((way) => costOf(way, room, maxTokens) <= maxTokens)
    if (fitting === undefined) {
      misfits += 1
      tooLong.push([index, ...results])
      continue
    }
    misfits = 0
    used += costOf(fitting, room, maxTokens) + room.cost(line.piece)
    for (const [shownIndex, message] of fitting) shown.set(shownIndex, message)
  }
  for (const call of tooLong)
    if (left - used >= MIN_TOKENS_LEFT) used += addCut(shown, { live, answers }, room, call, left - used)
  return used + (left - used < MIN_TOKENS_LEFT ? 0 : lengthen(shown, { live, answers }, room, left - used))
}

/** Shows more of the newest result that is pruned. Returns the tokens that it used. */
function lengthen(
  shown: ShownAt,
  { live, answers }: Pick<History, 'live' | 'answers'>,
  room: Room,
  left: number,
): number {
  let index = -1
  for (const [shownIndex, { how }] of shown) if (how === 'pruned' && shownIndex > index) index = shownIndex
  if (index === -1) return 0
  const before = room.cost(shown.get(index)!.piece)
  const message = cutResult(live[index]!, answers, room, before + left)
  const more = message === undefined ? 0 : room.cost({ message }) - before
  if (message === undefined || more <= 0) return 0
  shown.set(index, { piece: { message }, how: message === live[index] ? 'whole' : 'pruned' })
  return more
}

/**
 * Shows a call with its results. Each result is cut to an equal share of the tokens left. Returns the tokens that it
 * used.
 */
function addCut(
  shown: ShownAt,
  { live, answers }: Pick<History, 'live' | 'answers'>,
  room: Room,
  [call, ...results]: number[],
  left: number,
): number {
  const line = room.cost(shown.get(call!)!.piece)
  const whole = live[call!]!
  const message = withShortArguments(whole)
  let free = left - line - room.cost({ message }, Math.max(0, left - line))
  const entries: [number, Shown][] = [
    [call!, { piece: { message }, how: message === whole ? 'whole' : 'cut' }],
  ]
  for (const [n, index] of results.entries()) {
    const result = cutResult(live[index]!, answers, room, Math.floor(free / (results.length - n)))
    if (result === undefined) return 0
    free -= room.cost({ message: result })
    entries.push([index, { piece: { message: result }, how: result === live[index] ? 'whole' : 'pruned' }])
  }
  for (const [index, entry] of entries) shown.set(index, entry)
  return left - free
}

/** Prunes long arguments of calls, such as the text of an edit. Returns the same object when no argument is long. */
function withShortArguments(message: Message): Message {
  let changed = false
  const calls = (message.tool_calls ?? []).map((call) => {
    if (typeof call.arguments !== 'object' || call.arguments === null) return call
    const given = Object.entries(call.arguments).map(([name, value]) => {
      const short = typeof value === 'string' ? pruneArgument(value) : value
      changed ||= short !== value
      return [name, short]
    })
    return { ...call, arguments: Object.fromEntries(given) }
  })
  return changed ? { ...message, tool_calls: calls } : message
}

/**
 * Returns the result whole if it fits. Otherwise returns a line on what was pruned, with as much text as fits below it.
 * Undefined when hardly any text fits.
 */
export function cutResult(
  result: Message,
  answers: Answers,
  room: Room,
  maxTokens: number,
): Message | undefined {
  if (room.cost({ message: result }, Math.max(0, maxTokens)) <= maxTokens) return result
  const shorter = pruned(result, answers)
  // What is short enough has no such line, though it may begin like one.
  const [head = ''] = shorter === result ? [] : (PRUNED_HEAD.exec(textOf(shorter)) ?? [])
  const left = maxTokens - room.cost({ message: { ...result, content: head } })
  const cut = left < MIN_TOKENS_LEFT ? '' : room.cut(textOf(result), left - CUT_SEAM)
  const message = { ...result, content: `${head}${cut}` }
  return cut !== '' && room.cost({ message }, maxTokens) <= maxTokens ? message : undefined
}

const PRUNED_HEAD = /^\[[^\n]*\]\n/

/** A joined text may have this many tokens more than its parts. */
const CUT_SEAM = 4

/** Whether every message between a call and its result answers a call too. */
function followsDirectly(live: readonly Message[], call: number, result: number): boolean {
  return result > call && live.slice(call + 1, result).every((one) => one.tool_call_id !== undefined)
}

/** Shows a call and its results, whole or pruned. */
function callWithResults(
  live: readonly Message[],
  [call, ...results]: readonly number[],
  answers: Answers,
  how: 'whole' | 'pruned',
): ShownAt {
  const entries: [number, Shown][] = results.map((index) => {
    const result = live[index]!
    const message = how === 'pruned' ? pruned(result, answers) : result
    return [index, { piece: { message }, how: message === result ? 'whole' : 'pruned' }]
  })
  const whole = live[call!]!
  const message = how === 'pruned' ? withShortArguments(whole) : whole
  return new Map([[call!, { piece: { message }, how: message === whole ? 'whole' : 'cut' }], ...entries])
}

function costOf(shown: ShownAt, room: Room, maxTokens: number): number {
  let sum = 0
  for (const { piece } of shown.values()) {
    if (sum > maxTokens) return sum
    sum += room.cost(piece, maxTokens - sum)
  }
  return sum
}

/** The index of the result of each call, by the call's key. */
function indexesOfResults(live: readonly Message[]): Map<string, number> {
  const indexes = new Map<string, number>()
  for (const [index, message] of live.entries())
    if (message.role === 'tool' && message.tool_call_id !== undefined)
      indexes.set(callKey(message, message.tool_call_id), index)
  return indexes
}

/** Puts the messages in order and counts them for a receipt. */
export function countShown(
  shown: ShownAt,
  live: readonly Message[],
): Omit<StrategyResult, 'summarised'> & { entries: [number, Shown][] } {
  const entries = [...shown].sort(([a], [b]) => a - b)
  const isResult = ([index]: [number, Shown]) => live[index]!.role === 'tool'
  const [results, talk] = [entries.filter(isResult), entries.filter((entry) => !isResult(entry))]
  const cut = talk.filter(([, { how }]) => how === 'cut').length
  const prunedResults = results.filter(([, { how }]) => how === 'pruned').length
  return {
    entries,
    pieces: entries.map(([, { piece }]) => piece),
    whole: talk.length - cut,
    shortened: cut,
    toolResultsWhole: results.length - prunedResults,
    toolResultsPruned: prunedResults,
    toolCallsInALine: callsOf(talk.flatMap(([index, { how }]) => (how === 'talk' ? [live[index]!] : []))),
  }
}

/** Shortens a tool result. Returns the same object for a short one, and for a message that is not a tool result. */
export function pruned(message: Message, answers: Answers): Message {
  if (message.role !== 'tool') return message
  const text = textOf(message)
  const kind = resultOf(answers.tools, toolOf(message, answers.calls), message.client)
  const shorter = pruneResult(text, kind)
  return shorter === text ? message : { ...message, content: shorter }
}
