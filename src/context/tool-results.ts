import { textOf } from '../session/live-path.ts'
import type { Message } from '../session/schema.ts'
import { resultOf } from '../session/tool-use.ts'
import { pruneArgument, pruneResult } from './prune-result.ts'
import { type Answers, toolOf } from './render.ts'
import { callsOf, type History, type Piece, type Room, type Told } from './strategy.ts'

/** How a message of the live path is shown: as it was said, with each tool call in a line, or cut; a result may be pruned. */
export interface Shown {
  piece: Piece
  how: 'whole' | 'pruned' | 'talk' | 'cut'
}

/** The pieces of a history by their places on the live path. */
export type ShownAt = Map<number, Shown>

/** Less room than this is left as it is. */
const MIN = 24
/** So many calls in a row that do not fit, and older ones are not looked at any more. */
const MAX_MISSES = 60

/**
 * Fills `left` tokens with answers of tools: a call that was reported in a line is shown as it was made, with its results
 * whole, or pruned where only that fits. The newest go first. At last one that does not fit is cut to the rest.
 * Returns the tokens that it has used.
 */
export function addResults(shown: ShownAt, { live, answers }: History, room: Room, left: number): number {
  const places = placesOfResults(live)
  let used = 0
  let misses = 0
  const tooLong: number[][] = []
  for (let place = live.length - 1; place >= 0 && left - used >= MIN && misses < MAX_MISSES; place--) {
    const line = shown.get(place)
    const { tool_calls: calls = [] } = live[place]!
    if (line?.how !== 'talk' || calls.length === 0) continue
    const results = calls.flatMap(({ id }) => places.get(id) ?? [])
    // Without its result a call says more in its line, and models take nothing between the two.
    if (results.length < calls.length || !results.every((one) => isBehind(live, place, one))) continue
    // A line that is taken out of the middle of several calls leaves two, each with a head.
    const most = left - used - room.cost(line.piece)
    const ways = (['whole', 'pruned'] as const).map((how) => unit(live, [place, ...results], answers, how))
    const fitting = ways.find((way) => costOf(way, room, most) <= most)
    if (fitting === undefined) {
      misses += 1
      tooLong.push([place, ...results])
      continue
    }
    misses = 0
    used += costOf(fitting, room, most) + room.cost(line.piece)
    for (const [at, one] of fitting) shown.set(at, one)
  }
  for (const one of tooLong)
    if (left - used >= MIN) used += addCut(shown, { live, answers }, room, one, left - used)
  return used + (left - used < MIN ? 0 : lengthen(shown, { live, answers }, room, left - used))
}

/** Shows more of the newest result that is pruned. Returns the tokens that it has used. */
function lengthen(
  shown: ShownAt,
  { live, answers }: Pick<History, 'live' | 'answers'>,
  room: Room,
  left: number,
): number {
  let place = -1
  for (const [at, { how }] of shown) if (how === 'pruned' && at > place) place = at
  if (place === -1) return 0
  const before = room.cost(shown.get(place)!.piece)
  const message = cutResult(live[place]!, answers, room, before + left)
  const more = message === undefined ? 0 : room.cost({ message }) - before
  if (message === undefined || more <= 0) return 0
  shown.set(place, { piece: { message }, how: 'pruned' })
  return more
}

/** Shows a call with each of its results cut to its share of the room. Returns the tokens that it has used. */
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
  for (const [n, place] of results.entries()) {
    const result = cutResult(live[place]!, answers, room, Math.floor(free / (results.length - n)))
    if (result === undefined) return 0
    free -= room.cost({ message: result })
    entries.push([place, { piece: { message: result }, how: result === live[place] ? 'whole' : 'pruned' }])
  }
  for (const [at, one] of entries) shown.set(at, one)
  return left - free
}

/** The message with its long arguments, such as the text of an edit, pruned; the same object where none is long. */
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
 * The result whole, else with as much of its text as fits below the line that says what was pruned; undefined when that
 * is next to nothing.
 */
export function cutResult(result: Message, answers: Answers, room: Room, most: number): Message | undefined {
  if (room.cost({ message: result }, Math.max(0, most)) <= most) return result
  const [head = ''] = PRUNED_HEAD.exec(textOf(pruned(result, answers))) ?? []
  const left = most - room.cost({ message: { ...result, content: head } })
  const cut = left < MIN ? '' : room.cut(textOf(result), left - CUT_SEAM)
  const message = { ...result, content: `${head}${cut}` }
  return cut !== '' && room.cost({ message }, most) <= most ? message : undefined
}

const PRUNED_HEAD = /^\[[^\n]*\]\n/

/** Joined text may count a little more than its parts. */
const CUT_SEAM = 4

/** Whether only answers to the same message are between a call and its result. */
function isBehind(live: readonly Message[], call: number, result: number): boolean {
  return result > call && live.slice(call + 1, result).every((one) => one.tool_call_id !== undefined)
}

/** A call and its results. */
function unit(
  live: readonly Message[],
  [call, ...results]: readonly number[],
  answers: Answers,
  how: 'whole' | 'pruned',
): ShownAt {
  const entries: [number, Shown][] = results.map((place) => {
    const result = live[place]!
    const message = how === 'pruned' ? pruned(result, answers) : result
    return [place, { piece: { message }, how: message === result ? 'whole' : 'pruned' }]
  })
  const whole = live[call!]!
  const message = how === 'pruned' ? withShortArguments(whole) : whole
  return new Map([[call!, { piece: { message }, how: message === whole ? 'whole' : 'cut' }], ...entries])
}

function costOf(shown: ShownAt, room: Room, most: number): number {
  let sum = 0
  for (const { piece } of shown.values()) {
    if (sum > most) return sum
    sum += room.cost(piece, most - sum)
  }
  return sum
}

function placesOfResults(live: readonly Message[]): Map<string, number> {
  const places = new Map<string, number>()
  for (const [place, { role, tool_call_id: id }] of live.entries())
    if (role === 'tool' && id !== undefined) places.set(id, place)
  return places
}

/** The pieces in order, and what a receipt counts of them. */
export function toldOf(
  shown: ShownAt,
  live: readonly Message[],
): Omit<Told, 'summarised'> & { entries: [number, Shown][] } {
  const entries = [...shown].sort(([a], [b]) => a - b)
  const isResult = ([place]: [number, Shown]) => live[place]!.role === 'tool'
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
    toolCallsInALine: callsOf(talk.flatMap(([place, { how }]) => (how === 'talk' ? [live[place]!] : []))),
  }
}

/** Returns the same object when nothing is shortened: for short results, and for messages that are not tool results. */
export function pruned(message: Message, answers: Answers): Message {
  if (message.role !== 'tool') return message
  const text = textOf(message)
  const kind = resultOf(answers.tools, toolOf(message, answers.calls), message.client)
  const shorter = pruneResult(text, kind)
  return shorter === text ? message : { ...message, content: shorter }
}
