import { fileURLToPath } from 'node:url'
import type { RawTranscript, Reading } from '../contract/reading.ts'
import { addBody, bodyOf } from '../shared/transcript/body.ts'
import type { Bucket } from '../shared/transcript/byte-ledger.ts'
import {
  blocksOf,
  type Fields,
  fieldsOf,
  isoTime,
  jsonIn,
  listOf,
  textOf,
} from '../shared/transcript/fields.ts'
import type { Line } from '../shared/transcript/lines.ts'
import { readOnce, readTalk, type TalkReader } from '../shared/transcript/read-talk.ts'
import { addToAnswer, addToResult, TranscriptWriter } from '../shared/transcript/transcript-writer.ts'

/** Reads the lines that `fromExport` makes of a thread. */
export function readTranscript(raw: RawTranscript): Reading {
  return readTalk(raw, new ThreadReader(raw.nativeId))
}

/** The folder in which a thread was held. */
export function folderOf({ env }: Fields): string | undefined {
  const [tree] = listOf(fieldsOf(fieldsOf(env).initial).trees).map(fieldsOf)
  try {
    return fileURLToPath(textOf(tree?.uri))
  } catch {
    // Not a folder of this system.
    return undefined
  }
}

class ThreadReader implements TalkReader {
  readonly writer: TranscriptWriter
  readonly read: TalkReader['read']
  readonly blobs = new Map<string, Uint8Array>()
  readonly #tools = new Map<string, string>()
  #settled = false
  #model: string | undefined
  #title: string | undefined
  #cwd: string | undefined

  constructor(session: string) {
    this.writer = new TranscriptWriter('amp', session)
    this.read = readOnce(this.writer, (line, record, hash) => this.#readRecord(line, record, hash))
  }

  facts() {
    return { settled: this.#settled, model: this.#model, title: this.#title, cwd: this.#cwd }
  }

  #readRecord(line: Line, record: Fields, hash: string): Bucket {
    const { type, thread } = record
    if (type === 'thread') {
      this.#title = textOf(record.title) || undefined
      this.#cwd = folderOf(record)
      this.writer.time = isoTime(record.created)
      return 'derived'
    }
    const message = fieldsOf(record.message)
    const { role, messageId } = message
    this.writer.time = isoTime(record.time)
    const id = typeof messageId === 'number' ? `${textOf(thread)} ${messageId}` : hash
    if (type === 'message' && role === 'user') return this.#said(line, id, message)
    if (type === 'message' && role === 'assistant') return this.#answer(line, id, message)
    return { unknown: textOf(role) || textOf(type) || 'no-type' }
  }

  /** What the person said, and results of calls. */
  #said(line: Line, id: string, { content }: Fields): Bucket {
    const blocks = blocksOf(content ?? [])
    const typed = blocks.filter(({ type }) => type !== 'tool_result')
    if (typed.length > 0) addBody(this.writer.add(line, id, 'user', ''), bodyOf(typed, this.blobs))
    for (const { type, toolUseID, run } of blocks)
      if (type === 'tool_result') this.#result(line, id, textOf(toolUseID), fieldsOf(run))
    this.#settled = false
    return blocks.length > 0 ? 'kept' : { dropped: 'no-answer' }
  }

  #result(line: Line, id: string, call: string, run: Fields): void {
    const { status, result } = run
    const failed = status !== 'done' && status !== 'in-progress'
    const message = this.writer.add(line, id, 'tool', resultText(failed ? run : result), call)
    addToResult(message, { call, name: this.#tools.get(call) ?? 'unknown', failed })
  }

  #answer(line: Line, id: string, { content, state, usage }: Fields): Bucket {
    const blocks = blocksOf(content ?? [])
    const texts = (kind: string) =>
      blocks.flatMap((block) => (block.type === kind ? [textOf(block[kind])] : []))
    const calls = blocks
      .filter(({ type }) => type === 'tool_use')
      .map((call) => ({ id: textOf(call.id), name: textOf(call.name), arguments: call.input ?? {} }))
    const other = blocks.map(({ type }) => textOf(type)).find((type) => !BLOCKS.includes(type))
    const [{ type: ended, stopReason }, { model, outputTokens }] = [fieldsOf(state), fieldsOf(usage)]
    this.#settled = ended !== 'streaming' && stopReason !== 'tool_use'
    this.#model = textOf(model) || this.#model
    for (const { id, name } of calls) this.#tools.set(id, name)
    const answer = this.writer.add(line, id, 'assistant', texts('text').join('\n'))
    const thoughts = texts('thinking').join('\n')
    addToAnswer(answer, { thoughts, calls, model: textOf(model), tokens: outputTokens })
    if (ended === 'cancelled') this.writer.addEvent(line, id, 'interrupted')
    return other === undefined ? 'kept' : { unknown: `part:${other}` }
  }
}

const BLOCKS = ['text', 'thinking', 'redacted_thinking', 'tool_use']

/** A result is a text, lines, or fields that differ from tool to tool. */
function resultText(result: unknown): string {
  const lines = result === undefined ? [] : [result].flat()
  const isText = lines.every((line) => typeof line === 'string')
  return isText ? lines.join('\n') : JSON.stringify(result)
}

/**
 * Makes a transcript of a thread's document: a line about the thread, and a line for each message, whole, with the
 * thread's id and its time. Left out are the account of credits and notes for the makers of Amp. Undefined for any other
 * text.
 */
export function fromExport(text: string): string | undefined {
  const { id, created, title, env, messages, usageLedger } = fieldsOf(jsonIn(text.replace(/^\ufeff/, '')))
  const thread = textOf(id)
  if (!thread.startsWith('T-') || !Array.isArray(messages)) return undefined
  // Only the account says when an answer came.
  const events = listOf(fieldsOf(usageLedger).events).map(fieldsOf)
  const answered = new Map(events.map(({ toMessageId, timestamp }) => [toMessageId, timestamp]))
  const lines = messages.map((message) => {
    const { messageId, meta } = fieldsOf(message)
    return { type: 'message', thread, time: fieldsOf(meta).sentAt ?? answered.get(messageId), message }
  })
  return [{ type: 'thread', thread, created, title, env }, ...lines]
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('')
}
