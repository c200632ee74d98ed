import { type Fields, fieldsOf, textOf } from '../shared/transcript/fields.ts'
import { bufferOf, firstText, type Line, splitLines } from '../shared/transcript/lines.ts'
import { titleLine } from '../shared/transcript/read-talk.ts'
import { itemsWithoutEvent } from './read/items-without-event.ts'
import { folderIn, inEnvelope } from './read/older-forms.ts'
import { partsOfEvent, SEED, SEED_TURN, splitEditor, textIn } from './read/rules.ts'

/** The metadata in the first line of a rollout. */
interface RolloutMeta {
  /** The thread that the file belongs to. */
  thread: string
  cwd: string
  isSubagent: boolean
  /** `codex exec` began the thread (0.169.0). Codex CLI leaves it out of its own list too. */
  isAutomated: boolean
}

/** Reads the title and the folder of a rollout from its two ends, for lists of sessions. */
export function readHeading(head: Uint8Array, tail: Uint8Array) {
  const all = [...splitLines(head), ...splitLines(tail)]
  // The lines of our seed were not said in the thread, so they are left out.
  const lines = all.slice(all.findLastIndex(isSeed) + 1)
  const names = lines.map((line) => textOf(payloadOf(line, 'thread_name_updated').thread_name))
  const typed = lines.map(typedIn).find((text) => text !== '') ?? ''
  const requestOnly = typed === '' ? requestOnlyItems(head) : []
  const firstPrompt = typed || textIn(requestOnly.find(({ role }) => role === 'user')?.content)
  const meta = metaOf(all[0])
  return {
    meta: meta && {
      ...meta,
      cwd: meta.cwd || (all.map((line) => folderIn(itemIn(line))).find(Boolean) ?? ''),
    },
    title: titleLine(names.findLast((name) => name !== '') || splitEditor(firstPrompt).words || firstPrompt),
    hasTalk: firstPrompt !== '' || requestOnly.length > 0 || lines.some((line) => answeredIn(line)),
  }
}

/** The messages after our seed that are only in the request to the model, and in no event. */
function requestOnlyItems(head: Uint8Array): Fields[] {
  const all = splitLines(head)
  const lines = all.slice(all.findLastIndex(isSeed) + 1)
  const numbers = itemsWithoutEvent(lines)
  return lines.filter(({ number }) => numbers.has(number)).map(itemIn)
}

function metaOf(line: Line | undefined): RolloutMeta | undefined {
  const record = line?.content.kind === 'record' ? inEnvelope(line.content.record) : {}
  if (record.type !== 'session_meta') return undefined
  const meta = fieldsOf(record.payload)
  return {
    thread: textOf(meta.id),
    cwd: textOf(meta.cwd),
    isSubagent: meta.thread_source === 'subagent' || fieldsOf(meta.source).subagent !== undefined,
    isAutomated: meta.source === 'exec',
  }
}

/**
 * Returns the id of a rollout's thread, from its first `session_meta`. A later `session_meta` may name a thread that
 * the rollout continues.
 */
export function sessionId(bytes: Uint8Array): string | undefined {
  return firstText(bytes, (record) => {
    const { type, payload } = inEnvelope(record)
    return type === 'session_meta' ? fieldsOf(payload).id : ''
  })
}

/**
 * For the rollout of a subagent: the id of the thread that started the subagent, from the rollout's first line.
 * Undefined for any other rollout.
 */
export function subagentOf(bytes: Uint8Array): string | undefined {
  const [first] = splitLines(bytes, 0, bufferOf(bytes).indexOf('\n') + 1 || bytes.length)
  if (metaOf(first)?.isSubagent !== true || first?.content.kind !== 'record') return undefined
  const meta = fieldsOf(first.content.record.payload)
  const spawned = fieldsOf(fieldsOf(fieldsOf(meta.source).subagent).thread_spawn)
  return textOf(spawned.parent_thread_id) || textOf(meta.session_id)
}

/** The item of the request in a line; empty for any other line. */
function itemIn({ content }: Line): Fields {
  const { type, payload } = content.kind === 'record' ? inEnvelope(content.record) : {}
  return type === 'response_item' ? fieldsOf(payload) : {}
}

/** The payload of a line that is an event of this type; empty for any other line. */
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
