import { beforeControlTurn } from '../../../session/control-turns.ts'
import type { Message } from '../../../session/schema.ts'
import type { Bucket } from '../../shared/transcript/byte-ledger.ts'
import { type Fields, fieldsOf, isoTime, textOf } from '../../shared/transcript/fields.ts'
import type { Line } from '../../shared/transcript/lines.ts'
import { SeenRecords } from '../../shared/transcript/seen-records.ts'
import { addToAnswer, idOfLine, TranscriptWriter } from '../../shared/transcript/transcript-writer.ts'
import {
  type Assets,
  answerText,
  binariesIn,
  callsIn,
  hasFailed,
  movedOutput,
  noteAsset,
  resultText,
  toolName,
} from './parts.ts'
import { agentOf, hookReason, isFinal, isReminder, isTyped, ruleFor, typedText } from './rules.ts'

export interface TalkContext {
  blobs: Map<string, Uint8Array>
  assets: Assets
  readMoved(name: string): Uint8Array | undefined
  /** Notes a text that a rule leaves out of the present line. */
  leaveOut(rule: string, text: string): void
}

/**
 * Reads the events of one talk, in file order, into messages: the person's talk, or that of a subagent. An event that
 * is there twice is read once.
 */
export class TranscriptReader {
  readonly writer: TranscriptWriter
  settled = false
  model: string | undefined

  readonly #context: TalkContext
  readonly #seen = new SeenRecords(({ type, timestamp, data }) => [type, timestamp, data])
  /** The tools that were called, by the ids of their calls. */
  readonly #tools = new Map<string, string>()
  /** What the person said about a call, until its result comes. */
  readonly #words = new Map<string, { words: string; refused: boolean }>()
  /** Why a hook asked the agent to go on. The client sends it as the next prompt, which nobody typed. */
  #reason = ''
  /** Thoughts whose answer has not come yet. */
  #reasoning: string[] = []

  constructor(session: string, context: TalkContext) {
    this.writer = new TranscriptWriter('copilot', session)
    this.#context = context
  }

  readEvent(line: Line, event: Fields): Bucket {
    if (this.#seen.repeats(textOf(event.id), line, event)) return 'derived'
    this.writer.time = isoTime(event.timestamp)
    const type = textOf(event.type)
    const data = fieldsOf(event.data)
    switch (type) {
      case 'user.message':
        return this.#prompt(line, event, data)
      case 'assistant.message':
        return this.#answer(line, event, data)
      case 'assistant.reasoning':
        this.#reasoning.push(textOf(data.content))
        return 'kept'
      case 'tool.execution_start':
        this.#tools.set(textOf(data.toolCallId), toolName(data, data.toolName))
        return 'derived'
      case 'tool.execution_complete':
        return this.#result(line, event, data)
      case 'tool.user_requested':
        this.#tools.set(textOf(data.toolCallId), 'bash-mode')
        this.#say(line, event, 'user', `!${textOf(fieldsOf(data.arguments).command)}`)
        return 'kept'
      case 'human_response.recorded':
        this.#words.set(textOf(data.toolCallId), { words: answerText(data), refused: isRefusal(data) })
        return 'kept'
      case 'permission.completed':
        return this.#permission(data)
      case 'system.notification':
        this.#say(line, event, 'tool', textOf(data.content)).tool_name = 'task-notification'
        return 'kept'
      case 'abort':
        this.#sayWhatIsLeft(line, event)
        this.settled = true
        this.#event(line, event, 'interrupted')
        return 'kept'
      case 'session.compaction_complete':
        if (data.success === false) return { dropped: 'client-state' }
        this.#event(line, event, 'compacted').summary = textOf(data.summaryContent)
        return 'kept'
      case 'session.binary_asset':
        noteAsset(this.#context.assets, data)
        return 'kept'
      case 'session.error':
        this.settled = true
        break
      case 'session.info':
        if (data.infoType === 'rewind') return this.#rewound(line, event)
        break
      case 'hook.end':
        this.#reason = hookReason(data) || this.#reason
    }
    const rule = ruleFor(type)
    return rule === undefined ? this.writer.keepUnknown(line, event, type || 'no-type') : { dropped: rule }
  }

  #prompt(line: Line, event: Fields, data: Fields): Bucket {
    const text = typedText(data)
    if (this.#reason !== '' && text === this.#reason) {
      this.#reason = ''
      return { dropped: 'hook-output' }
    }
    this.settled = false
    // The prompt of a subagent comes from the agent that started it.
    if (agentOf(event) === '' && !isTyped(data)) return this.#clientPrompt(line, event, data)
    this.#sayWhatIsLeft(line, event)
    const below = textOf(data.content).slice(text.length)
    if (below !== '') this.#context.leaveOut('system-text', below)
    const sent = textOf(data.transformedContent)
    if (sent !== '')
      this.#context.leaveOut(sent.includes('<skill-context ') ? 'command-body' : 'system-text', sent)
    this.#addBinaries(this.#say(line, event, 'user', text), data.attachments)
    return 'kept'
  }

  /** Of a turn that was interrupted: what the person said about calls without a result, and thoughts without an answer. */
  #sayWhatIsLeft(line: Line, event: Fields): void {
    if (this.#reasoning.length > 0)
      addToAnswer(this.#say(line, event, 'assistant', '', 'thoughts'), {
        ...{ thoughts: this.#reasoning.join('\n'), calls: [], model: this.model ?? '', tokens: undefined },
      })
    this.#reasoning = []
    for (const [call, said] of this.#words) {
      if (said.words !== '') this.#say(line, event, 'user', said.words, 'said', call).tool_call_id = call
      said.words = ''
    }
  }

  /** A message to the model that the person did not type. */
  #clientPrompt(line: Line, event: Fields, data: Fields): Bucket {
    if (textOf(data.source).startsWith('skill-')) return { dropped: 'command-body' }
    if (data.isAutopilotContinuation === true) return { dropped: 'client-note' }
    if (isReminder(data)) return { dropped: 'system-text' }
    this.#say(line, event, 'tool', textOf(data.content)).tool_name = 'task-notification'
    return 'kept'
  }

  #answer(line: Line, event: Fields, data: Fields): Bucket {
    const calls = callsIn(data.toolRequests)
    for (const { id, name } of calls) this.#tools.set(id, name)
    const thoughts = textOf(data.reasoningText) || this.#reasoning.join('\n')
    this.#reasoning = []
    this.settled = isFinal(data)
    const model = textOf(data.model)
    this.model = model || this.model
    const content = textOf(data.content)
    if (content === '' && thoughts === '' && calls.length === 0) return { dropped: 'no-answer' }
    addToAnswer(this.#say(line, event, 'assistant', content), {
      ...{ thoughts, calls, model, tokens: data.outputTokens },
    })
    return 'kept'
  }

  #result(line: Line, event: Fields, data: Fields): Bucket {
    const call = textOf(data.toolCallId)
    const cut = resultText(data)
    const moved = movedOutput(cut)
    const whole = moved === undefined ? undefined : this.#context.readMoved(moved)
    const text = whole === undefined ? cut : Buffer.from(whole).toString('utf8')
    const message = this.#say(line, event, 'tool', text)
    const isOwn = data.isUserRequested === true
    message.tool_name = this.#tools.get(call) ?? (isOwn ? 'bash-mode' : 'unknown')
    if (!isOwn) message.tool_call_id = call
    if (hasFailed(data)) message.is_error = true
    this.#addBinaries(message, fieldsOf(data.result).binaryResultsForLlm)
    const said = this.#words.get(call)
    this.#words.delete(call)
    if (said?.refused === true) message.refused = true
    if (said !== undefined && said.words !== '')
      this.#say(line, event, 'user', said.words, 'said').tool_call_id = call
    if (!isOwn) this.settled = false
    return 'kept'
  }

  /** The person's words with a refusal come with the call's result. */
  #permission({ toolCallId, result }: Fields): Bucket {
    const { kind, feedback } = fieldsOf(result)
    if (kind !== 'denied-interactively-by-user') return { dropped: 'client-state' }
    this.#words.set(textOf(toolCallId), { words: textOf(feedback), refused: true })
    return 'kept'
  }

  /** The client has removed what the person took back, and writes only that it has done so. */
  #rewound(line: Line, event: Fields): Bucket {
    const last = this.writer.messages.findLast((message) => message.event === undefined)
    this.#event(line, event, 'rewound').to = beforeControlTurn(this.writer.messages, last?.id ?? null)
    this.settled = true
    return 'kept'
  }

  #addBinaries(message: Message, list: unknown): void {
    const { parts, attachments } = binariesIn(list, this.#context.assets, this.#context.blobs)
    if (attachments.length > 0) message.attachments = attachments
    if (parts.length > 0) message.content = [{ type: 'text', text: message.content as string }, ...parts]
  }

  #say(line: Line, event: Fields, role: Message['role'], content: string, ...parts: string[]): Message {
    return this.writer.add(line, textOf(event.id) || idOfLine(line), role, content, ...parts)
  }

  #event(line: Line, event: Fields, name: string): Message {
    return this.writer.addEvent(line, textOf(event.id) || idOfLine(line), name)
  }
}

function isRefusal({ response }: Fields): boolean {
  const { responseKind, approved } = fieldsOf(response)
  return responseKind === 'exit_plan_mode' && approved === false
}
