import type { Message } from '../../session/schema.ts'
import type { RawTranscript, Reading } from '../contract/reading.ts'
import { addBody, bodyOf, type Part } from '../shared/transcript/body.ts'
import type { Bucket } from '../shared/transcript/byte-ledger.ts'
import { blocksOf, type Fields, fieldsOf, isoTime, textOf } from '../shared/transcript/fields.ts'
import { type Line, splitLines } from '../shared/transcript/lines.ts'
import { readTalk, type TalkReader } from '../shared/transcript/read-talk.ts'
import { SeenRecords } from '../shared/transcript/seen-records.ts'
import { addToAnswer, addToResult } from '../shared/transcript/transcript-writer.ts'
import { followsElsewhere, TreeTalk } from '../shared/transcript/tree-talk.ts'

/** Reads a session of Pi. The format was observed on 0.73.1 and 1.5.2. */
export function readTranscript(raw: RawTranscript): Reading {
  return readTalk(raw, new SessionReader(raw.nativeId))
}

/** Whether an entry, apart from the first one, follows an entry that is not in these bytes. */
export function refersBack(bytes: Uint8Array): boolean {
  return followsElsewhere(bytes, 'id', 'parentId')
}

/**
 * Reads the entries of a session, in file order, into messages and events. The entries are a tree: each names the entry
 * that it follows. Pi goes on from the last line, whatever it follows. So an entry that does not follow the message
 * before it takes the talk back to the message that it follows. That is a `/tree` of the person, or a second process
 * that writes into the same session: Pi itself cannot tell them apart (1.5.2).
 */
class SessionReader implements TalkReader {
  readonly writer: TreeTalk
  readonly blobs = new Map<string, Uint8Array>()
  #settled = false
  #model: string | undefined
  #title: string | undefined
  #cwd: string | undefined
  readonly #seen = new SeenRecords(({ parentId: _, ...said }) => said)
  /** The id of our extension's entry → what the person typed. */
  readonly #typed = new Map<string, string>()

  constructor(session: string) {
    // An id has eight letters, so it counts together with the time.
    this.writer = new TreeTalk('pi', session, { id: 'id', parent: 'parentId', alsoId: 'timestamp' })
  }

  facts() {
    const titleGiven = this.#title === undefined ? undefined : (true as const)
    return { settled: this.#settled, model: this.#model, title: this.#title, titleGiven, cwd: this.#cwd }
  }

  read(lines: readonly Line[]): void {
    this.writer.read(lines, (line, record) => this.#readRecord(line, record))
  }

  #readRecord(line: Line, record: Fields): Bucket {
    const id = textOf(record.id)
    if (this.#seen.repeats(id, line, record)) return 'derived'
    this.writer.time = isoTime(record.timestamp)
    const bucket = this.#readEntry(line, record)
    if (record.type !== 'session') this.writer.pass(record)
    return bucket
  }

  #readEntry(line: Line, record: Fields): Bucket {
    if (isOurs(record)) return { dropped: 'resume-context' }
    const typed = typedIn(record)
    if (typed !== undefined) {
      this.#typed.set(textOf(record.id), typed)
      return 'kept'
    }
    const { type } = record
    switch (type) {
      case 'message':
        return this.#message(line, record, fieldsOf(record.message))
      case 'compaction':
        this.writer.note(line, record, 'compacted').summary = textOf(record.summary)
        return 'kept'
      case 'branch_summary':
        this.writer.say(line, record, 'tool', textOf(record.summary)).tool_name = 'branch-summary'
        return 'kept'
      case 'custom_message':
        this.#addBody(this.writer.say(line, record, 'tool', ''), record.content).tool_name =
          'task-notification'
        return 'kept'
      case 'session_info':
        this.#title = textOf(record.name) || this.#title
        return 'derived'
      case 'session':
        this.#cwd ??= textOf(record.cwd) || undefined
    }
    const rule = LEFT_OUT[textOf(type)]
    return rule === undefined
      ? this.writer.keepUnknown(line, record, textOf(type) || 'no-type')
      : { dropped: rule }
  }

  #message(line: Line, record: Fields, message: Fields): Bucket {
    switch (message.role) {
      case 'system':
        return { dropped: 'system-text' }
      case 'user':
        return this.#prompt(line, record, message)
      case 'assistant':
        return this.#answer(line, record, message)
      case 'toolResult':
        return this.#result(line, record, message)
      case 'bashExecution':
        return this.#shell(line, record, message)
      default:
        return this.writer.keepUnknown(line, record, `role:${textOf(message.role)}`)
    }
  }

  #prompt(line: Line, record: Fields, { content }: Fields): Bucket {
    const text = textsIn(content, 'text').join('\n')
    const noted = this.#typed.get(textOf(record.parentId))
    const { typed, body } = noted === undefined ? (skillCall(text) ?? {}) : { typed: noted, body: text }
    const message = this.#addBody(this.writer.say(line, record, 'user', ''), content)
    if (typed !== undefined) {
      this.writer.ledger.leaveOut('command-body', body ?? '')
      const images = typeof message.content === 'string' ? [] : message.content.filter(isImage)
      message.content = images.length === 0 ? typed : [{ type: 'text', text: typed }, ...images]
    }
    this.#settled = false
    return 'kept'
  }

  #answer(line: Line, record: Fields, { content, model, provider, stopReason, usage }: Fields): Bucket {
    const texts = textsIn(content, 'text')
    const thoughts = textsIn(content, 'thinking')
    const calls = callsIn(content)
    const aborted = stopReason === 'aborted'
    this.#settled = stopReason !== 'toolUse' && stopReason !== undefined
    const named = [textOf(provider), textOf(model)].filter((name) => name !== '').join('/')
    if (texts.length + thoughts.length + calls.length === 0) {
      if (aborted) this.writer.note(line, record, 'interrupted')
      return aborted ? 'kept' : { dropped: stopReason === 'error' ? 'api-error' : 'no-answer' }
    }
    const text = texts.length > 1 ? texts.map((one) => ({ type: 'text', text: one })) : (texts[0] ?? '')
    this.#model = named || this.#model
    addToAnswer(this.writer.say(line, record, 'assistant', text), {
      ...{ thoughts: thoughts.join('\n'), calls, model: named, tokens: fieldsOf(usage).output },
    })
    if (aborted) this.writer.note(line, record, 'interrupted')
    return 'kept'
  }

  #result(line: Line, record: Fields, native: Fields): Bucket {
    const message = this.#addBody(this.writer.say(line, record, 'tool', ''), native.content)
    addToResult(message, {
      ...{ call: textOf(native.toolCallId), name: textOf(native.toolName), failed: native.isError === true },
    })
    this.#settled = false
    return 'kept'
  }

  /**
   * Reads a command that the person ran. The model sees `!cmd`. A command after `!!` is the person's own and goes to no
   * model, so it is left out.
   */
  #shell(
    line: Line,
    record: Fields,
    { command, output, exitCode, cancelled, excludeFromContext }: Fields,
  ): Bucket {
    if (excludeFromContext === true) return { dropped: 'private-command' }
    this.writer.say(line, record, 'user', `!${textOf(command)}`)
    const message = this.writer.say(line, record, 'tool', textOf(output), 'output')
    message.tool_name = 'bash-mode'
    if (cancelled === true || (typeof exitCode === 'number' && exitCode !== 0)) message.is_error = true
    return 'kept'
  }

  #addBody(message: Message, content: unknown): Message {
    return addBody(message, bodyOf(content, this.blobs, imageIn))
  }
}

function isImage(part: Part): boolean {
  return part.type !== 'text'
}

/** The image of a block, for `bodyOf`. */
function imageIn({ type, data, mimeType }: Fields) {
  return type === 'image' && typeof data === 'string'
    ? { base64: data, mediaType: textOf(mimeType) }
    : undefined
}

/** The texts of one kind in an answer: `text`, or `thinking`. */
function textsIn(content: unknown, kind: 'text' | 'thinking'): string[] {
  return blocksOf(content ?? [])
    .filter((block) => block.type === kind)
    .map((block) => textOf(block[kind]))
    .filter((text) => text !== '')
}

function callsIn(content: unknown): { id: string; name: string; arguments: unknown }[] {
  return blocksOf(content ?? [])
    .filter((block) => block.type === 'toolCall')
    .map(({ id, name, arguments: given }: Fields) => ({
      id: textOf(id),
      name: textOf(name),
      arguments: given ?? {},
    }))
}

/**
 * The byte offset of the line that begins the running turn: the last prompt without a final answer after it, or the
 * line before that prompt which says what the person typed. It is the end of the file when every prompt is answered.
 */
export function turnStart(bytes: Uint8Array): number {
  const lines = splitLines(bytes)
  /** Failed answers that Pi has dropped to try again. */
  const dropped = new Set<unknown>()
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index]!
    const record = recordIn(line)
    if (record === undefined || isOurs(record)) continue
    if (record.type === 'context_edit' && record.replacement === null) dropped.add(record.targetId)
    if (dropped.has(record.id)) continue
    const { role, stopReason } = fieldsOf(record.message)
    if (role === 'assistant' && stopReason !== 'toolUse') break
    if (role !== 'user') continue
    const before = lines[index - 1]
    return before !== undefined && typedIn(recordIn(before) ?? {}) !== undefined ? before.start : line.start
  }
  // The prompt of the running turn is perhaps not written yet, but what the person typed is.
  const last = lines.at(-1)
  return last !== undefined && typedIn(recordIn(last) ?? {}) !== undefined ? last.start : bytes.length
}

function recordIn({ content }: Line): Fields | undefined {
  return content.kind === 'record' ? content.record : undefined
}

/** The `customType` of the entries that our extension writes. */
const OURS = 'cortext'

/** Whether an entry is a line of our seed, or a note of our extension to the agent. */
export function isOurs(record: Fields): boolean {
  if (fieldsOf(record.cortext).seed === true) return true
  return record.type === 'custom_message' && record.customType === OURS
}

/**
 * What the person typed, from the entry that our extension writes before a prompt that Pi has expanded. Undefined for
 * any other entry.
 */
export function typedIn(record: Fields): string | undefined {
  if (record.type !== 'custom' || record.customType !== OURS) return undefined
  return textOf(fieldsOf(record.data).typed) || undefined
}

/** Kinds of entries that say nothing of the talk. */
const LEFT_OUT: Record<string, string> = {
  __proto__: null as never,
  session: 'client-state',
  model_change: 'client-state',
  thinking_level_change: 'client-state',
  custom: 'client-state',
  label: 'client-state',
  // It hides an earlier entry from the model. The entry stays.
  context_edit: 'client-state',
  usage: 'usage',
}

/**
 * The call of a skill as the person typed it, and the skill's text that Pi put in its place. Undefined for any other
 * prompt. A session that our extension did not see has only this (1.5.2).
 */
function skillCall(text: string): { typed: string; body: string } | undefined {
  const [whole, name, args = ''] =
    /^<skill name="([^"\n]+)" location="[^"\n]*">\n[\s\S]*?\n<\/skill>(?:\n\n([\s\S]*))?$/.exec(text) ?? []
  if (whole === undefined) return undefined
  const body = args === '' ? whole : whole.slice(0, -args.length)
  return { typed: `/skill:${name}${args === '' ? '' : ` ${args}`}`, body }
}
