import { sha256 } from '../../../hash.ts'
import { beforeControlTurn } from '../../../session/control-turns.ts'
import type { Message } from '../../../session/schema.ts'
import { addBody } from '../../shared/transcript/body.ts'
import type { Bucket } from '../../shared/transcript/byte-ledger.ts'
import { type Fields, fieldsOf, isoTime, textOf } from '../../shared/transcript/fields.ts'
import type { Line } from '../../shared/transcript/lines.ts'
import { addToAnswer, addToResult, TranscriptWriter } from '../../shared/transcript/transcript-writer.ts'
import type { Before } from './before.ts'
import { isSeed, isTyped, personsWords, promptBody, resultBody, unknownParts } from './parts.ts'
import { isFinal, type OpenCodeRecord, recordIn } from './record.ts'

type MessageRecord = Extract<OpenCodeRecord, { type: 'message' }>

export interface ReaderContext {
  /**
   * The session whose talk is read. Messages of other sessions are handed to `subagent`; their other records are not
   * read.
   */
  session: string
  /** The native session of the messages; for a subagent it is the root session. */
  nativeSession: string
  blobs: Map<string, Uint8Array>
  before: Before
  /**
   * Returns a reader that has read the same session from its begin up to the segment. It is needed only for a rewind
   * that goes back to a message before the segment.
   */
  earlier(): TranscriptReader
  /** The names of the configured MCP servers. */
  servers: readonly string[]
  subagent(line: Line, record: MessageRecord): void
}

/** Reads the records of one session, in file order, into messages and events. */
export class TranscriptReader {
  readonly writer: TranscriptWriter
  /** A subagent's session id → the tool call that started it. */
  readonly agents = new Map<string, string>()
  settled = false
  model: string | undefined
  /** The native ids of the first and the last message that were read. */
  from: string | undefined
  to: string | undefined

  readonly #context: ReaderContext
  readonly #messages = new Map<string, Message>()
  readonly #gone = new Set<string>()

  constructor(context: ReaderContext) {
    this.#context = context
    this.writer = new TranscriptWriter('opencode', context.nativeSession)
  }

  read(lines: readonly Line[]): void {
    this.writer.read(lines, (line, fields) => this.#readRecord(line, fields))
  }

  #readRecord(line: Line, fields: Fields): Bucket {
    const record = recordIn(line)
    if (record === undefined) return this.writer.keepUnknown(line, fields, 'record')
    if (record.type === 'session') return 'derived'
    if (record.session !== this.#context.session) {
      if (record.type !== 'message') return 'derived'
      this.#context.subagent(line, record)
      return 'kept'
    }
    return record.type === 'removed' ? this.#removed(line, record.id) : this.#message(line, record)
  }

  #message(line: Line, record: MessageRecord): Bucket {
    const { id, info } = record
    if (this.#context.before.has(id)) return 'derived'
    this.writer.time = isoTime(fieldsOf(info.time).created)
    this.from ??= id
    this.to = id
    this.settled = info.role === 'assistant' && isFinal(info)
    const bucket = this.#readMessage(line, record)
    for (const part of unknownParts(record.parts))
      this.#event(line, id, 'unknown', { raw: part }, textOf(part.id) || sha256(JSON.stringify(part)))
    return bucket
  }

  #readMessage(line: Line, record: MessageRecord): Bucket {
    const { id, info, parts } = record
    if (parts.some(isSeed)) return { dropped: 'resume-context' }
    if (info.role === 'assistant')
      return info.summary === true ? this.#summary(line, record) : this.#answer(line, record)
    if (info.role !== 'user') {
      this.#event(line, id, 'unknown', { raw: { info, parts } }, 'role')
      return { unknown: 'role' }
    }
    if (parts.some((part) => part.type === 'compaction'))
      return this.#event(line, id, 'compacted', { summary: '' })
    const typed = parts.filter((part) => part.type !== 'text' || isTyped(part))
    // The record contains only the client's own words to the model, such as "continue" after a compaction.
    if (typed.length === 0 && parts.length > 0) return { dropped: 'client-note' }
    const body = promptBody(parts, this.#context.blobs)
    return this.#put(addBody(this.writer.make(line, id, 'user', ''), body))
  }

  #answer(line: Line, { id, info, parts }: MessageRecord): Bucket {
    const texts = textsOf(parts, 'text')
    const thoughts = textsOf(parts, 'reasoning')
    const calls = parts.filter((part) => part.type === 'tool' && fieldsOf(part.state).status !== 'pending')
    const model = modelOf(info)
    if (model !== undefined) this.model = model
    if (texts.length + thoughts.length + calls.length === 0) return emptyAnswer(info)
    const content = texts.length > 1 ? texts.map((text) => ({ type: 'text', text })) : (texts[0] ?? '')
    const message = addToAnswer(this.writer.make(line, id, 'assistant', content), {
      thoughts: thoughts.join('\n'),
      calls: calls.map((part) => ({
        id: textOf(part.callID),
        name: this.#toolName(part),
        arguments: fieldsOf(part.state).input ?? {},
      })),
      ...{ model, tokens: fieldsOf(info.tokens).output },
    })
    const buckets = [this.#put(message), ...calls.map((part) => this.#result(line, id, part))]
    return buckets.includes('kept') ? 'kept' : 'derived'
  }

  #result(line: Line, id: string, part: Fields): Bucket {
    const child = textOf(fieldsOf(fieldsOf(part.state).metadata).sessionId)
    if (child !== '') this.agents.set(child, textOf(part.callID))
    const body = resultBody(part, this.#context.blobs)
    if (body === undefined) return 'derived'
    if (body.instructions !== '') this.writer.ledger.leaveOut('system-text', body.instructions)
    const message = this.writer.make(line, id, 'tool', body.content, 'result', textOf(part.id))
    message.timestamp = isoTime(fieldsOf(fieldsOf(part.state).time).end) ?? message.timestamp
    const { words, refused } = personsWords(part)
    const { failed, attachments } = body
    addToResult(message, {
      call: textOf(part.callID),
      name: this.#toolName(part),
      failed,
      attachments,
      refused,
    })
    const bucket = this.#put(message)
    if (words !== '') this.#addReply(line, id, part, words)
    return bucket
  }

  /** The person's words in a tool result become a message of their own, too, after the result. */
  #addReply(line: Line, id: string, part: Fields, words: string): void {
    const message = this.writer.make(line, id, 'user', words, 'said', textOf(part.id))
    message.timestamp = isoTime(fieldsOf(fieldsOf(part.state).time).end) ?? message.timestamp
    message.tool_call_id = textOf(part.callID)
    this.#put(message)
  }

  /** Reads the summary of a compaction. It belongs to the event that its parent message made. */
  #summary(line: Line, { id, info, parts }: MessageRecord): Bucket {
    const summary = textsOf(parts, 'text').join('\n')
    return this.#event(line, textOf(info.parentID) || id, 'compacted', { summary })
  }

  /** Notes a rewind: the person went back, and this message and those after it are off the live path. */
  #removed(line: Line, id: string): Bucket {
    const to = this.#takeBack(id)
    if (to === undefined) return 'derived'
    return this.#event(line, id, 'rewound', { to })
  }

  /**
   * Takes a message back, and everything after it. Returns the id of the message before it, null where there is none,
   * and undefined when the message is not known or was taken back already.
   */
  #takeBack(id: string): string | null | undefined {
    const { messages } = this.writer
    const index = messages.findIndex((message) => message.native_id === id && message.event === undefined)
    const isHere = index !== -1
    if (this.#gone.has(id) || (!isHere && !this.#context.before.has(id))) return undefined
    // A message from before the segment takes all of the segment with it.
    const first = isHere ? index : 0
    for (const message of messages.slice(first))
      if (message.native_id !== undefined) this.#gone.add(message.native_id)
    const left = this.#lastOf(messages.slice(0, first))
    if (left !== null) return left
    const earlier = this.#context.earlier()
    const to = isHere ? earlier.#lastOf(earlier.writer.messages) : earlier.#takeBack(id)
    return to === undefined ? undefined : beforeControlTurn(earlier.writer.messages, to)
  }

  #lastOf(messages: readonly Message[]): string | null {
    return messages.findLast((message) => message.event === undefined && !this.#isGone(message))?.id ?? null
  }

  #isGone({ native_id }: Message): boolean {
    return native_id !== undefined && this.#gone.has(native_id)
  }

  #toolName(part: Fields): string {
    return canonicalTool(textOf(part.tool), this.#context.servers)
  }

  #event(line: Line, nativeId: string, event: string, fields: Partial<Message>, ...parts: string[]): Bucket {
    return this.#put({ ...this.writer.make(line, nativeId, 'system', '', event, ...parts), event, ...fields })
  }

  /**
   * Adds a message. A message that was read before keeps its place and time, and takes everything else from a later,
   * longer state.
   */
  #put(message: Message): Bucket {
    const earlier = this.#messages.get(message.id)
    if (earlier === undefined) {
      this.#messages.set(message.id, this.writer.push(message))
      return 'kept'
    }
    const { seq, timestamp } = earlier
    const later = { ...message, ...(seq === undefined ? {} : { seq }), timestamp }
    if (JSON.stringify(later).length <= JSON.stringify(earlier).length) return 'derived'
    Object.assign(earlier, later)
    return 'kept'
  }
}

function emptyAnswer(info: Fields): Bucket {
  const error = textOf(fieldsOf(info.error).name)
  if (error === '') return { dropped: 'no-answer' }
  return { dropped: error === 'MessageAbortedError' ? 'interruption' : 'api-error' }
}

function textsOf(parts: readonly Fields[], type: 'text' | 'reasoning'): string[] {
  return parts
    .filter((part) => part.type === type && part.ignored !== true)
    .map((part) => textOf(part.text))
    .filter((text) => text !== '')
}

function modelOf(info: Fields): string | undefined {
  const model = textOf(info.modelID)
  if (model === '') return undefined
  const provider = textOf(info.providerID)
  return provider === '' ? model : `${provider}/${model}`
}

/**
 * Names a tool of an MCP server as in the record: OpenCode calls it `<server>_<tool>`, the record
 * `mcp__<server>__<tool>`.
 */
function canonicalTool(name: string, servers: readonly string[]): string {
  const server = servers
    .map((configured) => configured.replace(/[^A-Za-z0-9_-]/g, '_'))
    .filter((prefix) => name.startsWith(`${prefix}_`))
    .sort((a, b) => b.length - a.length)[0]
  return server === undefined ? name : `mcp__${server}__${name.slice(server.length + 1)}`
}
