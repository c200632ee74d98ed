import { type Fields, fieldsOf, textOf } from '../transcript/fields.ts'
import { bufferOf, type Line, splitLines } from '../transcript/lines.ts'
import { firstId } from '../transcript/session-id.ts'
import { partsOfEvent, SEED, SEED_TURN, textIn } from './read/rules.ts'

const TITLE_LENGTH = 120

/** What the first line of a rollout says of it; undefined when it is none. */
interface RolloutMeta {
  /** The thread that the file belongs to. */
  thread: string
  cwd: string
  isSubagent: boolean
}

/** What the two ends of a rollout tell about all of it, for a list to choose from. */
export function readHeading(head: Uint8Array, tail: Uint8Array) {
  const all = [...splitLines(head), ...splitLines(tail)]
  // What our seed says was not said in it.
  const lines = all.slice(all.findLastIndex(isSeed) + 1)
  const names = lines.map((line) => textOf(payloadOf(line, 'thread_name_updated').thread_name))
  const first = lines.map(typedIn).find((text) => text !== '') ?? ''
  return {
    meta: metaOf(all[0]),
    title: oneLine(names.findLast((name) => name !== '') || first),
    said: first !== '' || lines.some((line) => answeredIn(line)),
  }
}

function metaOf(line: Line | undefined): RolloutMeta | undefined {
  if (line?.content.kind !== 'record' || line.content.record.type !== 'session_meta') return undefined
  const meta = fieldsOf(line.content.record.payload)
  return {
    thread: textOf(meta.id),
    cwd: textOf(meta.cwd),
    isSubagent: meta.thread_source === 'subagent' || fieldsOf(meta.source).subagent !== undefined,
  }
}

/** The thread that a rollout belongs to: that of the file's own first line, not of one that it goes on from. */
export function sessionId(bytes: Uint8Array): string | undefined {
  return firstId(bytes, (record) => (record.type === 'session_meta' ? fieldsOf(record.payload).id : ''))
}

/** The thread that started a subagent, as the first line of the subagent's rollout names it. */
export function subagentOf(bytes: Uint8Array): string | undefined {
  const [first] = splitLines(bytes, 0, bufferOf(bytes).indexOf('\n') + 1 || bytes.length)
  if (metaOf(first)?.isSubagent !== true || first?.content.kind !== 'record') return undefined
  const meta = fieldsOf(first.content.record.payload)
  const spawned = fieldsOf(fieldsOf(fieldsOf(meta.source).subagent).thread_spawn)
  return textOf(spawned.parent_thread_id) || textOf(meta.session_id)
}

/** The payload of an event of one type; empty for any other line. */
function payloadOf({ content }: Line, type: string): Fields {
  const payload = content.kind === 'record' ? fieldsOf(content.record.payload) : {}
  return payload.type === type ? payload : {}
}

function typedIn(line: Line): string {
  const item = fieldsOf(payloadOf(line, 'item_completed').item)
  if (item.type === 'UserMessage') return textIn(item.content)
  const event = payloadOf(line, 'user_message')
  return event.message === undefined ? '' : textIn(partsOfEvent(event))
}

function isSeed({ content }: Line): boolean {
  const { id, turn_id: turn } = content.kind === 'record' ? fieldsOf(content.record.payload) : {}
  return textOf(id).startsWith(SEED) || textOf(turn).startsWith(SEED_TURN)
}

function answeredIn(line: Line): boolean {
  return fieldsOf(payloadOf(line, 'item_completed').item).type === 'AgentMessage'
}

function oneLine(text: string): string {
  const line = text.trim().split(/[\r\n]/, 1)[0] ?? ''
  const letters = [...line]
  return letters.length > TITLE_LENGTH ? `${letters.slice(0, TITLE_LENGTH - 1).join('')}…` : line
}
