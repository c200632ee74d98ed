import { CortextError } from '../../errors.ts'
import { callKey, isPrompt, isTalk, livePath } from '../live-path.ts'
import type { Message } from '../schema.ts'

/**
 * The part that stays when a conversation is pruned: the newest turns, or everything from the message `before` on (an
 * id or a number).
 */
export type Keep = { turns: number } | { before: string }

/**
 * How many messages come before the part that stays. `ordered` has the messages in reading order, events included. The
 * cut never falls between a tool call and its result, and events such as `resumed` or `rewound` stay with the message
 * after them. Throws `not-found` for a message that is not there.
 */
export function pruneCut(ordered: readonly Message[], keep: Keep): number {
  const cut = 'before' in keep ? placeOf(ordered, keep.before) : startOfTurns(ordered, keep.turns)
  return wholePairs(ordered, withEvents(ordered, cut))
}

/**
 * The index of a message in reading order. `which` is its id, the beginning of its id, or its number (1 is the first
 * message that a person or an agent said, as `show --at` counts). Throws `not-found`.
 */
export function placeOf(ordered: readonly Message[], which: string): number {
  const index = /^\d{1,9}$/.test(which) ? byNumber(ordered, Number(which)) : byId(ordered, which)
  if (index !== -1) return index
  const count = ordered.filter(isTalk).length
  throw new CortextError('not-found', `no message "${which}" among ${count}: name it by number or by id`, {
    fix: 'cortext show <id> --messages --json',
  })
}

function byNumber(ordered: readonly Message[], number: number): number {
  const message = ordered.filter(isTalk)[number - 1]
  return message === undefined ? -1 : ordered.indexOf(message)
}

function byId(ordered: readonly Message[], id: string): number {
  const matches = ordered.flatMap((message, index) => (message.id.startsWith(id) ? [index] : []))
  const exact = matches.find((index) => ordered[index]!.id === id)
  return exact ?? (matches.length === 1 && id !== '' ? matches[0]! : -1)
}

function startOfTurns(ordered: readonly Message[], turns: number): number {
  const prompts = livePath(ordered).filter(isPrompt)
  const first = prompts.at(-turns)
  return first === undefined || prompts.length <= turns ? 0 : ordered.indexOf(first)
}

function withEvents(ordered: readonly Message[], cut: number): number {
  let start = cut
  while (start > 0 && ordered[start - 1]!.event !== undefined) start -= 1
  return start
}

/** Moves the cut back until it separates no call from its result. */
function wholePairs(ordered: readonly Message[], cut: number): number {
  const spans = callSpans(ordered)
  let start = cut
  for (let moved = true; moved; ) {
    const split = spans.filter(([first, last]) => first < start && start <= last)
    moved = split.length > 0
    for (const [first] of split) start = Math.min(start, first)
  }
  return start
}

/** The indexes of each tool call and its last result. */
export function callSpans(ordered: readonly Message[]): [number, number][] {
  const spans = new Map<string, [number, number]>()
  ordered.forEach((message, index) => {
    const calls =
      message.role === 'tool' ? [message.tool_call_id] : (message.tool_calls ?? []).map(({ id }) => id)
    for (const call of calls) {
      if (call === undefined) continue
      const key = callKey(message, call)
      const [first] = spans.get(key) ?? [index]
      spans.set(key, [first, index])
    }
  })
  return [...spans.values()]
}
