import type { Message } from '../../../session/schema.ts'
import type { Bucket, ByteLedger } from '../../transcript/byte-ledger.ts'
import { blocksOf, type Fields, fieldsOf, textOf } from '../../transcript/fields.ts'
import type { Line } from '../../transcript/lines.ts'
import { type Answer, addBlocks } from './answer.ts'
import type { Before } from './before.ts'
import { messageId } from './ids.ts'
import { inTalkOrder } from './message-order.ts'
import { type Beside, resultBody, saidBody } from './parts.ts'
import { PromptQueue } from './queue.ts'
import { fateOf, isClientText, metaRule, refusedCommands } from './rules.ts'
import { nativeIdOf, Thread } from './thread.ts'
import { sortTyped, type Typed } from './typed.ts'

export interface ReaderContext extends Beside {
  nativeSession: string
  ledger: ByteLedger
  before: Before
  /** The reader of the same thread before the segment. */
  earlier: () => TranscriptReader
  /** The offset from which on the client writes attachment records; Infinity when it writes none. */
  attachmentsFrom: number
  /** Takes a subagent's record out of the talk. `self` when the lines are a subagent's own. */
  subagent: 'self' | ((line: Line, record: Fields) => 'kept' | 'derived')
}

/** Reads the records of one thread, in the order of the talk, into messages and events. */
export class TranscriptReader {
  /** Agent id → the tool call that started the agent, from the results of the calls. */
  readonly agents = new Map<string, string>()
  settled = false
  model: string | undefined

  readonly #context: ReaderContext
  readonly #thread: Thread
  readonly #queue = new PromptQueue()
  readonly #answersOfCalls = new Map<string, Answer>()
  readonly #commands = new Set<string>()
  readonly #compactions = new Map<string, Message>()
  /** Slash commands that never reached the model, so that no other record holds the person's words. */
  #refused = new Set<string>()
  /** True when a prompt or an answer of the segment was read. */
  #begun = false

  constructor(context: ReaderContext) {
    this.#context = context
    this.#thread = new Thread(context.nativeSession, context.before, () => context.earlier().#thread)
  }

  /** The messages in the order of the talk, events included. */
  get messages(): Message[] {
    return this.#thread.messages
  }

  read(lines: readonly Line[]): void {
    this.#refused = refusedCommands(lines)
    const { before } = this.#context
    for (const line of inTalkOrder(lines, (uuid) => before.hasRecord(uuid)))
      this.#context.ledger.enter(line, this.#readLine(line))
  }

  #readLine(line: Line): Bucket {
    const { content } = line
    if (content.kind === 'record') return this.#readRecord(line, content.record)
    if (content.kind === 'blank') return { dropped: 'blank-line' }
    if (content.kind === 'unreadable') return 'unreadable'
    this.#thread.unknown(line, {}, content.value)
    return { unknown: 'no-object' }
  }

  #readRecord(line: Line, record: Fields): Bucket {
    const uuid = textOf(record.uuid)
    if (uuid !== '' && this.#thread.chain.has(uuid)) return 'derived'
    this.#thread.time = record.timestamp
    const fate = fateOf(record)
    const { subagent } = this.#context
    const isTalk = fate.as === 'user' || fate.as === 'assistant'
    if (subagent !== 'self' && (fate.as === 'agent-progress' || (isTalk && record.isSidechain === true))) {
      this.#thread.chain.pass(record)
      return subagent(line, record)
    }
    switch (fate.as) {
      case 'user':
        return this.#user(line, record)
      case 'assistant':
        return this.#assistant(line, record)
      case 'queued':
        return this.#queuedPrompt(line, record)
      case 'queue':
        return this.#queueOperation(line, record)
      case 'compaction':
        this.#compaction(line, record)
        return 'kept'
      case 'summary':
        return this.#summary(line, record)
    }
    this.#thread.chain.pass(record)
    if (fate.as === 'derived') return 'derived'
    if (fate.as === 'unknown') {
      this.#thread.unknown(line, record, record)
      return { unknown: fate.kind }
    }
    if (fate.as === 'turn-end') this.settled ||= this.#endsInText()
    if (fate.as !== 'dropped') return { dropped: fate.as }
    // The client answered in the model's place, and nothing more will come.
    if (fate.rule === 'api-error' || fate.rule === 'synthetic-answer') this.settled = true
    return { dropped: fate.rule }
  }

  #user(line: Line, record: Fields): Bucket {
    if (record.isMeta === true) {
      const afterCommand = this.#commands.has(textOf(record.parentUuid))
      if (afterCommand) this.#commands.add(textOf(record.uuid))
      this.#thread.chain.pass(record)
      return { dropped: metaRule(record, afterCommand) }
    }
    const { content } = fieldsOf(record.message)
    const blocks = blocksOf(content)
    const results = blocks.filter((block) => block.type === 'tool_result')
    const rest = blocks.filter((block) => block.type !== 'tool_result')
    const said = typeof content === 'string' ? rest : rest.filter((block) => !isClientText(block))
    for (const block of results) this.#result(line, record, block)
    if (said.length > 0) {
      const bucket = this.#said(line, record, said, results.length > 0)
      return results.length > 0 ? 'kept' : bucket
    }
    if (results.length > 0) return 'kept'
    this.#thread.chain.pass(record)
    return { dropped: 'reminder' }
  }

  #result(line: Line, record: Fields, block: Fields): void {
    const callId = textOf(block.tool_use_id)
    const answer = this.#answersOfCalls.get(callId)
    const { content, attachments } = resultBody(block.content, this.#context)
    const message = this.#thread.push(
      line,
      record,
      messageId(nativeIdOf(line, record), callId),
      'tool',
      content,
    )
    message.tool_call_id = callId
    const name = answer?.message.tool_calls?.find((call) => call.id === callId)?.name
    if (name !== undefined) message.tool_name = name
    if (block.is_error === true) message.is_error = true
    if (attachments.length > 0) message.attachments = attachments
    const agent = textOf(fieldsOf(record.toolUseResult).agentId)
    if (agent !== '') this.agents.set(agent, callId)
    this.settled = false
    this.#thread.chain.enter(record, message.id, answer)
  }

  #said(line: Line, record: Fields, blocks: Fields[], besideResults: boolean): Bucket {
    const only = blocks.length === 1 && blocks[0]?.type === 'text' ? textOf(blocks[0].text) : undefined
    const typed = only === undefined ? undefined : sortTyped(only)
    const rule = typed === undefined ? undefined : this.#ruleFor(typed, record)
    if (rule !== undefined) {
      if (!besideResults) this.#thread.chain.pass(record)
      if (rule === 'interruption') this.settled = true
      return { dropped: rule }
    }
    const id = messageId(nativeIdOf(line, record), ...(besideResults ? ['text'] : []))
    if (typed?.kind === 'shell-output' || typed?.kind === 'task-notification') {
      const message = this.#thread.push(line, record, id, 'tool', typed.text)
      message.tool_name = typed.kind === 'shell-output' ? 'bash-mode' : 'task-notification'
      if (typed.kind === 'shell-output' && typed.failed) message.is_error = true
      if (typed.kind === 'task-notification') this.settled = false
      this.#thread.chain.enter(record, message.id)
      return 'kept'
    }
    const body =
      typed !== undefined && 'text' in typed
        ? { content: typed.text, attachments: [] }
        : saidBody(blocks, this.#context)
    if (!besideResults) this.#thread.markRewind(line, record)
    this.#begun = true
    const message = this.#thread.push(line, record, id, 'user', body.content)
    if (body.attachments.length > 0) message.attachments = body.attachments
    if (typed?.kind === 'command') this.#commands.add(textOf(record.uuid))
    // The model does not answer a shell command or a local command by itself.
    if (typed?.kind !== 'shell-input' && typed?.kind !== 'local-command') this.settled = false
    this.#thread.chain.enter(record, message.id)
    return 'kept'
  }

  #ruleFor(typed: Typed, record: Fields): string | undefined {
    switch (typed.kind) {
      case 'local-command':
        return this.#refused.has(textOf(record.uuid)) ? undefined : 'local-command'
      case 'local-command-output':
      case 'interruption':
        return typed.kind
      case 'caveat':
        return 'local-command'
      default:
        return undefined
    }
  }

  #assistant(line: Line, record: Fields): Bucket {
    const native = fieldsOf(record.message)
    const apiId = textOf(native.id)
    // Lines of one API id belong together only where links join them, because ids of other servers repeat.
    const before = this.#thread.chain.answerBefore(record)
    const joins = before !== undefined && apiId !== '' && before.apiId === apiId
    const answer = joins ? before : this.#newAnswer(line, record, apiId)
    const { kept, hidden, unknown } = addBlocks(answer, record)
    for (const call of answer.message.tool_calls ?? []) this.#answersOfCalls.set(call.id, answer)
    this.#thread.chain.enter(record, answer.message.id, answer)
    for (const [index, block] of unknown.entries())
      this.#thread.unknown(line, record, block, `block:${index}`)
    if (textOf(native.model) !== '') this.model = textOf(native.model)
    const reason = native.stop_reason
    this.settled = typeof reason === 'string' && reason !== 'tool_use' && reason !== 'pause_turn'
    if (kept) return 'kept'
    if (unknown.length > 0) return { unknown: `block:${textOf(unknown[0]?.type)}` }
    return hidden ? { dropped: 'redacted-thinking' } : 'kept'
  }

  #newAnswer(line: Line, record: Fields, apiId: string): Answer {
    // Only an answer that is under way when the segment begins can have begun before it.
    const outside = this.#begun || apiId === '' ? undefined : this.#thread.chain.outsideOf(record)
    const began = outside === undefined ? undefined : this.#context.before.startOfAnswer(apiId, outside)
    this.#begun = true
    const nativeId = began ?? nativeIdOf(line, record)
    const message = this.#thread.push(line, record, messageId(nativeId), 'assistant', '')
    message.native_id = nativeId
    return { apiId, message, texts: [], thoughts: [] }
  }

  /** Reads a prompt that was typed while the agent worked, and was given to it within the turn. */
  #queuedPrompt(line: Line, record: Fields): Bucket {
    const attachment = fieldsOf(record.attachment)
    const origin = textOf(fieldsOf(attachment.origin).kind) || 'human'
    const blocks = blocksOf(attachment.prompt)
    const isNotification = attachment.commandMode === 'task-notification' || origin === 'task-notification'
    const isTyped = origin === 'human' && attachment.isMeta !== true
    if (blocks.length > 0 && (isNotification || isTyped)) return this.#said(line, record, blocks, false)
    this.#thread.chain.pass(record)
    return { dropped: 'client-note' }
  }

  #queueOperation(line: Line, record: Fields): Bucket {
    const prompt = this.#queue.step(record, this.#context.attachmentsFrom < line.start)
    if (prompt === undefined) return { dropped: 'queue' }
    // The record has no uuid, and a fork would write the session's id anew. So time and words make the id.
    const id = messageId('queue-operation', textOf(record.timestamp), prompt)
    this.#thread.push(line, record, id, 'user', prompt)
    return 'kept'
  }

  #compaction(line: Line, record: Fields): Message {
    const id = messageId(nativeIdOf(line, record), 'compacted')
    const event = this.#thread.push(line, record, id, 'system', '')
    event.event = 'compacted'
    event.summary = ''
    this.#compactions.set(event.id, event)
    this.#thread.chain.enter(record, event.id)
    return event
  }

  /** Reads the text that the model continues with after a compaction. It belongs to the event before it. */
  #summary(line: Line, record: Fields): Bucket {
    const place = this.#thread.chain.placeBefore(record)
    const open = place === null ? undefined : this.#compactions.get(place)
    // The event's id comes from the boundary record, even where that lies before the segment.
    const outside = this.#thread.chain.outsideOf(record)
    const event =
      open ?? this.#compaction(line, outside === undefined ? record : { ...record, uuid: outside })
    event.summary = blocksOf(fieldsOf(record.message).content)
      .map((block) => textOf(block.text))
      .join('\n')
    this.#thread.chain.enter(record, event.id)
    return 'kept'
  }

  #endsInText(): boolean {
    const last = this.messages.findLast((message) => message.event === undefined)
    return last?.role === 'assistant' && (last.tool_calls ?? []).length === 0
  }
}
