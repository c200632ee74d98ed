import { sha256 } from '../../../hash.ts'
import { isPrompt, livePath } from '../../../session/live-path.ts'
import type { Bucket } from '../../shared/transcript/byte-ledger.ts'
import { type Fields, fieldsOf, isoTime, listOf, textOf } from '../../shared/transcript/fields.ts'
import type { Line } from '../../shared/transcript/lines.ts'
import { Answers } from './answers.ts'
import { Calls } from './calls.ts'
import { thoughtsOf } from './items-without-event.ts'
import { Lineage } from './lineage.ts'
import { folderIn, inEnvelope } from './older-forms.ts'
import * as rules from './rules.ts'
import { Talk } from './talk.ts'
import { SHELL_OUTPUT, Typed } from './typed.ts'

/**
 * Reads the lines of a thread, in file order, into messages and events. The words of the person and of the model come
 * from the items that Codex showed (`UserMessage`, `AgentMessage`), in older files from events. The messages that went
 * to the model also contain contexts, skills and summaries of compactions. So the reader takes from these messages only
 * what no other line contains: images, and words without an event (items-without-event.ts).
 */
export class TranscriptReader {
  title: string | undefined
  cwd: string | undefined
  clientVersion: string | undefined

  readonly writer: Talk
  readonly calls: Calls
  readonly answers: Answers
  readonly #typed: Typed
  readonly lineage = new Lineage()
  readonly #turns = new Set<string>()
  /** The id of the running turn; '' between turns. */
  #turn = ''
  /** The key of words without an id → the turn in which these words came first. */
  readonly #firstTurns = new Map<string, string>()
  #inSeed = false
  readonly #withoutEvent: ReadonlySet<number>
  /** Words → how often they were said, in a file whose lines have neither an id nor a time. */
  readonly #bareWords = new Map<string, number>()

  /** `withoutEvent` contains the numbers of the lines with words that are in no event. */
  constructor(session: string, blobs: Map<string, Uint8Array>, withoutEvent: ReadonlySet<number>) {
    this.writer = new Talk(session)
    this.#withoutEvent = withoutEvent
    this.calls = new Calls(this.writer, blobs)
    this.answers = new Answers(this.writer, this.calls)
    this.#typed = new Typed(this.writer, blobs)
  }

  read(lines: readonly Line[]): void {
    for (const line of lines) {
      const { content } = line
      this.writer.read([line], (_, record) => this.#readRecord(line, record))
      const ordinal = content.kind === 'record' ? content.record.ordinal : undefined
      this.lineage.note(line, ordinal, this.writer.tip)
    }
  }

  #readRecord(line: Line, fields: Fields): Bucket {
    const record = inEnvelope(fields)
    const payload = fieldsOf(record.payload)
    this.writer.time = isoTime(record.timestamp)
    const type = textOf(record.type)
    if (type === 'session_meta') return this.#begin(line, record, payload)
    if (this.#isSeed(type, payload)) {
      this.#noteSeed(payload)
      return { dropped: 'resume-context' }
    }
    switch (type) {
      case 'event_msg':
        return this.#event(line, record, payload)
      case 'response_item':
        return this.#item(line, record, payload)
      case 'compacted':
        return this.#compacted(line, record, payload)
      case 'token_usage_record':
        return this.answers.usage(fieldsOf(payload.usage).output_tokens)
      // The content of this line is also in an item of the request.
      case 'inter_agent_communication':
        return 'derived'
      case 'turn_context':
        this.answers.model = textOf(payload.model) || this.answers.model
    }
    return rules.STATE_LINES.has(type)
      ? { dropped: 'client-state' }
      : this.writer.keepUnknown(line, record, type || 'no-type')
  }

  /** Reads the first line of a file. */
  #begin(line: Line, record: Fields, meta: Fields): Bucket {
    if (textOf(meta.id) === '') return { dropped: 'client-state' }
    this.cwd = textOf(meta.cwd) || this.cwd
    this.clientVersion = textOf(meta.cli_version) || this.clientVersion
    this.#inSeed = meta.originator === 'cortext' || record.cortext !== undefined
    // A file that goes on from an earlier message than the last one begins with a rewind.
    const to = this.lineage.begin(line, meta, this.writer.tip)
    if (to === this.writer.tip) return { dropped: 'client-state' }
    this.#endTurn()
    this.writer.goBack(line, to, `rewound ${textOf(meta.timestamp)}`)
    return 'kept'
  }

  /** Whether a line belongs to our seed. The seed ends where Codex itself begins to write. */
  #isSeed(type: string, payload: Fields): boolean {
    const turn = textOf(payload.turn_id)
    if (textOf(payload.id).startsWith(rules.SEED)) return true
    if (turn.startsWith(rules.SEED_TURN)) {
      this.#inSeed = payload.type !== 'task_complete'
      return true
    }
    if (type === 'turn_context' || /^(?:task_started|thread_settings_applied)$/.test(textOf(payload.type)))
      this.#inSeed = false
    return this.#inSeed
  }

  /** Notes the words of the seed, so that a later line with the same words does not become a message. */
  #noteSeed({ type, message }: Fields): void {
    const role = type === 'user_message' ? 'user' : 'assistant'
    if (typeof message === 'string')
      this.writer.repeats(
        this.#keyOf(role, message),
        role === 'user' ? JSON.stringify(rules.partsOfEvent({ message })) : message,
      )
  }

  #event(line: Line, record: Fields, payload: Fields): Bucket {
    const type = textOf(payload.type)
    switch (type) {
      case 'item_completed':
        return this.#completed(line, record, fieldsOf(payload.item))
      case 'user_message':
        return this.#endAnswerIfKept(
          this.#typed.addPrompt(line, this.#keyOf('user', payload.message), rules.partsOfEvent(payload)),
          false,
        )
      case 'agent_message':
        return this.answers.addText(
          line,
          this.#keyOf('assistant', payload.message),
          textOf(payload.message),
          payload,
        )
      case 'agent_reasoning':
      case 'agent_reasoning_raw_content':
        return this.answers.addThought(line, this.#keyOf('reasoning', payload.text), textOf(payload.text))
      case 'task_started':
      case 'turn_started':
        this.#beginTurn(textOf(payload.turn_id))
        return { dropped: 'turn-end' }
      case 'task_complete':
      case 'turn_complete':
        this.#endTurn()
        return { dropped: payload.error === undefined ? 'turn-end' : 'api-error' }
      case 'turn_aborted':
        return this.#interrupted(line, textOf(payload.turn_id) || this.writer.time)
      case 'thread_rolled_back':
        return this.#rolledBack(line, Number(payload.num_turns))
      case 'entered_review_mode':
        if (fieldsOf(payload.target).type !== 'custom' && textOf(payload.user_facing_hint) !== '')
          this.#typed.choseReview(textOf(payload.user_facing_hint))
        break
      case 'thread_name_updated':
        this.title = textOf(payload.thread_name) || this.title
    }
    return rules.bucketOfEvent(type) ?? this.writer.keepUnknown(line, record, type || 'no-type')
  }

  #beginTurn(turn: string): void {
    if (turn === '' || this.#turns.has(turn)) return
    this.#turns.add(turn)
    this.#turn = turn
    // `settled` stays as it is, because our hook for the start of a turn runs between this line and the prompt.
    this.answers.end(this.answers.settled)
  }

  #endTurn(): void {
    this.#turn = ''
    this.answers.end(true)
  }

  #completed(line: Line, record: Fields, item: Fields): Bucket {
    const id = textOf(item.id)
    const type = textOf(item.type)
    if (type === 'UserMessage')
      return this.#endAnswerIfKept(this.#typed.addPrompt(line, id, listOf(item.content)), false)
    if (type === 'AgentMessage') return this.answers.addText(line, id, rules.textIn(item.content), item)
    if (type === 'Reasoning') {
      const text = [item.summary_text, item.raw_content].flatMap(listOf).map(textOf).join('\n\n')
      return text === '' ? 'derived' : this.answers.addThought(line, id, text)
    }
    if (type === 'HookPrompt') return { dropped: 'hook-output' }
    if (!rules.TOOL_ITEMS.has(type)) return this.writer.keepUnknown(line, record, `item:${type}`)
    return item.source === 'user_shell'
      ? this.#endAnswerIfKept(this.#typed.addShellItem(line, item))
      : this.calls.note(line, item)
  }

  #item(line: Line, record: Fields, payload: Fields): Bucket {
    const type = textOf(payload.type)
    const callBucket = this.answers.addCall(line, payload)
    if (callBucket !== undefined) return callBucket
    const hasNoEvent = this.#withoutEvent.has(line.number)
    if (type === 'message' && hasNoEvent) return this.#requestMessage(line, record, payload)
    if (type === 'message') {
      this.cwd ??= folderIn(payload) || undefined
      return this.#endAnswerIfKept(
        this.#typed.readSent(line, payload, (kind, words) => this.#keyOf(kind, words)),
      )
    }
    if (type === 'agent_message') {
      const text = rules.textIn(payload.content)
      return this.#endAnswerIfKept(
        this.#typed.addReport(line, textOf(payload.id) || this.#keyOf('agent', text), text),
      )
    }
    if (type === 'reasoning') {
      const secret = textOf(payload.encrypted_content)
      if (listOf(payload.summary).length === 0 && !hasNoEvent) return { dropped: 'redacted-thinking' }
      if (secret !== '') this.writer.ledger.leaveOut('redacted-thinking', secret)
      if (!hasNoEvent) return 'derived'
      const text = thoughtsOf(payload)
      return this.answers.addThought(line, this.#requestId(record, payload, 'reasoning', text), text)
    }
    return rules.bucketOfItem(type) ?? this.writer.keepUnknown(line, record, `item:${type}`)
  }

  /** Reads a message that only the request contains. */
  #requestMessage(line: Line, record: Fields, payload: Fields): Bucket {
    const text = rules.textIn(payload.content)
    const role = payload.role === 'assistant' ? 'assistant' : 'user'
    const id = this.#requestId(record, payload, role, text)
    return role === 'assistant'
      ? this.answers.addText(line, id, text, payload)
      : this.#endAnswerIfKept(this.#typed.addRequestPrompt(line, id, payload.content), false)
  }

  #requestId(record: Fields, payload: Fields, kind: string, words: string): string {
    const own = textOf(payload.id)
    if (own !== '') return own
    // Lines of the oldest files have no time and no turn (older-forms.ts), so equal words are counted.
    if (record.bare !== true) return this.#keyOf(kind, words)
    const key = `${kind} ${words}`
    const times = this.#bareWords.get(key) ?? 0
    this.#bareWords.set(key, times + 1)
    return this.#keyOf(`${kind} ${times}`, words)
  }

  /**
   * Ends the answer if a line became a message of the person or a subagent: such a message is not part of the answer.
   */
  #endAnswerIfKept(bucket: Bucket, answered = this.answers.settled): Bucket {
    if (bucket === 'kept') this.answers.end(answered)
    return bucket
  }

  #compacted(line: Line, record: Fields, payload: Fields): Bucket {
    const id = `compacted ${textOf(record.timestamp)}`
    const message = textOf(payload.message)
    if (this.writer.repeats(id, message)) return 'derived'
    this.writer.addEvent(line, id, 'compacted').summary = rules.summaryIn(message)
    return 'kept'
  }

  #interrupted(line: Line, turn: string): Bucket {
    this.#endTurn()
    if (this.writer.repeats(`${turn} interrupted`, '')) return 'derived'
    this.writer.addEvent(line, turn, 'interrupted')
    return 'kept'
  }

  /**
   * Takes back the last turns. This is a rewind of older versions, which begins no new file. A shell command of the
   * person, `!ls`, is no turn (`is_user_turn_boundary` in Codex's source).
   */
  #rolledBack(line: Line, turns: number): Bucket {
    if (!(turns > 0)) return 'derived'
    const live = livePath(this.writer.messages)
    const first = live
      .filter((message, index) => isPrompt(message) && live[index + 1]?.tool_name !== SHELL_OUTPUT)
      .at(-turns)
    const index = first === undefined ? 0 : live.indexOf(first)
    this.#endTurn()
    this.writer.goBack(line, live[index - 1]?.id ?? null, `rolled back ${this.writer.time}`)
    return 'kept'
  }

  /**
   * Makes an id for words that have none. A repeated line gets the same id. The same words in another turn get another
   * id, because all lines have the same time when Codex imports a session.
   */
  #keyOf(kind: string, words: unknown): string {
    const key = `${this.writer.time} ${kind} ${textOf(words)}`
    const first = this.#firstTurns.get(key)
    if (first === undefined) this.#firstTurns.set(key, this.#turn)
    const isSame = first === undefined || first === this.#turn || this.#turn === ''
    return sha256(isSame ? key : `${key} ${this.#turn}`).slice(0, 32)
  }
}
