import { sha256 } from '../../../hash.ts'
import { type Fields, fieldsOf, listOf, textOf } from '../../shared/transcript/fields.ts'
import type { Line } from '../../shared/transcript/lines.ts'
import { inEnvelope } from './envelope.ts'
import { kindOf, partsOfEvent, summaryIn, textIn } from './rules.ts'

type Voice = 'user' | 'assistant' | 'reasoning'

interface Word {
  voice: Voice
  text: string
  /** The line of an item of the request; undefined for what an event or an item that was shown says. */
  item: number | undefined
}

/**
 * The numbers of the lines that alone say what they say. Most messages of the request are told by an event, too; those
 * of a file without events are not, nor those that a thread was begun with. What may still be told by a line to come is
 * not among them, so that a growing file is read the same at every moment. `isTail`: these lines are the end of others.
 */
export function untoldLines(lines: readonly Line[], isTail = false): Set<number> {
  const untold = new Set<number>()
  // Lines before a tail may tell what it begins with.
  let known = !isTail
  const tells = new Set<Voice>()
  let stretch: Word[] = []
  let running = false
  /** The id of the running turn; '' between turns. */
  let turn = ''
  const stoodBefore = repetitions()
  const close = () => {
    if (known) for (const number of untoldIn(stretch)) untold.add(number)
    known = true
    stretch = []
  }
  for (const line of lines) {
    if (line.content.kind !== 'record') continue
    const record = inEnvelope(line.content.record)
    const payload = fieldsOf(record.payload)
    const type = textOf(payload.type)
    if (record.bare === true) {
      if (wordIn('response_item', payload, line.number) !== undefined) untold.add(line.number)
      continue
    }
    const begins = record.type === 'event_msg' && /^(?:task|turn)_started$/.test(type)
    const ends = record.type === 'event_msg' && /^(?:(?:task|turn)_complete|turn_aborted)$/.test(type)
    const word = wordIn(textOf(record.type), payload, line.number)
    if (word === undefined && !begins && !ends) continue
    const isNamed = textOf(payload.id) !== '' || textOf(fieldsOf(payload.item).id) !== ''
    if (stoodBefore(line, word === undefined || isNamed ? '' : turn)) continue
    if (word === undefined) {
      close()
      running = begins
      turn = begins ? textOf(payload.turn_id) : ''
      continue
    }
    if (word.item === undefined) tells.add(word.voice)
    // Words of the person begin a stretch, and the answers belong to it.
    if (word.voice === 'user' && stretch.some(({ voice }) => voice !== 'user')) close()
    stretch.push(word)
  }
  if (running || !known) return untold
  // A file that never tells by events will not begin to with its last words, and an answer tells what it answers.
  const isAnswered = stretch.some(({ voice }) => voice !== 'user')
  const ended = ({ voice }: Word) => !tells.has(voice) || (voice === 'user' && isAnswered)
  for (const number of untoldIn(stretch.filter(ended))) untold.add(number)
  return untold
}

/**
 * Tells of each line whether it stood there before: then it says nothing and tells nothing. An import is written at one
 * moment, so a line without an id is another one in another turn; '' stands for any turn.
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

/** The items of a stretch beyond those that the events of the same voice tell. */
function untoldIn(stretch: readonly Word[]): number[] {
  return (['user', 'assistant', 'reasoning'] as const).flatMap((voice) => {
    const words = stretch.filter((one) => one.voice === voice)
    const told = words.filter(({ item }) => item === undefined)
    const items = words.filter(({ item }) => item !== undefined)
    if (items.length <= told.length) return []
    const isTold = ({ text }: Word) => told.some((one) => text.includes(one.text) || one.text.includes(text))
    return items.filter((item) => !isTold(item)).map(({ item }) => item!)
  })
}

function wordIn(type: string, payload: Fields, number: number): Word | undefined {
  const said = (voice: Voice, text: string, item?: number) =>
    text.trim() === '' ? undefined : { voice, text, item }
  if (type === 'response_item') {
    if (payload.type === 'reasoning') return said('reasoning', summaryOf(payload), number)
    if (payload.type !== 'message') return undefined
    const text = textIn(payload.content) || (listOf(payload.content).length > 0 ? 'image' : '')
    if (payload.role === 'assistant') return said('assistant', text, number)
    return payload.role === 'user' && kindOf(payload) === 'said' ? said('user', text, number) : undefined
  }
  if (type === 'compacted') return said('assistant', summaryIn(textOf(payload.message)))
  if (type !== 'event_msg') return undefined
  const item = payload.type === 'item_completed' ? fieldsOf(payload.item) : {}
  if (item.type === 'UserMessage') return said('user', textIn(item.content) || 'image')
  if (item.type === 'AgentMessage') return said('assistant', textIn(item.content))
  if (item.type === 'Reasoning')
    return said('reasoning', [item.summary_text, item.raw_content].flatMap(listOf).map(textOf).join('\n\n'))
  if (payload.type === 'user_message') return said('user', textIn(partsOfEvent(payload)) || 'image')
  if (payload.type === 'agent_message') return said('assistant', textOf(payload.message))
  return /^agent_reasoning/.test(textOf(payload.type)) ? said('reasoning', textOf(payload.text)) : undefined
}

/** The model's thoughts in an item of the request. */
export function summaryOf({ summary, content }: Fields): string {
  return [...listOf(summary), ...listOf(content)]
    .map((part) => textOf(fieldsOf(part).text))
    .join('\n\n')
    .trim()
}
