import { isControlTurn, isStopTurn, typeOpenedBy } from '../../session/control-turns.ts'
import type { Message } from '../../session/schema.ts'
import { titleFrom } from '../../session/title.ts'

/** A range of a transcript in byte offsets: `from` is included, `to` is not. */
export interface Range {
  from: number
  to: number
}

/** Consecutive turns of a native session that no conversation has. */
export interface Part extends Range {
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
  turns: number
  /** Number of messages that are in no conversation. */
  messages: number
  /** A title made of the first words. */
  title: string
  /** The time of the first message. */
  at: Date
}

interface Saving {
  /** Returns the conversation that has the message with this id. */
  holder(id: string): string | undefined
  /** Returns the conversation that a turn opened or resumed, according to the turn's text. */
  opened(turn: readonly Message[]): string | undefined
  /** Returns the range from the beginning of a turn to the beginning of another one, or to the end. */
  rangeOf(first: readonly Message[], next: readonly Message[] | undefined): Range
  /** The types by name. A type without `session_support` is not recorded, so its messages do not count. */
  types: { get(name: string): { command?: string; session_support: boolean } | undefined }
}

/**
 * Goes through all turns of a native session and returns those that no conversation has. Turns that only stop or resume
 * a conversation do not count. Only the ids of messages are compared, so bindings do not matter.
 */
export function partsNotSaved(turns: readonly Message[][], saving: Saving): Part[] {
  const parts: (Pick<Part, 'why' | 'into' | 'opens' | 'messages'> & { turns: Message[][] })[] = []
  let why: Part['why'] = 'before'
  let into: string | undefined
  let growing: (typeof parts)[number] | undefined
  let isUnrecordedType = false
  for (const turn of turns) {
    const holder = turn.map(({ id }) => saving.holder(id)).findLast((path) => path !== undefined)
    const missing = turn.filter(({ id }) => saving.holder(id) === undefined).length
    const opens = holder === undefined ? turn[0] && typeOpenedBy(turn[0], saving.types) : undefined
    if (holder !== undefined || isControlTurn(turn)) isUnrecordedType = false
    if (opens !== undefined) isUnrecordedType = saving.types.get(opens)?.session_support === false
    // A turn that stops or resumes in words is ours to end: what the record lacks of it belongs to no conversation.
    if (opens === undefined && isControlTurn(turn) && (missing > 0 || isStopTurn(turn))) {
      if (isStopTurn(turn)) [why, into] = ['stopped', holder ?? into]
      else [why, into] = ['lost', saving.opened(turn) ?? holder ?? into]
      growing = undefined
      continue
    }
    if (holder !== undefined) [why, into] = ['lost', holder]
    if (opens !== undefined) [why, into] = ['lost', saving.opened(turn)]
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
    .map(({ id }) => saving.holder(id))
    .find((path) => path !== undefined)
  return parts.map((part) => {
    const [begin] = part.turns as [Message[]]
    const target = part.into ?? (part.why === 'before' ? first : undefined)
    return {
      ...part,
      ...(target && { into: target }),
      turns: part.turns.length,
      title: titleFrom(part.turns.flat()) ?? '',
      at: new Date(begin[0]!.timestamp),
      ...saving.rangeOf(begin, turns[turns.indexOf(part.turns.at(-1)!) + 1]),
    }
  })
}
