import { sha256 } from '../../../hash.ts'
import { beforeControlTurn } from '../../../session/control-turns.ts'
import type { Message } from '../../../session/schema.ts'
import { addBody, bodyOf } from '../../shared/transcript/body.ts'
import type { Bucket } from '../../shared/transcript/byte-ledger.ts'
import { type Fields, fieldsOf, isoTime, textOf } from '../../shared/transcript/fields.ts'
import type { Line } from '../../shared/transcript/lines.ts'
import { Places } from '../../shared/transcript/places.ts'
import { SeenRecords } from '../../shared/transcript/seen-records.ts'
import { TranscriptWriter } from '../../shared/transcript/transcript-writer.ts'
import { callsIn, imageIn, textsIn } from './parts.ts'
import { isOurs, LEFT_OUT, skillCall, typedIn } from './rules.ts'

/**
 * Reads the entries of a session, in file order, into messages and events. The entries are a tree: each names the entry
 * that it follows. Pi goes on from the last line, whatever it follows. So an entry that does not follow the message
 * before it takes the talk back to the message that it follows. That is a `/tree` of the person, or a second process
 * that writes into the same session: Pi itself cannot tell them apart (1.5.2).
 */
export class TranscriptReader {
  readonly writer: TranscriptWriter
  settled = false
  model: string | undefined
  title: string | undefined
  cwd: string | undefined

  readonly #blobs: Map<string, Uint8Array>
  readonly #places = new Places()
  readonly #seen = new SeenRecords(({ parentId: _, ...said }) => said)
  /** The id of our extension's entry → what the person typed. */
  readonly #typed = new Map<string, string>()

  constructor(session: string, blobs: Map<string, Uint8Array>) {
    this.writer = new TranscriptWriter('pi', session)
    this.#blobs = blobs
  }

  read(lines: readonly Line[]): void {
    for (const line of lines)
      this.writer.enter(
        line,
        (record) => this.#readRecord(line, record),
        (value, kind) => this.#unknown(line, undefined, value, kind),
      )
  }

  #readRecord(line: Line, record: Fields): Bucket {
    const id = textOf(record.id)
    if (this.#seen.repeats(id, line, record)) return 'derived'
    this.writer.time = isoTime(record.timestamp)
    const bucket = this.#readEntry(line, record)
    if (record.type === 'session') return bucket
    this.#places.pass(id, record.parentId)
    return bucket
  }

  #readEntry(line: Line, record: Fields): Bucket {
    if (isOurs(record)) return { dropped: 'resume-context' }
    const typed = typedIn(record)
    if (typed !== undefined) {
      this.#typed.set(textOf(record.id), typed)
      return 'kept'
    }
    const { type } = record
    switch (type) {
      case 'message':
        return this.#message(line, record, fieldsOf(record.message))
      case 'compaction':
        this.#event(line, record, 'compacted').summary = textOf(record.summary)
        return 'kept'
      case 'branch_summary':
        this.#say(line, record, 'tool', textOf(record.summary)).tool_name = 'branch-summary'
        return 'kept'
      case 'custom_message':
        this.#addBody(this.#say(line, record, 'tool', ''), record.content).tool_name = 'task-notification'
        return 'kept'
      case 'session_info':
        this.title = textOf(record.name) || this.title
        return 'derived'
      case 'session':
        this.cwd ??= textOf(record.cwd) || undefined
    }
    const rule = LEFT_OUT[textOf(type)]
    return rule === undefined
      ? this.#unknown(line, record, record, textOf(type) || 'no-type')
      : { dropped: rule }
  }

  #message(line: Line, record: Fields, message: Fields): Bucket {
    switch (message.role) {
      case 'system':
        return { dropped: 'system-text' }
      case 'user':
        return this.#prompt(line, record, message)
      case 'assistant':
        return this.#answer(line, record, message)
      case 'toolResult':
        return this.#result(line, record, message)
      case 'bashExecution':
        return this.#shell(line, record, message)
      default:
        return this.#unknown(line, record, record, `role:${textOf(message.role)}`)
    }
  }

  #prompt(line: Line, record: Fields, { content }: Fields): Bucket {
    const text = textsIn(content, 'text').join('\n')
    const noted = this.#typed.get(textOf(record.parentId))
    const { typed, body } = noted === undefined ? (skillCall(text) ?? {}) : { typed: noted, body: text }
    const message = this.#addBody(this.#say(line, record, 'user', ''), content)
    if (typed !== undefined) {
      this.writer.ledger.leaveOut('command-body', body ?? '')
      const images = typeof message.content === 'string' ? [] : message.content.filter(isImage)
      message.content = images.length === 0 ? typed : [{ type: 'text', text: typed }, ...images]
    }
    this.settled = false
    return 'kept'
  }

  #answer(line: Line, record: Fields, { content, model, provider, stopReason, usage }: Fields): Bucket {
    const texts = textsIn(content, 'text')
    const thoughts = textsIn(content, 'thinking')
    const calls = callsIn(content)
    const aborted = stopReason === 'aborted'
    this.settled = stopReason !== 'toolUse' && stopReason !== undefined
    const named = [textOf(provider), textOf(model)].filter((name) => name !== '').join('/')
    if (texts.length + thoughts.length + calls.length === 0) {
      if (aborted) this.#event(line, record, 'interrupted')
      return aborted ? 'kept' : { dropped: stopReason === 'error' ? 'api-error' : 'no-answer' }
    }
    const text = texts.length > 1 ? texts.map((one) => ({ type: 'text', text: one })) : (texts[0] ?? '')
    const message = this.#say(line, record, 'assistant', text)
    if (thoughts.length > 0) message.reasoning = thoughts.join('\n')
    if (calls.length > 0) message.tool_calls = calls
    if (named !== '') {
      message.model = named
      this.model = named
    }
    const { output } = fieldsOf(usage)
    if (typeof output === 'number' && output > 0) message.tokens = output
    if (aborted) this.#event(line, record, 'interrupted')
    return 'kept'
  }

  #result(line: Line, record: Fields, native: Fields): Bucket {
    const message = this.#addBody(this.#say(line, record, 'tool', ''), native.content)
    message.tool_call_id = textOf(native.toolCallId)
    message.tool_name = textOf(native.toolName)
    if (native.isError === true) message.is_error = true
    this.settled = false
    return 'kept'
  }

  /**
   * Reads a command that the person ran. The model sees `!cmd`. A command after `!!` is the person's own and goes to no
   * model, so it is left out.
   */
  #shell(
    line: Line,
    record: Fields,
    { command, output, exitCode, cancelled, excludeFromContext }: Fields,
  ): Bucket {
    if (excludeFromContext === true) return { dropped: 'private-command' }
    this.#say(line, record, 'user', `!${textOf(command)}`)
    const message = this.#say(line, record, 'tool', textOf(output), 'output')
    message.tool_name = 'bash-mode'
    if (cancelled === true || (typeof exitCode === 'number' && exitCode !== 0)) message.is_error = true
    return 'kept'
  }

  #addBody(message: Message, content: unknown): Message {
    return addBody(message, bodyOf(content, this.#blobs, imageIn))
  }

  #say(
    line: Line,
    record: Fields,
    role: Message['role'],
    content: string | Part[],
    ...parts: string[]
  ): Message {
    if (parts.length === 0) this.#markRewind(line, record)
    const message = this.writer.push(this.#make(line, record, role, content, ...parts))
    this.#places.enter(textOf(record.id), message.id)
    return message
  }

  /** Notes a rewind where an entry does not follow the message before it. */
  #markRewind(line: Line, record: Fields): void {
    const place = this.#places.before(record.parentId)
    if (place === this.#places.leaf) return
    this.#event(line, record, 'rewound').to = beforeControlTurn(this.writer.messages, place)
  }

  #event(line: Line, record: Fields, event: string): Message {
    const made = this.#make(line, record, 'system', '', event)
    return this.writer.push(Object.assign(made, { event }))
  }

  #make(
    line: Line,
    record: Fields,
    role: Message['role'],
    content: Message['content'],
    ...parts: string[]
  ): Message {
    const nativeId = textOf(record.id) || sha256(line.bytes).slice(0, 32)
    return this.writer.make(line, nativeId, role, content, textOf(record.timestamp), ...parts)
  }

  /** Makes a raw `unknown` event of what no rule knows. */
  #unknown(line: Line, record: Fields | undefined, raw: unknown, kind: string): Bucket {
    this.#event(line, record ?? {}, 'unknown').raw = raw
    return { unknown: kind }
  }
}

type Part = Exclude<Message['content'], string>[number]

function isImage(part: Part): boolean {
  return part.type !== 'text'
}
