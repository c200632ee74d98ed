import type { Message } from '../../../session/schema.ts'
import type { RawTranscript, Reading } from '../../contract/reading.ts'
import { type Bucket, ByteLedger } from '../../shared/transcript/byte-ledger.ts'
import { definedFields, mcpToolsIn, rangeOf } from '../../shared/transcript/facts.ts'
import { type Fields, fieldsOf, textOf } from '../../shared/transcript/fields.ts'
import { type Line, splitLines } from '../../shared/transcript/lines.ts'
import type { Assets } from './parts.ts'
import { agentOf, isSeed } from './rules.ts'
import { type TalkContext, TalkReader } from './talk-reader.ts'

/**
 * Reads a session of Copilot CLI into messages, facts, and a report on every byte. The format was observed on 1.0.102.
 * Never throws on content. Pure: it reads nothing but what it is given.
 *
 * Lines before the segment are read too, because they name the tools and subagents that the segment goes on with.
 */
export function readTranscript(raw: RawTranscript): Reading {
  const from = raw.from ?? 0
  const reader = new SessionReader(raw)
  reader.read(splitLines(raw.bytes, 0, from))
  reader.beginSegment(raw.countFrom)
  reader.read(splitLines(raw.bytes, from, raw.to, raw.firstLine))
  const { main, blobs, cwd, clientVersion } = reader
  const messages = main.writer.segmentMessages()
  return {
    messages,
    subagents: reader.subagents(),
    blobs,
    facts: {
      calledToolsOnly: true,
      mcpTools: mcpToolsIn(messages),
      ...definedFields({ ...rangeOf(messages), model: main.model, cwd, clientVersion }),
      settled: main.settled,
    },
    report: main.writer.ledger.report(),
  }
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
class SessionReader {
  readonly main: TalkReader
  readonly blobs = new Map<string, Uint8Array>()
  cwd: string | undefined
  clientVersion: string | undefined

  readonly #session: string
  readonly #context: TalkContext
  /** The talk of each subagent, by its id. */
  readonly #agents = new Map<string, TalkReader>()
  /** The id of a subagent → the tool call that started it. */
  readonly #calls = new Map<string, string>()

  constructor({ nativeId, readSideFile }: RawTranscript) {
    this.#session = nativeId
    const assets: Assets = new Map()
    this.#context = {
      blobs: this.blobs,
      assets,
      readMoved: (name) => readSideFile(name),
      leaveOut: (rule, text) => this.main.writer.ledger.leaveOut(rule, text),
    }
    this.main = new TalkReader(nativeId, this.#context)
  }

  read(lines: readonly Line[]): void {
    for (const line of lines)
      this.main.writer.enter(
        line,
        (event) => this.#readEvent(line, event),
        (value, kind) => this.main.unknown(line, value, kind),
      )
  }

  beginSegment(countFrom: number | undefined): void {
    this.blobs.clear()
    for (const { writer } of [this.main, ...this.#agents.values()]) writer.beginSegment()
    this.main.writer.ledger = new ByteLedger(countFrom)
  }

  /** The messages of the subagents in the segment, by the calls that started them. */
  subagents(): Record<string, Message[]> {
    const found = new Map<string, Message[]>()
    for (const [id, { writer }] of this.#agents) {
      const said = writer.segmentMessages()
      const call = this.#calls.get(id) ?? ''
      if (said.length > 0) found.set(call, [...(found.get(call) ?? []), ...said])
    }
    return Object.fromEntries(found)
  }

  #readEvent(line: Line, event: Fields): Bucket {
    const { type } = event
    const data = fieldsOf(event.data)
    const { context, copilotVersion } = data
    if (type === 'session.start' || type === 'session.resume' || type === 'session.context_changed')
      this.cwd = textOf(fieldsOf(context).cwd) || this.cwd
    if (isSeed(event)) return { dropped: 'resume-context' }
    if (type === 'session.start') this.clientVersion = textOf(copilotVersion) || undefined
    const agent = agentOf(event)
    if (agent === '') return this.main.readEvent(line, event)
    const call = textOf(type === 'subagent.started' ? data.toolCallId : data.parentToolCallId)
    if (call !== '') this.#calls.set(agent, call)
    return this.#talkOf(agent).readEvent(line, event)
  }

  #talkOf(agent: string): TalkReader {
    const talk = this.#agents.get(agent) ?? new TalkReader(this.#session, this.#context)
    this.#agents.set(agent, talk)
    return talk
  }
}
