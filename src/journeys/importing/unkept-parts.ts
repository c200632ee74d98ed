import { isControlTurn, isStopTurn, typeOpenedBy } from '../../session/control-turns.ts'
import type { Message } from '../../session/schema.ts'

/** Consecutive turns of a native session that no conversation has. */
export interface UnkeptPart {
  /**
   * Why no conversation has the turns:
   * - `before`: they came before the first conversation of the session
   * - `stopped`: they came after the stop of a conversation
   * - `lost`: they came while a conversation was open
   */
  why: 'before' | 'stopped' | 'lost'
  /** The conversation to which the turns most likely belong; absent if unknown. */
  into?: string
  /** The type of the conversation that the part's first prompt opened, if no conversation has that turn. */
  opens?: string
  turns: Message[][]
  /** Number of messages that are in no conversation. */
  messages: number
  /** The first turn after the part. */
  next?: Message[]
}

export interface Keeping {
  /** Returns the conversation that has the message with this id. */
  holder(id: string): string | undefined
  /** Returns the conversation that a turn opened or resumed, according to the turn's text. */
  opened(turn: readonly Message[]): string | undefined
  /** The types by name. A type without `session_support` is not recorded, so its messages do not count as missing. */
  types: { get(name: string): { command?: string; session_support: boolean } | undefined }
}

/**
 * Goes through all turns of a native session and returns those that no conversation has. Turns that only stop or resume
 * a conversation do not count. Only the ids of messages are compared, so bindings do not matter.
 */
export function unkeptParts(turns: readonly Message[][], keeping: Keeping): UnkeptPart[] {
  const parts: UnkeptPart[] = []
  let why: UnkeptPart['why'] = 'before'
  let into: string | undefined
  let growing: UnkeptPart | undefined
  let isUnrecordedType = false
  for (const turn of turns) {
    const holder = turn.map(({ id }) => keeping.holder(id)).findLast((path) => path !== undefined)
    const missing = turn.filter(({ id }) => keeping.holder(id) === undefined).length
    const opens = holder === undefined ? turn[0] && typeOpenedBy(turn[0], keeping.types) : undefined
    if (holder !== undefined || isControlTurn(turn)) isUnrecordedType = false
    if (opens !== undefined) isUnrecordedType = keeping.types.get(opens)?.session_support === false
    // A turn that stops or resumes in words is ours to end: what the record lacks of it belongs to no conversation.
    if (opens === undefined && isControlTurn(turn) && (missing > 0 || isStopTurn(turn))) {
      if (isStopTurn(turn)) [why, into] = ['stopped', holder ?? into]
      else [why, into] = ['lost', keeping.opened(turn) ?? holder ?? into]
      growing = undefined
      continue
    }
    if (holder !== undefined) [why, into] = ['lost', holder]
    if (opens !== undefined) [why, into] = ['lost', keeping.opened(turn)]
    if (missing === 0 || opens !== undefined || holder !== undefined) growing = undefined
    if (missing === 0 || isUnrecordedType) continue
    if (growing === undefined) {
      growing = { why, turns: [], messages: 0, ...(into && { into }), ...(opens && { opens }) }
      parts.push(growing)
    }
    growing.turns.push(turn)
    growing.messages += missing
  }
  const first = turns
    .flat()
    .map(({ id }) => keeping.holder(id))
    .find((path) => path !== undefined)
  return parts.map((part) => {
    const next = turns[turns.indexOf(part.turns.at(-1)!) + 1]
    const target = part.into ?? (part.why === 'before' ? first : undefined)
    return { ...part, ...(target && { into: target }), ...(next && { next }) }
  })
}

/**
 * Describes parts: `3 messages said after the stop of 5 "API design", 2 messages said before 6 "Cache"`. `nameOf` names
 * the conversation at a path.
 */
export function unkeptWords(
  parts: readonly Pick<UnkeptPart, 'why' | 'into' | 'messages'>[],
  nameOf: (path: string) => string,
): string {
  const sums = new Map<string, number>()
  for (const { why, into, messages } of parts) {
    const where = `${WHERE[why]}${into === undefined ? ' a conversation that is gone' : ` ${nameOf(into)}`}`
    sums.set(where, (sums.get(where) ?? 0) + messages)
  }
  return [...sums].map(([where, sum]) => `${sum} message${sum === 1 ? '' : 's'} said ${where}`).join(', ')
}

const WHERE = { before: 'before', stopped: 'after the stop of', lost: 'in' }
