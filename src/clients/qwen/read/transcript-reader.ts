import { sha256 } from '../../../hash.ts'
import { beforeControlTurn } from '../../../session/control-turns.ts'
import type { Message, ToolCall } from '../../../session/schema.ts'
import { bodyOf, partsOf, textIn } from '../../shared/genai/parts.ts'
import type { Bucket } from '../../shared/transcript/byte-ledger.ts'
import { type Fields, fieldsOf, isoTime, listOf, textOf } from '../../shared/transcript/fields.ts'
import type { Line } from '../../shared/transcript/lines.ts'
import { Places } from '../../shared/transcript/places.ts'
import { SeenRecords } from '../../shared/transcript/seen-records.ts'
import { TranscriptWriter } from '../../shared/transcript/transcript-writer.ts'
import { resultOf } from './results.ts'
import { fateOf } from './rules.ts'
import { commandRecord, promptOf, typedIn } from './typed.ts'

/**
 * Reads the records of one session, in file order, into messages and events. Each record names the one that it follows
 * (`parentUuid`). Qwen Code goes on from the last line, whatever it follows; a rewind is a record that follows an earlier
 * one (0.24.4).
 */
export class TranscriptReader {
  readonly writer: TranscriptWriter
  settled = false
  model: string | undefined
  title: string | undefined
  titleGiven = false
  cwd: string | undefined
  clientVersion: string | undefined
  /** The tool calls, each of which may have started a subagent. */
  readonly calls = new Set<string>()

  readonly #blobs: Map<string, Uint8Array>
  readonly #places = new Places()
  readonly #seen = new SeenRecords(contentOf)
  /** What may say which command the person typed, until the next prompt. */
  #command: Fields | undefined

  constructor(session: string, blobs: Map<string, Uint8Array>) {
    this.writer = new TranscriptWriter('qwen', session)
    this.#blobs = blobs
  }

  read(lines: readonly Line[]): void {
    for (const line of lines)
      this.writer.enter(
        line,
        (record) => this.#readRecord(line, record),
        (value, kind) => this.#unknown(line, {}, value, kind),
      )
  }

  #readRecord(line: Line, record: Fields): Bucket {
    const id = textOf(record.uuid)
    if (this.#seen.repeats(id, line, record)) return 'derived'
    this.writer.time = isoTime(record.timestamp)
    this.cwd ??= textOf(record.cwd) || undefined
    this.clientVersion = textOf(record.version) || this.clientVersion
    const bucket = this.#readByFate(line, record)
    this.#places.pass(id, record.parentUuid)
    return bucket
  }

  #readByFate(line: Line, record: Fields): Bucket {
    const fate = fateOf(record)
    this.#command = commandRecord(this.#command, record)
    switch (fate.as) {
      case 'seed':
        return { dropped: 'resume-context' }
      case 'prompt':
        return this.#prompt(line, record)
      case 'notification':
        this.#say(line, record, 'tool', textIn(partsOf(fieldsOf(record.message).parts))).tool_name =
          'task-notification'
        this.settled = false
        return 'kept'
      case 'answer':
        return this.#answer(line, record)
      case 'results':
        return this.#results(line, record)
      case 'command':
        return 'kept'
      case 'compaction':
        this.#event(line, record, 'compacted').summary = summaryIn(record)
        return 'kept'
      case 'rewind':
        this.#rewind(line, record)
        return 'kept'
      case 'title':
        return this.#titled(fieldsOf(record.systemPayload))
      case 'derived':
        return 'derived'
      case 'dropped':
        return { dropped: fate.rule }
      case 'unknown':
        return this.#unknown(line, record, record, fate.kind)
    }
  }

  #titled({ customTitle, titleSource }: Fields): Bucket {
    this.title = textOf(customTitle) || this.title
    this.titleGiven = titleSource !== 'auto'
    return 'derived'
  }

  #prompt(line: Line, record: Fields): Bucket {
    const { parts, leftOut } = promptOf(record, typedIn(this.#command, record))
    this.#command = undefined
    for (const { rule, text } of leftOut) this.writer.ledger.leaveOut(rule, text)
    const { content, attachments } = bodyOf(parts, this.#blobs)
    const message = this.#say(line, record, 'user', content)
    if (attachments.length > 0) message.attachments = attachments
    this.settled = false
    return 'kept'
  }

  #answer(line: Line, record: Fields): Bucket {
    const parts = partsOf(fieldsOf(record.message).parts)
    const thoughts = parts.filter((part) => part.thought === true).map((part) => textOf(part.text))
    const calls = parts.flatMap(callIn)
    const spoken = parts.filter((part) => part.thought !== true && part.functionCall === undefined)
    const text = textIn(spoken)
    const others = spoken.filter((part) => typeof part.text !== 'string')
    if (text === '' && others.length + calls.length + thoughts.length === 0) return { dropped: 'no-answer' }
    const { content, attachments } = bodyOf([...(text === '' ? [] : [{ text }]), ...others], this.#blobs)
    const message = this.#say(line, record, 'assistant', content)
    if (attachments.length > 0) message.attachments = attachments
    const reasoning = thoughts.filter((thought) => thought !== '').join('\n')
    if (reasoning !== '') message.reasoning = reasoning
    if (calls.length > 0) message.tool_calls = calls
    for (const { id } of calls) this.calls.add(id)
    const model = textOf(record.model)
    if (model !== '') {
      message.model = model
      this.model = model
    }
    const { candidatesTokenCount: tokens } = fieldsOf(record.usageMetadata)
    if (typeof tokens === 'number' && tokens > 0) message.tokens = tokens
    this.settled = calls.length === 0
    return 'kept'
  }

  /** Reads the results of one or more calls. Parts that are no result, such as an image, belong to the one before. */
  #results(line: Line, record: Fields): Bucket {
    const parts = partsOf(fieldsOf(record.message).parts)
    const { resultDisplay, status } = fieldsOf(record.toolCallResult)
    const starts = parts.flatMap((part, index) => (part.functionResponse === undefined ? [] : [index]))
    if (starts.length === 0) return this.#unknown(line, record, record, 'tool_result')
    for (const [n, start] of starts.entries()) {
      const part = parts[start]!
      const others = parts.slice(n === 0 ? 0 : start, starts[n + 1]).filter((one) => one !== part)
      const call = fieldsOf(part.functionResponse)
      const body = resultOf(part, others, starts.length === 1 ? resultDisplay : undefined, this.#blobs)
      const message = this.#say(line, record, 'tool', body.content, ...(n === 0 ? [] : [`result ${n}`]))
      message.tool_call_id = textOf(call.id)
      message.tool_name = textOf(call.name)
      if (body.failed || (starts.length === 1 && (status === 'error' || status === 'cancelled')))
        message.is_error = true
      if (body.attachments.length > 0) message.attachments = body.attachments
    }
    this.settled = false
    return 'kept'
  }

  #rewind(line: Line, record: Fields): void {
    const place = this.#places.before(record.parentUuid)
    this.#event(line, record, 'rewound').to = beforeControlTurn(this.writer.messages, place)
    this.#places.leaf = place
    this.settled = true
  }

  #say(
    line: Line,
    record: Fields,
    role: Message['role'],
    content: Message['content'],
    ...parts: string[]
  ): Message {
    if (parts.length === 0) this.#markRewind(line, record)
    const message = this.writer.push(this.#make(line, record, role, content, ...parts))
    this.#places.enter(textOf(record.uuid), message.id)
    return message
  }

  /** Notes a rewind where a record does not follow the message before it, such as one of a second process. */
  #markRewind(line: Line, record: Fields): void {
    const place = this.#places.before(record.parentUuid)
    if (place === this.#places.leaf) return
    this.#event(line, record, 'rewound').to = beforeControlTurn(this.writer.messages, place)
  }

  #event(line: Line, record: Fields, event: string): Message {
    return this.writer.push(Object.assign(this.#make(line, record, 'system', '', event), { event }))
  }

  #make(
    line: Line,
    record: Fields,
    role: Message['role'],
    content: Message['content'],
    ...parts: string[]
  ): Message {
    const nativeId = textOf(record.uuid) || sha256(line.bytes).slice(0, 32)
    return this.writer.make(line, nativeId, role, content, ...parts)
  }

  /** Makes a raw `unknown` event of what no rule knows. */
  #unknown(line: Line, record: Fields, raw: unknown, kind: string): Bucket {
    this.#event(line, record, 'unknown').raw = raw
    return { unknown: kind }
  }
}

function contentOf({ type, subtype, timestamp, message, systemPayload, toolCallResult }: Fields): unknown {
  return [type, subtype, timestamp, message, systemPayload, toolCallResult]
}

function callIn({ functionCall }: Fields): ToolCall[] {
  if (functionCall === undefined) return []
  const { id, name, args } = fieldsOf(functionCall)
  return [{ id: textOf(id), name: textOf(name), arguments: args ?? {} }]
}

/** The summary of a compaction: the first message of the history from which the model continues. */
function summaryIn(record: Fields): string {
  const history = listOf(fieldsOf(record.systemPayload).compressedHistory).map(fieldsOf)
  const texts = history.map(({ parts }) => textIn(partsOf(parts)))
  return texts.find((text) => text.includes('<state_snapshot>')) ?? texts[0] ?? ''
}
