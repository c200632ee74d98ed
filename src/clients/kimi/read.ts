import type { Message } from '../../session/schema.ts'
import type { RawTranscript, Reading } from '../contract/reading.ts'
import { addBody, bodyOf, imageInUrl, oneText } from '../shared/transcript/body.ts'
import type { Bucket } from '../shared/transcript/byte-ledger.ts'
import { blocksOf, type Fields, fieldsOf, isoTime, jsonIn, textOf } from '../shared/transcript/fields.ts'
import type { Line } from '../shared/transcript/lines.ts'
import { readOnce, readTalk } from '../shared/transcript/read-talk.ts'
import { addToResult, TranscriptWriter } from '../shared/transcript/transcript-writer.ts'

/** Reads the events of a session (`wire.jsonl`), as they are since protocol version 1.3. */
export function readTranscript(raw: RawTranscript): Reading {
  const blobs = new Map<string, Uint8Array>()
  const newTalk = () => new EventReader(new TranscriptWriter('kimi', raw.nativeId), blobs)
  const main = newTalk()
  const agents = new Map<string, EventReader>()
  const readRecord = (line: Line, record: Fields, hash: string): Bucket => {
    if (record.type === 'metadata') return { dropped: 'client-state' }
    // Events have no ids. Their times are in microseconds, and a fork keeps them.
    const time = isoTime(typeof record.timestamp === 'number' ? record.timestamp * 1000 : Number.NaN)
    const id = time === undefined ? hash : String(record.timestamp)
    const { type, payload } = fieldsOf(record.message)
    const { parent_tool_call_id: call, task_tool_call_id: earlier, event } = fieldsOf(payload)
    const caller = type === 'SubagentEvent' ? textOf(call ?? earlier) : ''
    const talk = caller === '' ? main : (agents.get(caller) ?? newTalk())
    if (caller !== '') agents.set(caller, talk)
    talk.writer.time = time
    return talk.readEvent(line, id, fieldsOf(caller === '' ? record.message : event))
  }
  return readTalk(raw, {
    ...{ writer: main.writer, blobs, read: readOnce(main.writer, readRecord) },
    beginSegment: () => [...agents.values()].map(({ writer }) => writer.beginSegment()),
    end: () => [main, ...agents.values()].map((talk) => talk.closeCall()),
    subagents: () =>
      Object.fromEntries([...agents].map(([call, { writer }]) => [call, writer.segmentMessages()])),
    facts: () => ({ settled: main.settled }),
  })
}

/** Events that say nothing of the talk. What the person answers to a request is in the result of the call. */
const LEFT_OUT: [RegExp, string][] = [
  [/^(StepBegin|StepRetry|TurnEnd|CompactionEnd|MCPLoadingBegin|MCPLoadingEnd)$/, 'progress'],
  [/^(ApprovalRe(quest|sponse|questResolved)|QuestionRequest|ToolCallRequest|PlanDisplay)$/, 'client-state'],
  [/^(HookTriggered|HookResolved|HookRequest)$/, 'hook-output'],
  [/^StatusUpdate$/, 'usage'],
]

/** Reads the events of one talk. The parts of an answer come one after another, and so do the arguments of a call. */
class EventReader {
  settled = false
  readonly #tools = new Map<string, string>()
  #answer: Message | undefined
  /** A call whose arguments are not complete yet. */
  #open: { answer: Message; id: string; name: string; text: string } | undefined

  constructor(
    readonly writer: TranscriptWriter,
    readonly blobs: Map<string, Uint8Array>,
  ) {}

  readEvent(line: Line, id: string, event: Fields): Bucket {
    const type = textOf(event.type)
    const payload = fieldsOf(event.payload)
    if (/^(TurnBegin|SteerInput|StepBegin|StepInterrupted|TurnEnd)$/.test(type)) {
      this.closeCall()
      this.#answer = undefined
      this.settled = type === 'TurnEnd' || type === 'StepInterrupted'
    }
    if (type === 'ContentPart') return this.#part(line, id, payload)
    if (type === 'ToolCall') return this.#call(line, id, payload)
    if (type === 'ToolCallPart') return this.#moreOfCall(textOf(payload.arguments_part))
    if (type === 'ToolResult') return this.#result(line, id, payload)
    const rule = LEFT_OUT.find(([types]) => types.test(type))?.[1]
    if (rule !== undefined) return { dropped: rule }
    if (type === 'TurnBegin' || type === 'SteerInput') this.#add(line, id, 'user', payload.user_input)
    else if (type === 'Notification')
      this.#add(line, id, 'tool', payload.body).tool_name = 'task-notification'
    else if (type === 'CompactionBegin') this.writer.addEvent(line, id, 'compacted')
    else if (type === 'StepInterrupted') this.writer.addEvent(line, id, 'interrupted')
    else return { unknown: type || 'no-type' }
    return 'kept'
  }

  closeCall(): void {
    if (this.#open === undefined) return
    const { answer, id, name, text } = this.#open
    this.#open = undefined
    answer.tool_calls = [...(answer.tool_calls ?? []), { id, name, arguments: jsonIn(text) ?? text }]
    this.writer.touched.add(answer)
  }

  #part(line: Line, id: string, { type, text, think }: Fields): Bucket {
    if (type !== 'text' && type !== 'think') return { unknown: `part:${textOf(type)}` }
    const answer = this.#answerAt(line, id)
    const joined = (before: unknown, more: unknown) => [before, more].map(textOf).filter(Boolean).join('\n')
    if (type === 'text') answer.content = joined(answer.content, text)
    else answer.reasoning = joined(answer.reasoning, think)
    return 'kept'
  }

  #call(line: Line, id: string, { id: call, function: called }: Fields): Bucket {
    this.closeCall()
    const { name, arguments: given } = fieldsOf(called)
    this.#tools.set(textOf(call), textOf(name))
    this.#open = { answer: this.#answerAt(line, id), id: textOf(call), name: textOf(name), text: '' }
    return this.#moreOfCall(textOf(given))
  }

  #moreOfCall(text: string): Bucket {
    if (this.#open === undefined) return { unknown: 'ToolCallPart' }
    this.#open.text += text
    if (jsonIn(this.#open.text) !== undefined) this.closeCall()
    return 'kept'
  }

  #result(line: Line, id: string, { tool_call_id, return_value }: Fields): Bucket {
    const call = textOf(tool_call_id)
    if (this.#open?.id === call) this.closeCall()
    const { output, message, is_error } = fieldsOf(return_value)
    const result = this.#add(line, id, 'tool', oneText(blocksOf([message ?? '', output ?? ''].flat())))
    addToResult(result, { call, name: this.#tools.get(call) ?? 'unknown', failed: is_error === true })
    return 'kept'
  }

  #answerAt(line: Line, id: string): Message {
    this.#answer ??= this.writer.add(line, id, 'assistant', '')
    this.writer.touched.add(this.#answer)
    return this.#answer
  }

  #add(line: Line, id: string, role: 'user' | 'tool', content: unknown): Message {
    const url = (block: Fields) => imageInUrl(fieldsOf(block.image_url).url)
    return addBody(this.writer.add(line, id, role, ''), bodyOf(content, this.blobs, url))
  }
}
