import { beforeControlTurn } from '../../../session/control-turns.ts'
import type { Message } from '../../../session/schema.ts'
import type { RawTranscript, Reading } from '../../contract/reading.ts'
import { textOf } from '../../shared/transcript/fields.ts'
import { type Line, splitLines } from '../../shared/transcript/lines.ts'
import { definedFields, mcpToolsIn } from '../../shared/transcript/read-talk.ts'
import { Before } from './before.ts'
import { isFinal, recordIn } from './record.ts'
import { type ReaderContext, TranscriptReader } from './transcript-reader.ts'

/**
 * Reads an OpenCode transcript, as our plugin writes it (record.ts), into messages, facts, and a report on every byte.
 * The content of the records was observed on 1.18.33. Never throws on content. Pure.
 *
 * The plugin writes a rewind before the prompt that begins a segment. So the rewind is read with that segment and with
 * the one before it. Apart from this, a segment is read by itself. The lines before it are used only for:
 * - the ids of messages: a message that comes again in the segment is a later state of an earlier one
 * - the session's own record
 * - the message that a rewind goes back to
 */
export function readTranscript(raw: RawTranscript): Reading {
  const from = raw.from ?? 0
  const lines = splitLines(raw.bytes, from, raw.to, raw.firstLine)
  const before = new Before(raw.bytes, from)
  // An import gives a session an end of its own where another one has its id. Its records have the id alone.
  const id = raw.nativeId.replace(/~[0-9a-f]{8}$/, '')
  const session = sessionIn(id, lines, before)
  const servers = session?.mcp ?? []
  const blobs = new Map<string, Uint8Array>()
  const children = new Map<string, Line[]>()
  let earlier: TranscriptReader | undefined
  const context: ReaderContext = {
    session: id,
    nativeSession: raw.nativeId,
    blobs,
    before,
    earlier() {
      if (earlier === undefined) {
        earlier = new TranscriptReader({
          ...context,
          before: new Before(raw.bytes, 0),
          subagent: () => undefined,
        })
        earlier.read(splitLines(raw.bytes, 0, from))
      }
      return earlier
    },
    servers,
    subagent: (line, record) => {
      const before = children.get(record.session)
      if (before === undefined) children.set(record.session, [line])
      else before.push(line)
    },
  }
  const reader = new TranscriptReader(context)
  reader.read(lines)
  const subagents = readChildren(reader, children, context)
  const { model, settled } = reader
  const info = session?.info
  const own = textOf(info?.parentID) === '' ? reader.writer.messages : reader.writer.messages.map(fromParent)
  const messages = [...(own.length > 0 ? rewindsBefore(before, context) : []), ...own]
  return {
    messages,
    subagents,
    blobs,
    facts: {
      calledToolsOnly: true,
      mcpTools: mcpToolsIn([...messages, ...Object.values(subagents).flat()]),
      ...definedFields({
        model,
        title: UNTITLED.test(textOf(info?.title)) ? undefined : textOf(info?.title) || undefined,
        cwd: textOf(info?.directory) || undefined,
        clientVersion: textOf(info?.version) || undefined,
        from: reader.from,
        to: reader.to,
      }),
      settled,
    },
    report: reader.writer.ledger.report(),
  }
}

/**
 * In the session of a subagent no person speaks: the agent that started it gives it its task. Such a session is read by
 * itself only if somebody imports its export alone.
 */
function fromParent(message: Message): Message {
  return message.role === 'user' ? { ...message, role: 'tool', tool_name: 'parent-agent' } : message
}

/** The rewinds between the last message before the segment and the segment's first message. */
function rewindsBefore(before: Before, { earlier }: ReaderContext): Message[] {
  if (!before.endsInRemoval()) return []
  const { messages } = earlier().writer
  const last = messages.findLastIndex(({ event }) => event === undefined)
  return messages
    .slice(last + 1)
    .filter(({ event }) => event === 'rewound')
    .map((event) => ({
      ...event,
      to: beforeControlTurn(messages, typeof event.to === 'string' ? event.to : null),
    }))
}

function sessionIn(nativeId: string, lines: readonly Line[], before: Before) {
  let found = before.session(nativeId)
  for (const line of lines) {
    const record = recordIn(line)
    if (record?.type === 'session' && record.id === nativeId) found = record
  }
  return found?.type === 'session' ? found : undefined
}

/**
 * Messages of subagents, by the call that started them. A subagent whose call is not known is kept under its own id.
 */
function readChildren(
  main: TranscriptReader,
  children: ReadonlyMap<string, Line[]>,
  context: ReaderContext,
): Record<string, Message[]> {
  const talks = [...children].map(([session, lines]) => {
    const reader = new TranscriptReader({ ...context, session, subagent: () => undefined })
    reader.read(lines)
    return { session, reader }
  })
  const agents = new Map([main, ...talks.map(({ reader }) => reader)].flatMap((reader) => [...reader.agents]))
  return Object.fromEntries(
    talks
      .filter(({ reader }) => reader.writer.messages.length > 0)
      .map(({ session, reader }) => [agents.get(session) ?? session, reader.writer.messages]),
  )
}

/** The title that OpenCode gives to a session without a title. It does not count as a title. */
export const UNTITLED = /^New session - \d{4}-/

/**
 * `turnStart` first searches only this many bytes at the end. If they contain neither a prompt nor a final answer, it
 * reads the whole transcript.
 */
const NEAR_BYTES = 1024 * 1024

/**
 * The byte offset of the record that begins the running turn: the last prompt without a final answer after it. It is
 * the end of the transcript when every prompt is answered.
 */
export function turnStart(bytes: Uint8Array): number {
  const root = rootSession(bytes)
  const near = Math.max(0, bytes.length - NEAR_BYTES)
  const found = lastOpenPrompt(splitLines(bytes, near), root)
  if (found !== undefined || near === 0) return found ?? bytes.length
  return lastOpenPrompt(splitLines(bytes), root) ?? bytes.length
}

/** The session that the transcript is about. The first record names it. */
function rootSession(bytes: Uint8Array): string | undefined {
  const end = bytes.indexOf(10)
  const [line] = splitLines(bytes, 0, end === -1 ? bytes.length : end)
  const record = line === undefined ? undefined : recordIn(line)
  return record?.type === 'session' ? record.id : undefined
}

/**
 * Returns the offset of the last prompt, or the end of the lines if a final answer follows it. Undefined when the lines
 * contain neither a prompt nor a final answer.
 */
function lastOpenPrompt(lines: readonly Line[], root: string | undefined): number | undefined {
  const last = lines.at(-1)
  for (const line of lines.toReversed()) {
    const record = recordIn(line)
    if (record?.type !== 'message' || (root !== undefined && record.session !== root)) continue
    if (record.info.role === 'user') return line.start
    if (isFinal(record.info) && last !== undefined) return last.start + last.bytes.length
  }
  return undefined
}
