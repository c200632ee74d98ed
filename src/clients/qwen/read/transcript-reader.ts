import type { Message, ToolCall } from '../../../session/schema.ts'
import type { RawTranscript } from '../../contract/reading.ts'
import { bodyOf, partsOf, textIn } from '../../shared/genai/parts.ts'
import { addBody } from '../../shared/transcript/body.ts'
import type { Bucket } from '../../shared/transcript/byte-ledger.ts'
import { type Fields, fieldsOf, isoTime, jsonIn, listOf, textOf } from '../../shared/transcript/fields.ts'
import { type Line, splitLines } from '../../shared/transcript/lines.ts'
import type { TalkReader } from '../../shared/transcript/read-talk.ts'
import { SeenRecords } from '../../shared/transcript/seen-records.ts'
import { addToAnswer, addToResult } from '../../shared/transcript/transcript-writer.ts'
import { TreeTalk } from '../../shared/transcript/tree-talk.ts'
import { resultOf } from './results.ts'
import { fateOf } from './rules.ts'
import { commandRecord, promptOf, typedIn } from './typed.ts'

/**
 * Reads the records of one session, in file order, into messages and events. Each record names the one that it follows
 * (`parentUuid`). Qwen Code goes on from the last line, whatever it follows; a rewind is a record that follows an earlier
 * one (0.24.4).
 */
export class TranscriptReader implements TalkReader {
  readonly writer: TreeTalk
  readonly #raw: RawTranscript
  #settled = false
  #model: string | undefined
  #title: string | undefined
  #titleGiven = false
  #cwd: string | undefined
  #clientVersion: string | undefined
  /** The tool calls, each of which may have started a subagent. */
  readonly #calls = new Set<string>()
  readonly #seen = new SeenRecords(contentOf)
  /** What may say which command the person typed, until the next prompt. */
  #command: Fields | undefined

  constructor(
    raw: RawTranscript,
    readonly blobs = new Map<string, Uint8Array>(),
  ) {
    this.writer = new TreeTalk('qwen', raw.nativeId, { id: 'uuid', parent: 'parentUuid' })
    this.#raw = raw
  }

  facts() {
    const titleGiven = this.#title !== undefined && this.#titleGiven ? (true as const) : undefined
    const [model, title, cwd, clientVersion] = [this.#model, this.#title, this.#cwd, this.#clientVersion]
    return { settled: this.#settled, model, title, titleGiven, cwd, clientVersion }
  }

  beginSegment(): void {
    this.#calls.clear()
  }

  read(lines: readonly Line[]): void {
    this.writer.read(lines, (line, record) => this.#readRecord(line, record))
  }

  /** Each subagent has a transcript in the side folder, and beside it a file that names its call (`toolUseId`). */
  subagents(): Record<string, Message[]> {
    const { sideFiles, readSideFile } = this.#raw
    const found = sideFiles.flatMap((path): [string, Message[]][] => {
      if (this.#calls.size === 0 || !path.endsWith('.jsonl')) return []
      const about = readSideFile(path.replace(/\.jsonl$/, '.meta.json'))
      const call = textOf(fieldsOf(jsonIn(Buffer.from(about ?? []).toString('utf8'))).toolUseId)
      const bytes = this.#calls.has(call) ? readSideFile(path) : undefined
      if (bytes === undefined) return []
      const reader = new TranscriptReader(this.#raw, this.blobs)
      reader.read(splitLines(bytes))
      return [[call, reader.writer.messages]]
    })
    return Object.fromEntries(found)
  }

  #readRecord(line: Line, record: Fields): Bucket {
    const id = textOf(record.uuid)
    if (this.#seen.repeats(id, line, record)) return 'derived'
    this.writer.time = isoTime(record.timestamp)
    this.#cwd ??= textOf(record.cwd) || undefined
    this.#clientVersion = textOf(record.version) || this.#clientVersion
    const bucket = this.#readByFate(line, record)
    this.writer.pass(record)
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
        this.writer.say(line, record, 'tool', textIn(partsOf(fieldsOf(record.message).parts))).tool_name =
          'task-notification'
        this.#settled = false
        return 'kept'
      case 'answer':
        return this.#answer(line, record)
      case 'results':
        return this.#results(line, record)
      case 'command':
        return 'kept'
      case 'compaction':
        this.writer.note(line, record, 'compacted').summary = summaryIn(record)
        return 'kept'
      case 'rewind':
        this.writer.goBack(line, record)
        this.#settled = true
        return 'kept'
      case 'title':
        return this.#titled(fieldsOf(record.systemPayload))
      case 'derived':
        return 'derived'
      case 'dropped':
        return { dropped: fate.rule }
      case 'unknown':
        return this.writer.keepUnknown(line, record, fate.kind)
    }
  }

  #titled({ customTitle, titleSource }: Fields): Bucket {
    this.#title = textOf(customTitle) || this.#title
    this.#titleGiven = titleSource !== 'auto'
    return 'derived'
  }

  #prompt(line: Line, record: Fields): Bucket {
    const { parts, leftOut } = promptOf(record, typedIn(this.#command, record))
    this.#command = undefined
    for (const { rule, text } of leftOut) this.writer.ledger.leaveOut(rule, text)
    addBody(this.writer.say(line, record, 'user', ''), bodyOf(parts, this.blobs))
    this.#settled = false
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
    const body = bodyOf([...(text === '' ? [] : [{ text }]), ...others], this.blobs)
    const model = textOf(record.model)
    this.#model = model || this.#model
    addToAnswer(addBody(this.writer.say(line, record, 'assistant', ''), body), {
      thoughts: thoughts.filter((thought) => thought !== '').join('\n'),
      calls,
      model,
      tokens: fieldsOf(record.usageMetadata).candidatesTokenCount,
    })
    for (const { id } of calls) this.#calls.add(id)
    this.#settled = calls.length === 0
    return 'kept'
  }

  /** Reads the results of one or more calls. Parts that are no result, such as an image, belong to the one before. */
  #results(line: Line, record: Fields): Bucket {
    const parts = partsOf(fieldsOf(record.message).parts)
    const { resultDisplay, status } = fieldsOf(record.toolCallResult)
    const starts = parts.flatMap((part, index) => (part.functionResponse === undefined ? [] : [index]))
    if (starts.length === 0) return this.writer.keepUnknown(line, record, 'tool_result')
    for (const [n, start] of starts.entries()) {
      const part = parts[start]!
      const others = parts.slice(n === 0 ? 0 : start, starts[n + 1]).filter((one) => one !== part)
      const call = fieldsOf(part.functionResponse)
      const body = resultOf(part, others, starts.length === 1 ? resultDisplay : undefined, this.blobs)
      const message = this.writer.say(line, record, 'tool', body.content, ...(n === 0 ? [] : [`result ${n}`]))
      const failed = body.failed || (starts.length === 1 && (status === 'error' || status === 'cancelled'))
      const { attachments } = body
      addToResult(message, { call: textOf(call.id), name: textOf(call.name), failed, attachments })
    }
    this.#settled = false
    return 'kept'
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
