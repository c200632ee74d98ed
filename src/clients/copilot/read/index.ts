import type { Message } from '../../../session/schema.ts'
import type { RawTranscript, Reading } from '../../contract/reading.ts'
import type { Bucket } from '../../shared/transcript/byte-ledger.ts'
import { type Fields, fieldsOf, textOf } from '../../shared/transcript/fields.ts'
import { type Line, splitLines } from '../../shared/transcript/lines.ts'
import { readTalk, type TalkReader } from '../../shared/transcript/read-talk.ts'
import type { TranscriptWriter } from '../../shared/transcript/transcript-writer.ts'
import type { Assets } from './parts.ts'
import { agentOf, isFinal, isSeed, isTyped } from './rules.ts'
import { type TalkContext, TranscriptReader } from './transcript-reader.ts'

/** Reads a session of Copilot CLI. The format was observed on 1.0.102. */
export function readTranscript(raw: RawTranscript): Reading {
  return readTalk(raw, new SessionReader(raw))
}

/** Whether these bytes go on with a tool or a subagent that began before them. */
export function refersBack(bytes: Uint8Array): boolean {
  const known = new Set<string>()
  for (const { content } of splitLines(bytes)) {
    if (content.kind !== 'record') continue
    const { type, data } = content.record
    const agent = agentOf(content.record)
    const { toolCallId } = fieldsOf(data)
    if (type === 'subagent.started') known.add(agent)
    if (type === 'tool.execution_start' || type === 'tool.user_requested') known.add(textOf(toolCallId))
    if (agent !== '' && !known.has(agent)) return true
    if (type === 'tool.execution_complete' && !known.has(textOf(toolCallId))) return true
    if (type === 'user.message' && /"assetId":"/.test(JSON.stringify(fieldsOf(data).attachments ?? '')))
      return true
  }
  return false
}

/** Reads the person's talk and those of the subagents, whose events are among its own. */
class SessionReader implements TalkReader {
  readonly writer: TranscriptWriter
  readonly blobs = new Map<string, Uint8Array>()
  readonly #main: TranscriptReader
  #cwd: string | undefined
  #clientVersion: string | undefined
  readonly #session: string
  readonly #context: TalkContext
  /** The talk of each subagent, by its id. */
  readonly #agents = new Map<string, TranscriptReader>()
  /** The id of a subagent → the tool call that started it. */
  readonly #calls = new Map<string, string>()

  constructor({ nativeId, readSideFile }: RawTranscript) {
    this.#session = nativeId
    const assets: Assets = new Map()
    this.#context = {
      blobs: this.blobs,
      assets,
      readMoved: (name) => readSideFile(name),
      leaveOut: (rule, text) => this.writer.ledger.leaveOut(rule, text),
    }
    this.#main = new TranscriptReader(nativeId, this.#context)
    this.writer = this.#main.writer
  }

  facts() {
    const { model, settled } = this.#main
    return { settled, model, cwd: this.#cwd, clientVersion: this.#clientVersion }
  }

  read(lines: readonly Line[]): void {
    this.writer.read(lines, (line, event) => this.#readEvent(line, event))
  }

  beginSegment(): void {
    for (const { writer } of this.#agents.values()) writer.beginSegment()
  }

  /** The messages of the subagents in the segment, by the calls that started them. */
  subagents(): Record<string, Message[]> {
    const found = new Map<string, Message[]>()
    for (const [id, { writer }] of this.#agents) {
      const said = writer.segmentMessages()
      const call = this.#calls.get(id) ?? ''
      found.set(call, [...(found.get(call) ?? []), ...said])
    }
    return Object.fromEntries(found)
  }

  #readEvent(line: Line, event: Fields): Bucket {
    const { type } = event
    const data = fieldsOf(event.data)
    const { context, copilotVersion } = data
    if (type === 'session.start' || type === 'session.resume' || type === 'session.context_changed')
      this.#cwd = textOf(fieldsOf(context).cwd) || this.#cwd
    if (isSeed(event)) return { dropped: 'resume-context' }
    if (type === 'session.start') this.#clientVersion = textOf(copilotVersion) || undefined
    const agent = agentOf(event)
    if (agent === '') return this.#main.readEvent(line, event)
    const call = textOf(type === 'subagent.started' ? data.toolCallId : data.parentToolCallId)
    if (call !== '') this.#calls.set(agent, call)
    return this.#talkOf(agent).readEvent(line, event)
  }

  #talkOf(agent: string): TranscriptReader {
    const talk = this.#agents.get(agent) ?? new TranscriptReader(this.#session, this.#context)
    this.#agents.set(agent, talk)
    return talk
  }
}

/**
 * The byte offset of the prompt of the running turn: the last one without a final answer after it. It is the end of the
 * file when every prompt is answered, was interrupted, or failed.
 */
export function turnStart(bytes: Uint8Array): number {
  for (const { content, start } of splitLines(bytes).reverse()) {
    if (content.kind !== 'record') continue
    const { record } = content
    const data = fieldsOf(record.data)
    if (agentOf(record) !== '' || isSeed(record)) continue
    if (record.type === 'user.message' && isTyped(data)) return start
    if (record.type === 'assistant.message' && isFinal(data)) break
    if (record.type === 'abort' || record.type === 'session.error') break
  }
  return bytes.length
}
