import { sha256 } from '../../../hash.ts'
import { type Fields, fieldsOf, listOf, textOf } from '../../shared/transcript/fields.ts'
import type { Line } from '../../shared/transcript/lines.ts'
import { inEnvelope } from './older-forms.ts'
import { kindOf, partsOfEvent, summaryIn, textIn } from './rules.ts'

type Voice = 'user' | 'assistant' | 'reasoning'

interface Word {
  voice: Voice
  text: string
  /** The line number of a request item. Undefined if the words are from an event, a completed item or a compaction. */
  item: number | undefined
}

/**
 * Returns the line numbers of the request items (`response_item`) whose words are in no event. Most items have an
 * event. Items without an event are in a file without events, and in a thread that begins with the talk of another
 * thread. A line is left out while its event may still come. So the result for a longer file contains all these line
 * numbers too. `isTail` means that the lines are only the end of a file.
 */
export function itemsWithoutEvent(lines: readonly Line[], isTail = false): Set<number> {
  const numbers = new Set<number>()
  // The lines before a tail may contain the event of the tail's first item.
  let isBeginKnown = !isTail
  /** `user` after the first `user_message`: so this file has an event for each prompt. */
  const voicesWithEvents = new Set<Voice>()
  /** The words of a prompt and of what was answered, as items and as events, in any order. */
  let stretch: Word[] = []
  let running = false
  /** The id of the running turn; '' between turns. */
  let turn = ''
  const isRepeated = repetitions()
  const closeStretch = () => {
    if (isBeginKnown) for (const number of withoutEventIn(stretch)) numbers.add(number)
    isBeginKnown = true
    stretch = []
  }
  for (const line of lines) {
    if (line.content.kind !== 'record') continue
    const record = inEnvelope(line.content.record)
    const payload = fieldsOf(record.payload)
    const type = textOf(payload.type)
    // A file from before events.
    if (record.bare === true) {
      if (wordIn('response_item', payload, line.number) !== undefined) numbers.add(line.number)
      continue
    }
    const begins = record.type === 'event_msg' && /^(?:task|turn)_started$/.test(type)
    const ends = record.type === 'event_msg' && /^(?:(?:task|turn)_complete|turn_aborted)$/.test(type)
    const word = wordIn(textOf(record.type), payload, line.number)
    if (word === undefined && !begins && !ends) continue
    const isNamed = textOf(payload.id) !== '' || textOf(fieldsOf(payload.item).id) !== ''
    if (isRepeated(line, word === undefined || isNamed ? '' : turn)) continue
    if (word === undefined) {
      closeStretch()
      running = begins
      turn = begins ? textOf(payload.turn_id) : ''
      continue
    }
    if (word.item === undefined) voicesWithEvents.add(word.voice)
    // A stretch begins with words of the person, and contains the answers to them.
    if (word.voice === 'user' && stretch.some(({ voice }) => voice !== 'user')) closeStretch()
    stretch.push(word)
  }
  if (running || !isBeginKnown) return numbers
  // No event will come for a voice that has had no event so far, or for a prompt that is already answered.
  const isAnswered = stretch.some(({ voice }) => voice !== 'user')
  const isComplete = ({ voice }: Word) => !voicesWithEvents.has(voice) || (voice === 'user' && isAnswered)
  for (const number of withoutEventIn(stretch.filter(isComplete))) numbers.add(number)
  return numbers
}

/**
 * Returns a function that checks whether a line repeats an earlier one. The caller skips such a line. When Codex
 * imports a session of another client, all lines get the same time. So an equal line without an id is a repetition only
 * if it is in the same turn. A `turn` of '' matches any turn.
 */
function repetitions(): (line: Line, turn: string) => boolean {
  const first = new Map<string, string>()
  return ({ bytes }, turn) => {
    const key = sha256(bytes)
    const before = first.get(key)
    if (before === undefined) first.set(key, turn)
    return before !== undefined && (turn === '' || turn === before)
  }
}

/**
 * The line numbers of the items whose words are in no event of their voice. If a voice has no more items than events in
 * the stretch, each of its items counts as having an event. Otherwise an item has one with the same words; one with a part
 * of its words, since an item may have a heading more; or one in which it is a part, unless that is the event of another
 * item: `ok` is no part of the event of `ok, go on`.
 */
function withoutEventIn(stretch: readonly Word[]): number[] {
  return (['user', 'assistant', 'reasoning'] as const).flatMap((voice) => {
    const words = stretch.filter((word) => word.voice === voice)
    const events = words.filter(({ item }) => item === undefined)
    const items = words.filter(({ item }) => item !== undefined)
    if (items.length <= events.length) return []
    const isOfItem = (event: Word) => items.some(({ text }) => text === event.text)
    const hasEvent = ({ text }: Word) =>
      events.some((event) => text.includes(event.text) || (event.text.includes(text) && !isOfItem(event)))
    return items.filter((item) => !hasEvent(item)).map(({ item }) => item!)
  })
}

function wordIn(type: string, payload: Fields, number: number): Word | undefined {
  const word = (voice: Voice, text: string, item?: number) =>
    text.trim() === '' ? undefined : { voice, text, item }
  if (type === 'response_item') {
    if (payload.type === 'reasoning') return word('reasoning', thoughtsOf(payload), number)
    if (payload.type !== 'message') return undefined
    const text = textIn(payload.content) || (listOf(payload.content).length > 0 ? 'image' : '')
    if (payload.role === 'assistant') return word('assistant', text, number)
    return payload.role === 'user' && kindOf(payload) === 'said' ? word('user', text, number) : undefined
  }
  if (type === 'compacted') return word('assistant', summaryIn(textOf(payload.message)))
  if (type !== 'event_msg') return undefined
  const item = payload.type === 'item_completed' ? fieldsOf(payload.item) : {}
  if (item.type === 'UserMessage') return word('user', textIn(item.content) || 'image')
  if (item.type === 'AgentMessage') return word('assistant', textIn(item.content))
  if (item.type === 'Reasoning')
    return word('reasoning', [item.summary_text, item.raw_content].flatMap(listOf).map(textOf).join('\n\n'))
  if (payload.type === 'user_message') return word('user', textIn(partsOfEvent(payload)) || 'image')
  if (payload.type === 'agent_message') return word('assistant', textOf(payload.message))
  return /^agent_reasoning/.test(textOf(payload.type)) ? word('reasoning', textOf(payload.text)) : undefined
}

/** The model's thoughts in an item of the request. */
export function thoughtsOf({ summary, content }: Fields): string {
  return [...listOf(summary), ...listOf(content)]
    .map((part) => textOf(fieldsOf(part).text))
    .join('\n\n')
    .trim()
}
