import type { Message } from '../../../session/schema.ts'
import type { Account } from './account.ts'
import { type Answer, addBlocks } from './answer.ts'
import { Chain } from './chain.ts'
import { messageId, sha256 } from './ids.ts'
import type { Line } from './lines.ts'
import { type Beside, resultBody, saidBody } from './parts.ts'
import { PromptQueue } from './queue.ts'
import { fateOf, metaRule } from './rules.ts'
import { blocksOf, type Fields, fieldsOf, listOf, textOf } from './shape.ts'
import { sortTyped, type Typed } from './typed.ts'

export interface TalkContext extends Beside {
  nativeSession: string
  account: Account
  /** Whether a record of this uuid lies in the transcript before the stretch. */
  liesBefore(uuid: string): boolean
  /** Offset from which on the client writes attachment records; Infinity when it writes none. */
  attachmentsFrom: number
  /** The lines are a subagent's own, or a record of a subagent goes here. */
  subagent: 'self' | ((line: Line, record: Fields) => 'kept' | 'derived')
}

/** Reads one thread of records, in file order, into messages and events. */
export class Talk {
  readonly messages: Message[] = []
  /** Agent id → the tool call that started it, from the results of the calls. */
  readonly agents = new Map<string, string>()
  settled = false
  model: string | undefined

  readonly #context: TalkContext
  readonly #chain: Chain
  readonly #queue = new PromptQueue()
  readonly #answersOfCalls = new Map<string, Answer>()
  readonly #commands = new Set<string>()
  readonly #compactions = new Map<string, Message>()
  /** Local commands that the client refused, so that the person's words are nowhere else. */
  #refused = new Set<string>()
  #seen = new Set<string>()
  #time = '1970-01-01T00:00:00.000Z'

  constructor(context: TalkContext) {
    this.#context = context
    this.#chain = new Chain((uuid) => context.liesBefore(uuid))
  }

  read(lines: readonly Line[]): void {
    this.#refused = refusedCommands(lines)
    for (const line of lines) this.#readLine(line)
  }

  #readLine(line: Line): void {
    const { account } = this.#context
    const { content } = line
    if (content.kind === 'record') this.#readRecord(line, content.record)
    else if (content.kind === 'blank') account.drop('blank-line', line)
    else if (content.kind === 'unreadable') account.unreadable(line)
    else {
      this.#unknown(line, {}, content.value)
      account.unknown('no-object', line)
    }
  }

  #readRecord(line: Line, record: Fields): void {
    const { account, subagent } = this.#context
    const uuid = textOf(record.uuid)
    if (uuid !== '' && this.#chain.has(uuid)) return account.derive(line)
    this.#time = isoTime(record.timestamp) ?? this.#time
    const fate = fateOf(record)
    const isTalk = fate.as === 'user' || fate.as === 'assistant'
    if (subagent !== 'self' && (fate.as === 'agent-progress' || (isTalk && record.isSidechain === true))) {
      this.#chain.pass(record)
      return subagent(line, record) === 'kept' ? account.keep(line) : account.derive(line)
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
        return this.#compaction(line, record)
      case 'summary':
        return this.#summary(line, record)
      case 'unknown':
        this.#chain.pass(record)
        this.#unknown(line, record, record)
        return account.unknown(fate.kind, line)
      default:
        this.#chain.pass(record)
        if (fate.as === 'derived') return account.derive(line)
        if (fate.as === 'turn-end') this.settled ||= this.#endsInText()
        if (fate.as === 'dropped' && (fate.rule === 'api-error' || fate.rule === 'synthetic-answer'))
          this.settled = true
        return account.drop(fate.as === 'dropped' ? fate.rule : fate.as, line)
    }
  }

  #user(line: Line, record: Fields): void {
    const { account } = this.#context
    if (record.isMeta === true) {
      const afterCommand = this.#commands.has(textOf(record.parentUuid))
      if (afterCommand) this.#commands.add(textOf(record.uuid))
      this.#chain.pass(record)
      return account.drop(metaRule(record, afterCommand), line)
    }
    const native = fieldsOf(record.message)
    const blocks = blocksOf(native.content)
    const results = blocks.filter((block) => block.type === 'tool_result')
    const rest = blocks.filter((block) => block.type !== 'tool_result')
    const said = Array.isArray(native.content) ? rest.filter((block) => !isClientText(block)) : rest
    for (const block of results) this.#result(line, record, block)
    const rule = said.length === 0 ? 'reminder' : this.#said(line, record, said, results.length > 0)
    if (results.length > 0 || rule === undefined) return account.keep(line)
    account.drop(rule, line)
  }

  /** Returns the rule by which it was left out, if it was. */
  #said(line: Line, record: Fields, blocks: Fields[], besideResults: boolean): string | undefined {
    const only = blocks.length === 1 && blocks[0]?.type === 'text' ? textOf(blocks[0].text) : undefined
    const typed = only === undefined ? undefined : sortTyped(only)
    const rule = typed === undefined ? undefined : this.#ruleFor(typed, record)
    if (rule !== undefined) {
      if (!besideResults) this.#chain.pass(record)
      if (rule === 'interruption') this.settled = true
      return rule
    }
    const id = messageId(this.#nativeId(line, record), ...(besideResults ? ['text'] : []))
    if (typed?.kind === 'shell-output' || typed?.kind === 'task-notification') {
      const message = this.#push(line, record, id, 'tool', typed.text)
      message.tool_name = typed.kind === 'shell-output' ? 'bash-mode' : 'task-notification'
      if (typed.kind === 'shell-output' && typed.failed) message.is_error = true
      if (typed.kind === 'task-notification') this.settled = false
      this.#chain.enter(record, id)
      return undefined
    }
    const { content, attachments } =
      typed !== undefined && typed.kind !== 'prompt' && 'text' in typed
        ? { content: typed.text, attachments: [] }
        : saidBody(blocks, this.#context)
    if (!besideResults) this.#markRewind(line, record)
    const message = this.#push(line, record, id, 'user', content)
    if (attachments.length > 0) message.attachments = attachments
    if (typed?.kind === 'command') this.#commands.add(textOf(record.uuid))
    if (typed?.kind !== 'shell-input' && typed?.kind !== 'local-command') this.settled = false
    this.#chain.enter(record, id)
    return undefined
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

  #result(line: Line, record: Fields, block: Fields): void {
    const callId = textOf(block.tool_use_id)
    const answer = this.#answersOfCalls.get(callId)
    const { content, attachments } = resultBody(block.content, this.#context)
    const id = messageId(this.#nativeId(line, record), callId)
    const message = this.#push(line, record, id, 'tool', content)
    message.tool_call_id = callId
    const name = answer?.message.tool_calls?.find((call) => call.id === callId)?.name
    if (name !== undefined) message.tool_name = name
    if (block.is_error === true) message.is_error = true
    if (attachments.length > 0) message.attachments = attachments
    const agent = textOf(fieldsOf(record.toolUseResult).agentId)
    if (agent !== '') this.agents.set(agent, callId)
    this.settled = false
    this.#chain.enter(record, id, answer)
  }

  #assistant(line: Line, record: Fields): void {
    const native = fieldsOf(record.message)
    const apiId = textOf(native.id)
    const before = this.#chain.answerBefore(record)
    const answer = before !== undefined && apiId !== '' && before.apiId === apiId ? before : undefined
    const current = answer ?? this.#newAnswer(line, record, apiId)
    const { kept, hidden, unknown } = addBlocks(current, record)
    for (const call of current.message.tool_calls ?? []) this.#answersOfCalls.set(call.id, current)
    this.#chain.enter(record, current.message.id, current)
    for (const [index, block] of unknown.entries())
      this.#unknown(line, record, block, `block:${index}`)
    if (textOf(native.model) !== '') this.model = textOf(native.model)
    const reason = native.stop_reason
    this.settled = typeof reason === 'string' && reason !== 'tool_use' && reason !== 'pause_turn'
    if (unknown.length > 0 && !kept) this.#context.account.unknown(`block:${textOf(unknown[0]?.type)}`, line)
    else if (hidden && !kept) this.#context.account.drop('redacted-thinking', line)
    else this.#context.account.keep(line)
  }

  #newAnswer(line: Line, record: Fields, apiId: string): Answer {
    const message = this.#push(line, record, messageId(this.#nativeId(line, record)), 'assistant', '')
    return { apiId, message, texts: [], thoughts: [] }
  }

  #queuedPrompt(line: Line, record: Fields): void {
    const attachment = fieldsOf(record.attachment)
    const origin = textOf(fieldsOf(attachment.origin).kind) || 'human'
    const blocks = blocksOf(attachment.prompt)
    const isNotification = attachment.commandMode === 'task-notification' || origin === 'task-notification'
    const isTyped = origin === 'human' && attachment.isMeta !== true && blocks.length > 0
    if (isNotification || !isTyped) {
      this.#chain.pass(record)
      if (!isNotification) return this.#context.account.drop('client-note', line)
    }
    const rule = this.#said(line, record, blocks, false)
    if (rule === undefined) this.#context.account.keep(line)
    else this.#context.account.drop(rule, line)
  }

  #queueOperation(line: Line, record: Fields): void {
    const prompt = this.#queue.step(record, this.#context.attachmentsFrom < line.start)
    if (prompt === undefined) return this.#context.account.drop('queue', line)
    const id = messageId(this.#nativeId(line, record), 'queued')
    this.#push(line, record, id, 'user', prompt)
    this.#chain.enter(record, id)
    this.#context.account.keep(line)
  }

  #compaction(line: Line, record: Fields): void {
    const id = messageId(this.#nativeId(line, record), 'compacted')
    const event = this.#push(line, record, id, 'system', '')
    event.event = 'compacted'
    event.summary = ''
    this.#compactions.set(id, event)
    this.#chain.enter(record, id)
    this.#context.account.keep(line)
  }

  #summary(line: Line, record: Fields): void {
    const place = this.#chain.placeBefore(record)
    let event = place === null ? undefined : this.#compactions.get(place)
    if (event === undefined) {
      const id = messageId(this.#nativeId(line, record), 'compacted')
      event = this.#push(line, record, id, 'system', '')
      event.event = 'compacted'
    }
    event.summary = blocksOf(fieldsOf(record.message).content)
      .map((block) => textOf(block.text))
      .join('\n')
    this.#chain.enter(record, event.id)
    this.#context.account.keep(line)
  }

  /** A person went back: what follows hangs on an earlier message, and what lay between is off the live path. */
  #markRewind(line: Line, record: Fields): void {
    const place = this.#chain.placeBefore(record, true)
    if (this.#chain.continues(place)) return
    const event = this.#push(line, record, messageId(this.#nativeId(line, record), 'rewound'), 'system', '')
    event.event = 'rewound'
    event.to = place
    delete event.parent_id
  }

  #unknown(line: Line, record: Fields, raw: unknown, ...parts: string[]): void {
    const id = messageId(this.#nativeId(line, record), 'unknown', ...parts)
    const event = this.#push(line, record, id, 'system', '')
    event.event = 'unknown'
    event.raw = raw
  }

  #push(line: Line, record: Fields, id: string, role: Message['role'], content: Message['content']): Message {
    const parent = this.#chain.placeBefore(record, role === 'user')
    const message: Message = {
      id,
      role,
      content,
      timestamp: this.#time,
      client: 'claude',
      ...(parent === null || parent === id ? {} : { parent_id: parent }),
      native_id: this.#nativeId(line, record),
      native_session: this.#context.nativeSession,
      seq: line.number,
    }
    this.messages.push(message)
    return message
  }

  /** A record without a uuid has the hash of its line for an id. */
  #nativeId(line: Line, record: Fields): string {
    return textOf(record.uuid) || sha256(line.bytes).slice(0, 32)
  }

  #endsInText(): boolean {
    const last = this.messages.findLast((message) => message.event === undefined)
    return last?.role === 'assistant' && (last.tool_calls ?? []).length === 0
  }
}

/** The client tells a refusal in the record behind the command. */
function refusedCommands(lines: readonly Line[]): Set<string> {
  const refused = new Set<string>()
  for (const { content } of lines) {
    if (content.kind !== 'record' || content.record.type !== 'user') continue
    const text = fieldsOf(content.record.message).content
    if (typeof text === 'string' && text.startsWith('<local-command-stderr>'))
      refused.add(textOf(content.record.parentUuid))
  }
  return refused
}

/** Text that the client puts beside what the person typed. */
function isClientText(block: Fields): boolean {
  if (block.type !== 'text') return false
  return /^<(system-reminder|ide_opened_file|ide_selection|ide_diagnostics)>/.test(textOf(block.text))
}

function isoTime(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)) return value
  const time = Date.parse(value)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}

