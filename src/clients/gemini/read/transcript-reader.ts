import { beforeControlTurn } from '../../../session/control-turns.ts'
import type { Message, ToolCall } from '../../../session/schema.ts'
import { answeredCalls, bodyOf, partsOf, textIn } from '../../shared/genai/parts.ts'
import { addBody } from '../../shared/transcript/body.ts'
import type { Bucket } from '../../shared/transcript/byte-ledger.ts'
import {
  type Fields,
  fieldsOf,
  isObject,
  isoTime,
  listOf,
  plainText,
  textOf,
} from '../../shared/transcript/fields.ts'
import type { Line } from '../../shared/transcript/lines.ts'
import { addToResult, TranscriptWriter } from '../../shared/transcript/transcript-writer.ts'
import { answerOf, type Call, enrich } from './answer.ts'
import { type Entry, matchRepeats, OwnIds, repeatKey } from './repeats.ts'
import { personsWords, type ReadMoved, resultOf } from './results.ts'
import { classifyUserRecord, isAcknowledgement, isSeed, recordKind, unknownKeys } from './rules.ts'

/**
 * Reads the records of one session file, in file order, into messages and events. The client makes a list of messages
 * from the file: a record with a known id replaces the earlier record, `$set.messages` replaces the whole list, and
 * `$rewindTo` cuts it. This reader removes no message. Each message stays where it was said first. If a later record of
 * an answer contains more, the reader adds it. `#live` is the client's list. It shows what a rewind goes back to and
 * what a compression repeats.
 */
export class TranscriptReader {
  readonly writer: TranscriptWriter
  /** A subagent's session → the tool call that started it. */
  readonly agents = new Map<string, string>()
  settled = false
  model: string | undefined

  readonly #blobs: Map<string, Uint8Array>
  readonly #readMoved: ReadMoved
  readonly #entries = new Map<string, Entry>()
  /** How many calls have an id, and how many results. More than one only where ids were scrubbed. */
  readonly #calls = new Counts()
  readonly #results = new Counts()
  readonly #ids = new OwnIds()
  #live: Entry[] = []
  /** The first line over which `delete` has written blanks. */
  #blankedFrom = Number.POSITIVE_INFINITY

  constructor(session: string, blobs: Map<string, Uint8Array>, readMoved: ReadMoved) {
    // The client's own ids are UUIDs, and a copy of a session keeps them. Other ids, such as `m1` in a file that
    // somebody made by hand, are unique only in their session.
    this.writer = new TranscriptWriter('gemini', session, (nativeId) => UUID.test(nativeId))
    this.#blobs = blobs
    this.#readMoved = readMoved
  }

  read(lines: readonly Line[]): void {
    this.#blankedFrom = Math.min(this.#blankedFrom, lines.find(isBlanked)?.number ?? this.#blankedFrom)
    this.writer.read(lines, (line, record) => this.#readRecord(line, record))
  }

  #readRecord(line: Line, record: Fields): Bucket {
    switch (recordKind(record)) {
      case 'rewind':
        return this.#rewind(line, textOf(record.$rewindTo))
      case 'message':
        return this.#direct(line, record)
      case 'change':
        return this.#change(line, fieldsOf(record.$set))
      case 'header':
        return record.messages === undefined ? { dropped: 'client-state' } : this.#change(line, record)
      case 'unknown':
        return this.writer.keepUnknown(line, record, 'no-type')
    }
  }

  /**
   * Reads a message that is new or has grown. If the client's list does not contain the message yet, it goes to the end
   * of the list.
   */
  #direct(line: Line, record: Fields): Bucket {
    const { bucket, entry } = this.#message(line, { ...record, id: this.#ids.idOf(record) })
    if (entry !== undefined) {
      if (!this.#live.includes(entry)) this.#live.push(entry)
      for (const message of entry.messages) this.writer.touched.add(message)
    }
    return bucket
  }

  /**
   * Reads a `$set`, or a header that contains messages. If there are messages, they replace the client's list. Messages
   * that repeat known ones are not added again.
   */
  #change(line: Line, change: Fields): Bucket {
    if (change.messages === undefined) {
      const unknown = unknownKeys(change)
      if (unknown.length > 0) return this.writer.keepUnknown(line, change, `$set:${unknown[0]}`)
      return change.summary === undefined ? { dropped: 'client-state' } : 'derived'
    }
    const given = listOf(change.messages).filter(isObject)
    const ids = this.#ids.idsIn(given)
    const list = given.map((record, at) => ({ ...record, id: ids[at] }))
    for (const [nativeId, entry] of matchRepeats(list, this.#entries, this.#live))
      this.#entries.set(nativeId, entry)
    if (line.number > this.#blankedFrom) this.#noteDeleted(list)
    const before = this.writer.messages.length
    const live: Entry[] = []
    const buckets = list.map((record, index): Bucket => {
      if (isAcknowledgement(record, list[index - 1])) return { dropped: 'client-note' }
      const { bucket, entry } = this.#message(line, record)
      if (entry !== undefined && !live.includes(entry)) live.push(entry)
      return bucket
    })
    this.#live = live
    if (this.writer.messages.length > before) return 'kept'
    const dropped = buckets.every((bucket) => typeof bucket === 'object')
    return dropped ? (buckets[0] ?? 'derived') : 'derived'
  }

  /**
   * Notes what a compression repeats of talk that was deleted: all that is not known, because a list after a compression
   * has nothing new.
   */
  #noteDeleted(list: readonly Fields[]): void {
    const isSummary = (record: Fields) =>
      record.type === 'user' && classifyUserRecord(record).kind === 'snapshot'
    if (!list.some(isSummary)) return
    for (const record of list) {
      const nativeId = textOf(record.id)
      const isKnown =
        answeredCalls(partsOf(record.content))?.some((call) => this.#calls.of(call) > 0) ??
        this.#entries.has(nativeId)
      if (!isKnown && !isSeed(record) && !isSummary(record)) this.#entry(nativeId).isDeleted = true
    }
  }

  #message(line: Line, record: Fields): { bucket: Bucket; entry?: Entry } {
    const nativeId = textOf(record.id)
    const known = this.#entries.get(nativeId)
    if (known?.isDeleted) return { bucket: { dropped: 'deleted' }, entry: known }
    if (isSeed(record) || known?.isSeed) return this.#seed(record, nativeId)
    this.writer.time = isoTime(record.timestamp)
    switch (record.type) {
      case 'user':
        return this.#user(line, record, nativeId)
      case 'gemini':
        return this.#answer(line, record, nativeId)
      case 'info':
      case 'warning':
        if (/cancel/i.test(plainText(record.content ?? ''))) this.settled = true
        return { bucket: { dropped: 'client-note' } }
      case 'error':
        this.settled = true
        return { bucket: { dropped: 'api-error' } }
      default:
        return { bucket: this.writer.keepUnknown(line, record, textOf(record.type) || 'no-type') }
    }
  }

  /**
   * Notes a message of the seed. Its words are noted too, because a compression may repeat the seed under other ids.
   */
  #seed(record: Fields, nativeId: string): { bucket: Bucket; entry: Entry } {
    const entry = this.#entry(nativeId)
    entry.isSeed = true
    entry.words = repeatKey(record)
    return { bucket: { dropped: 'resume-context' }, entry }
  }

  #user(line: Line, record: Fields, nativeId: string): { bucket: Bucket; entry?: Entry } {
    const answered = answeredCalls(partsOf(record.content))
    if (answered !== undefined) return this.#answers(line, record, nativeId)
    const classified = classifyUserRecord(record)
    if (classified.kind === 'session-context')
      return { bucket: { dropped: 'system-text' }, entry: this.#entry(nativeId) }
    if (classified.kind === 'hook-context')
      return { bucket: { dropped: 'hook-output' }, entry: this.#entry(nativeId) }
    const earlier = this.#entries.get(nativeId)
    if (earlier !== undefined) return { bucket: 'derived', entry: earlier }
    const entry = this.#entry(nativeId)
    if (classified.kind === 'snapshot') {
      this.writer.addEvent(line, nativeId, 'compacted').summary = classified.text
      return { bucket: 'kept', entry }
    }
    entry.words = repeatKey(record)
    if (classified.kind === 'shell') {
      entry.messages.push(this.writer.add(line, nativeId, 'user', `!${classified.command}`))
      const output = this.writer.add(line, nativeId, 'tool', classified.output, 'output')
      output.tool_name = 'bash-mode'
      entry.messages.push(output)
      return { bucket: 'kept', entry }
    }
    const message = this.writer.add(line, nativeId, 'user', '')
    entry.messages.push(addBody(message, bodyOf(classified.parts, this.#blobs)))
    if (classified.editor !== undefined) {
      const shown = this.writer.add(line, nativeId, 'tool', classified.editor, 'editor')
      shown.tool_name = 'editor-selection'
      entry.messages.push(shown)
    }
    this.settled = false
    return { bucket: 'kept', entry }
  }

  /**
   * Reads results of tools. The records of the calls contain these results too, so the reader keeps only results that
   * it does not know yet.
   */
  #answers(line: Line, record: Fields, nativeId: string): { bucket: Bucket; entry?: Entry } {
    let kept = false
    const added = partsOf(record.content).flatMap((part) => {
      const { id, name } = fieldsOf(part.functionResponse)
      if (!this.#isOpen(textOf(id))) return []
      kept = true
      const call: Call = {
        call: { id: textOf(id), name: textOf(name), arguments: {} },
        result: [part],
        failed: false,
        agent: '',
      }
      return this.#result(line, nativeId, call)
    })
    // If the record has the id of an answer, or that id with `_response` at its end, the results belong to the entry of
    // that answer.
    const owner = this.#entries.get(nativeId) ?? this.#entries.get(nativeId.replace(/_response$/, ''))
    const entry = owner ?? this.#entry(nativeId)
    entry.messages.push(...added)
    return { bucket: kept ? 'kept' : 'derived', entry }
  }

  #answer(line: Line, record: Fields, nativeId: string): { bucket: Bucket; entry: Entry } {
    const answer = answerOf(record, this.#blobs)
    const entry = this.#entry(nativeId)
    entry.words = repeatKey(record)
    let message = entry.messages.find((candidate) => candidate.role === 'assistant')
    const isNew = message === undefined
    if (message === undefined) {
      message = this.writer.add(line, nativeId, 'assistant', '')
      entry.messages.push(message)
    }
    const { grew, added } = enrich(message, answer)
    for (const { id } of added) this.#calls.add(id)
    for (const call of answer.calls) {
      if (call.agent !== '') this.agents.set(call.agent, call.call.id)
      if (call.result === undefined || !this.#isOpen(call.call.id)) continue
      entry.messages.push(...this.#result(line, nativeId, call))
    }
    if (answer.model !== '') this.model = answer.model
    this.settled = message.tool_calls === undefined
    return { bucket: isNew || grew ? 'kept' : 'derived', entry }
  }

  #result(line: Line, nativeId: string, { call, result, shown, failed }: Call): Message[] {
    const body = resultOf({ result, shown }, this.#blobs, this.#readMoved)
    const message = this.writer.add(line, nativeId, 'tool', body.content, 'result', call.id)
    const { words, refused } = personsWords(call.name, () => this.#given(call), textIn(partsOf(body.content)))
    const { attachments } = body
    addToResult(message, {
      call: call.id,
      name: call.name,
      failed: failed || body.failed,
      attachments,
      refused,
    })
    this.#results.add(call.id)
    this.settled = false
    if (words === '') return [message]
    // The person's words in a tool result become a message of their own, too, after the result.
    const reply = this.writer.add(line, nativeId, 'user', words, 'said', call.id)
    reply.tool_call_id = call.id
    return [message, reply]
  }

  /** Whether a call with this id has no result yet. A result whose call is not in the file counts too. */
  #isOpen(id: string): boolean {
    return this.#results.of(id) < Math.max(1, this.#calls.of(id))
  }

  /** The arguments of a call. The record of a result does not contain them. */
  #given({ id, arguments: given }: ToolCall): unknown {
    const calls = this.writer.messages.flatMap((message) => message.tool_calls ?? [])
    return calls.find((call) => call.id === id)?.arguments ?? given
  }

  #rewind(line: Line, to: string): Bucket {
    const target = this.#entries.get(to)
    const index = target === undefined ? 0 : Math.max(0, this.#live.indexOf(target))
    this.#live = this.#live.slice(0, index)
    const last = this.#live.flatMap((entry) => entry.messages).at(-1)
    const event = this.writer.addEvent(line, to, 'rewound')
    event.to = beforeControlTurn(this.writer.messages, last?.id ?? null)
    this.settled = true
    return 'kept'
  }

  #entry(nativeId: string): Entry {
    const earlier = this.#entries.get(nativeId)
    if (earlier !== undefined) return earlier
    const entry: Entry = { messages: [], words: '' }
    this.#entries.set(nativeId, entry)
    return entry
  }
}

function isBlanked({ content, bytes }: Line): boolean {
  return content.kind === 'blank' && bytes.length > 1
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

class Counts {
  readonly #counts = new Map<string, number>()

  of(id: string): number {
    return this.#counts.get(id) ?? 0
  }

  add(id: string): void {
    this.#counts.set(id, this.of(id) + 1)
  }
}
