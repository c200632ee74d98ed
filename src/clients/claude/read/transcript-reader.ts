import { contentOf } from '../../../session/live-path.ts'
import type { Message } from '../../../session/schema.ts'
import { type ReadReport, UNSENT } from '../../contract/reading.ts'
import { type Bucket, ByteLedger } from '../../shared/transcript/byte-ledger.ts'
import { blocksOf, type Fields, fieldsOf, textOf } from '../../shared/transcript/fields.ts'
import type { Line } from '../../shared/transcript/lines.ts'
import { SeenRecords } from '../../shared/transcript/seen-records.ts'
import { addToResult } from '../../shared/transcript/transcript-writer.ts'
import { type Answer, addBlocks, serverResult } from './answer.ts'
import type { Before } from './before.ts'
import { inTalkOrder } from './message-order.ts'
import { promptBody, resultBody, type SideFiles, textIn } from './parts.ts'
import { personsWords } from './persons-words.ts'
import { PromptQueue, type Queued } from './queue.ts'
import { atHead, clientTextRule, fateOf, isClientText, metaRule, refusedCommands } from './rules.ts'
import { Compactions, Thread, timeOf } from './thread.ts'
import { classifyText, type Typed } from './typed.ts'

export interface ReaderContext extends SideFiles {
  nativeSession: string
  before: Before
  /** Returns a reader that has read the same thread up to the segment. */
  earlier: () => TranscriptReader
  /** True when the client has ended: no later record will contain the prompts that wait in its queue. */
  ended: boolean
  /** Lines before this offset are not counted in the report. */
  countFrom?: number | undefined
  /** Takes a subagent's record out of the talk. `self` when the reader reads the lines of a subagent. */
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
  readonly #queue: PromptQueue
  readonly #answersOfCalls = new Map<string, Answer>()
  readonly #commands = new Set<string>()
  readonly #seen = new SeenRecords(saidIn)
  readonly #compactions: Compactions
  /**
   * The uuids of slash commands that the client refused. They become messages, because no other record contains the
   * words.
   */
  #refused = new Set<string>()
  /** True when a prompt or an answer of the segment was read. */
  #begun = false

  constructor(context: ReaderContext) {
    this.#context = context
    this.#thread = new Thread(context.nativeSession, context.before, () => context.earlier().#thread)
    this.#thread.ledger = new ByteLedger(context.countFrom)
    this.#compactions = new Compactions(this.#thread)
    this.#queue = new PromptQueue(context.before)
  }

  /** The messages in the order of the talk, events included. */
  get messages(): Message[] {
    return this.#thread.messages
  }

  get report(): ReadReport {
    return this.#thread.ledger.report()
  }

  read(lines: readonly Line[]): void {
    this.#refused = refusedCommands(lines)
    const { before } = this.#context
    const inOrder = inTalkOrder(lines, (uuid) => before.hasRecord(uuid))
    this.#thread.read(inOrder, (line, record) => this.#readRecord(line, record))
    const last = this.messages.at(-1)?.seq
    if (!this.#context.ended || last === undefined) return
    const { said, unsent } = this.#queue.takeRest()
    for (const queued of unsent) if (!this.#isSaid(queued)) this.#thread.ledger.count({ unknown: UNSENT })
    this.#sayQueued(last, said)
  }

  #readRecord(line: Line, record: Fields): Bucket {
    const uuid = textOf(record.uuid)
    if (this.#seen.repeats(uuid, line, record)) return 'derived'
    this.#thread.time = timeOf(record)
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
        this.#queue.step(line, record, this.messages.length > 0 && !this.settled)
        return { dropped: 'queue' }
      case 'local-command':
        return this.#localCommand(line, record)
      case 'spoken':
        return this.#userBlocks(line, record, blocksOf(record.blocks ?? record.content), false)
      case 'delivered':
        return this.#delivered(line, record, fate.text)
      case 'compaction':
        this.#compactions.boundary(line, record)
        return 'kept'
      case 'summary':
        this.#compactions.summary(line, record)
        return 'kept'
    }
    this.#thread.chain.pass(record)
    if (fate.as === 'derived') return 'derived'
    if (fate.as === 'unknown') return this.#thread.keepUnknown(line, record, fate.kind)
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
    const { ledger } = this.#thread
    const notes: Fields[] = []
    const rest = blocks
      .filter((block) => block.type !== 'tool_result')
      .map((block) => (block.type === 'text' ? this.#withoutHead(block, notes) : block))
    const typed = typeof content === 'string' ? rest : rest.filter((block) => !isClientText(block))
    if (typed.length > 0 || results.length > 0)
      for (const block of rest)
        if (!typed.includes(block)) {
          if (clientTextRule(block) === 'editor-selection' && typed.length > 0) notes.push(block)
          else ledger.leaveOut(clientTextRule(block) ?? 'reminder', textOf(block.text))
        }
    for (const block of results) this.#result(line, record, block)
    if (typed.length > 0) {
      const bucket = this.#userBlocks(line, record, typed, results.length > 0)
      for (const note of bucket === 'kept' ? notes : [])
        this.#thread.say(line, record, 'tool', textOf(note.text), 'editor').tool_name = 'editor-selection'
      return results.length > 0 ? 'kept' : bucket
    }
    if (results.length > 0) return 'kept'
    this.#thread.chain.pass(record)
    return { dropped: clientTextRule(fieldsOf(rest[0])) ?? 'reminder' }
  }

  /** Takes the client's texts from the head of a text. What the person had selected goes to `notes`. */
  #withoutHead(block: Fields, notes: Fields[]): Fields {
    const { texts, rest } = atHead(textOf(block.text))
    for (const { rule, text } of texts)
      if (rule === 'editor-selection') notes.push({ type: 'text', text })
      else this.#thread.ledger.leaveOut(rule, text)
    return texts.length === 0 ? block : { ...block, text: rest }
  }

  #result(line: Line, record: Fields, block: Fields): void {
    const callId = textOf(block.tool_use_id)
    const answer = this.#answersOfCalls.get(callId)
    const call = answer?.message.tool_calls?.find((call) => call.id === callId)
    const name = call?.name
    const copy = record.toolUseResult
    const { content, attachments, reminders } = resultBody(
      { content: block.content, copy, tool: name },
      this.#context,
    )
    for (const reminder of reminders) this.#thread.ledger.leaveOut('reminder', reminder)
    const message = this.#thread.say(line, record, 'tool', content, callId)
    const { words, refused } = personsWords({ text: textIn(block.content), record, given: call?.arguments })
    addToResult(message, { call: callId, name, failed: block.is_error === true, attachments, refused })
    const agent = textOf(fieldsOf(copy).agentId)
    if (agent !== '') this.agents.set(agent, callId)
    const reply = words === '' ? undefined : this.#addReply(line, record, callId, words)
    this.settled = false
    this.#thread.chain.enter(record, reply?.id ?? message.id, answer)
  }

  /** The result of a tool that the API ran is in the answer itself. */
  #serverResult(line: Line, record: Fields, block: Fields): void {
    const callId = textOf(block.tool_use_id)
    const message = this.#thread.say(line, record, 'tool', serverResult(block.content), callId)
    const calls = this.#answersOfCalls.get(callId)?.message.tool_calls
    const name =
      calls?.find(({ id }) => id === callId)?.name ?? textOf(block.type).replace(/_tool_result$/, '')
    const isError = block.is_error === true || textOf(fieldsOf(block.content).type).endsWith('_error')
    addToResult(message, { call: callId, name, failed: isError })
  }

  /** The person's words in a tool result also become a message of their own, after the result. */
  #addReply(line: Line, record: Fields, callId: string, words: string): Message {
    const message = this.#thread.say(line, record, 'user', words, callId, 'said')
    message.tool_call_id = callId
    return message
  }

  #userBlocks(line: Line, record: Fields, blocks: Fields[], afterResults: boolean): Bucket {
    const only = blocks.length === 1 && blocks[0]?.type === 'text' ? textOf(blocks[0].text) : undefined
    const typed = only === undefined ? undefined : classifyText(only)
    const rule = typed === undefined ? undefined : this.#ruleFor(typed, record)
    // No answer comes to a prompt that a hook has stopped.
    if (typed?.kind === 'stopped-by-hook' && rule !== undefined) this.settled = true
    if (rule !== undefined) {
      if (!afterResults) this.#thread.chain.pass(record)
      return { dropped: rule }
    }
    if (typed?.kind === 'interruption') {
      this.#interruption(line, record)
      if (!afterResults) this.#thread.chain.pass(record)
      return 'kept'
    }
    const part = afterResults ? ['text'] : []
    if (typed?.kind === 'shell-output' || typed?.kind === 'note') {
      const message = this.#thread.say(line, record, 'tool', typed.text, ...part)
      message.tool_name = typed.kind === 'shell-output' ? 'bash-mode' : 'task-notification'
      if (typed.kind === 'shell-output' && typed.failed) message.is_error = true
      if (typed.kind === 'note') {
        this.#queue.seenElsewhere(typed.text, record.type === 'attachment')
        this.settled = false
      }
      this.#thread.chain.enter(record, message.id)
      return 'kept'
    }
    const text = typed !== undefined && 'text' in typed ? typed.text : undefined
    const body = text === undefined ? promptBody(blocks, this.#context) : { content: text, attachments: [] }
    this.#queue.seenElsewhere(text ?? textOf(blocks[0]?.text), record.type === 'attachment')
    this.#flushQueue(line, record)
    if (!afterResults) this.#thread.markRewind(line, record)
    this.#begun = true
    const message = this.#thread.say(line, record, 'user', body.content, ...part)
    if (body.attachments.length > 0) message.attachments = body.attachments
    if (typed?.kind === 'command') this.#commands.add(textOf(record.uuid))
    // A shell command or a local command gets no answer from the model.
    if (typed?.kind !== 'shell-input' && typed?.kind !== 'local-command') this.settled = false
    this.#thread.chain.enter(record, message.id)
    return 'kept'
  }

  #delivered(line: Line, record: Fields, text: string): Bucket {
    const message = this.#thread.say(line, record, 'tool', text)
    message.tool_name = 'task-notification'
    this.settled = false
    this.#thread.chain.enter(record, message.id)
    return 'kept'
  }

  /** Reads a `system` record of newer versions that contains a command to the client, or the output of that command. */
  #localCommand(line: Line, record: Fields): Bucket {
    const typed = classifyText(textOf(record.content))
    const isCommand = typed.kind === 'local-command'
    if (isCommand && typed.hasWords) return this.#userBlocks(line, record, blocksOf(record.content), false)
    this.#thread.chain.pass(record)
    return { dropped: isCommand ? 'local-command' : 'local-command-output' }
  }

  #ruleFor(typed: Typed, record: Fields): string | undefined {
    switch (typed.kind) {
      case 'local-command':
        return typed.hasWords || this.#refused.has(textOf(record.uuid)) ? undefined : 'local-command'
      case 'local-command-output':
        return typed.kind
      case 'caveat':
        return 'local-command'
      case 'stopped-by-hook':
        return this.#isUnanswered(record) ? 'hook-output' : undefined
      default:
        return undefined
    }
  }

  /**
   * Whether the last message before a record is a user message. If the segment has no message yet: whether the record's
   * parent is before the segment, because that parent may be a prompt.
   */
  #isUnanswered(record: Fields): boolean {
    const last = this.messages.findLast(({ event }) => event === undefined)
    return last === undefined
      ? this.#context.before.hasRecord(textOf(record.parentUuid))
      : last.role === 'user'
  }

  #assistant(line: Line, record: Fields): Bucket {
    const native = fieldsOf(record.message)
    const apiId = textOf(native.id)
    // Lines with the same API id are one answer only if links join them: some servers give one id to several messages.
    const before = this.#thread.chain.answerBefore(record)
    const joins = before !== undefined && apiId !== '' && before.apiId === apiId
    const answer = joins ? before : this.#newAnswer(line, record, apiId)
    const { kept, hidden, results, unknown } = addBlocks(answer, record)
    for (const call of answer.message.tool_calls ?? []) this.#answersOfCalls.set(call.id, answer)
    this.#thread.chain.enter(record, answer.message.id, answer)
    for (const block of results) this.#serverResult(line, record, block)
    for (const [index, block] of unknown.entries()) {
      this.#thread.unknown(line, record, block, `block:${index}`)
      if (kept)
        this.#thread.ledger.setApart({ unknown: `block:${textOf(block.type)}` }, JSON.stringify(block))
    }
    if (textOf(native.model) !== '') this.model = textOf(native.model)
    const reason = native.stop_reason
    this.settled = typeof reason === 'string' && reason !== 'tool_use' && reason !== 'pause_turn'
    if (kept || results.length > 0) return 'kept'
    if (unknown.length > 0) return { unknown: `block:${textOf(unknown[0]?.type)}` }
    return hidden ? { dropped: 'redacted-thinking' } : 'kept'
  }

  #newAnswer(line: Line, record: Fields, apiId: string): Answer {
    this.#flushQueue(line, record)
    // The segment's first answer may be the rest of an answer that began before the segment, if no prompt comes before
    // it.
    const outside = this.#begun || apiId === '' ? undefined : this.#thread.chain.outsideOf(record)
    const began = outside === undefined ? undefined : this.#context.before.startOfAnswer(apiId, outside)
    this.#begun = true
    const first = began === undefined ? record : { ...record, uuid: began }
    const message = this.#thread.say(line, first, 'assistant', '')
    return { apiId, message, texts: [], thoughts: [] }
  }

  /** Reads what the agent got within a turn: a prompt that the person typed meanwhile, or a task notification. */
  #queuedPrompt(line: Line, record: Fields): Bucket {
    const attachment = fieldsOf(record.attachment)
    const origin = textOf(fieldsOf(attachment.origin).kind) || 'human'
    const blocks = blocksOf(attachment.prompt)
    const isNotification = attachment.commandMode === 'task-notification' || origin === 'task-notification'
    const isTyped = origin === 'human' && attachment.isMeta !== true
    if (blocks.length > 0 && (isNotification || isTyped)) return this.#userBlocks(line, record, blocks, false)
    this.#thread.chain.pass(record)
    return { dropped: 'client-note' }
  }

  /**
   * Adds the prompts that left the queue and that no other record contains. They come before the record that continues
   * the talk.
   */
  #flushQueue({ seq }: Line, record: Fields): void {
    this.#sayQueued(seq, this.#queue.flush())
    this.#thread.time = timeOf(record)
  }

  /**
   * Adds prompts of the queue. A queue record has no uuid. When the client forks a session, it changes the session id
   * in the queue records. So the message's id is made from the record's time and the prompt.
   */
  #sayQueued(seq: number, prompts: readonly Queued[]): void {
    for (const { prompt, line, record } of prompts) {
      this.#thread.time = timeOf(record)
      const id = this.#thread.idOf('queue-operation', textOf(record.timestamp), prompt)
      const typed = classifyText(prompt)
      if (typed.kind !== 'note') this.#thread.sayAs(id, { ...line, seq }, record, 'user', atHead(prompt).rest)
      else this.#thread.sayAs(id, { ...line, seq }, record, 'tool', prompt).tool_name = 'task-notification'
    }
  }

  /** Whether a later record contains a prompt of the queue. */
  #isSaid({ prompt, line }: Queued): boolean {
    const after = this.messages.filter(({ role, seq = 0 }) => role === 'user' && seq > line.seq)
    return after.some((message) => contentOf(message).includes(atHead(prompt).rest))
  }

  #interruption(line: Line, record: Fields): void {
    this.#thread.note(line, record, 'interrupted')
    this.settled = true
  }

  #endsInText(): boolean {
    const last = this.messages.findLast((message) => message.event === undefined)
    return last?.role === 'assistant' && (last.tool_calls ?? []).length === 0
  }
}

/** The rest of a record says where it stands, which program wrote it, and what the answer cost. */
function saidIn({ type, subtype, timestamp, message, content, attachment, data }: Fields): unknown {
  return [type, subtype, timestamp, blocksOf(fieldsOf(message).content), content, attachment, data]
}
