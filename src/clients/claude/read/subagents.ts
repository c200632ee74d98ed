import type { Message } from '../../../session/schema.ts'
import type { RawTranscript } from '../../contract/reading.ts'
import { blocksOf, type Fields, fieldsOf, textOf } from '../../shared/transcript/fields.ts'
import { bufferOf, type Line, splitLines } from '../../shared/transcript/lines.ts'
import { SeenRecords } from '../../shared/transcript/seen-records.ts'
import type { TranscriptReader } from './transcript-reader.ts'

/** The records of one subagent, wherever the client wrote them. */
interface Strand {
  agentId: string
  /** The side file of these records, if there is one. */
  path?: string
  /** The tool call that started the subagent, if the client names that call. */
  callId?: string
  lines: Line[]
  seen: SeenRecords
  /**
   * True when the segment of the main file contains a record of the agent. Then the agent belongs to the segment, even
   * if a call outside the segment started it.
   */
  inSegment: boolean
}

/**
 * Collects the subagents of a transcript. Claude Code has written them in three ways, and one record may be in two of
 * these places:
 * - records with `isSidechain` in the main file
 * - `progress` records of kind `agent_progress` (2.1.7 to 2.1.39)
 * - side files `subagents/agent-<id>.jsonl`; since 2.1.197 a `.meta.json` next to such a file names the call
 */
export class Strands {
  /**
   * The side files of agents whose calls were not read, so that the next reading looks at them again. The client's own
   * summarising agents have no calls.
   */
  readonly filesLeft: string[] = []
  readonly #strands = new Map<string, Strand>()
  readonly #roots = new Map<string, string>()

  constructor(raw: RawTranscript) {
    const files = [...raw.sideFiles].sort().flatMap((path) => {
      const agentId = AGENT_FILE.exec(path)?.[1]
      return agentId === undefined ? [] : { path, agentId }
    })
    // Of a piece of a transcript, only the agents that it names are read.
    const named = raw.more === true ? new NamedAgents(raw.bytes) : undefined
    // A subagent's file may name further subagents.
    let left = files
    for (let before = -1; left.length > 0 && left.length !== before; ) {
      before = left.length
      left = left.filter(({ path, agentId }) => {
        const callId = callInMeta(raw.readSideFile(path.replace(/\.jsonl$/, '.meta.json')))
        if (named?.has(agentId, callId) === false) return true
        const bytes = raw.readSideFile(path)
        if (bytes === undefined) return false
        named?.add(bytes)
        const strand = this.#strand(agentId)
        strand.path = path
        for (const line of splitLines(bytes)) append(strand, line)
        if (callId !== '') strand.callId = callId
        return false
      })
    }
    for (const { path, agentId } of left) this.#leave(path, agentId)
  }

  /**
   * Takes a subagent's record out of the main file. Returns `derived` when the subagent already has this record, for
   * example from a side file.
   */
  add(line: Line, record: Fields): 'kept' | 'derived' {
    const progress = record.type === 'progress'
    const own = ownRecord(record)
    const agentId = textOf(progress ? fieldsOf(record.data).agentId : record.agentId) || this.#rootOf(record)
    const strand = this.#strand(agentId)
    strand.inSegment = true
    const call = textOf(record.parentToolUseID)
    if (progress && call !== '') strand.callId ??= call
    if (strand.seen.repeats(textOf(own.uuid), line, record)) return 'derived'
    // A progress record contains the subagent's record without its link. So we link that record to the one before it.
    const linked = progress ? { timestamp: record.timestamp, ...own, parentUuid: lastUuid(strand) } : own
    strand.lines.push({ ...line, content: { kind: 'record', record: linked } })
    return 'kept'
  }

  /**
   * The messages of each subagent, by its call. A side file belongs to the segment when a call in the segment, or in
   * another subagent of the segment, started the agent. If the transcript is read from its beginning (`whole`), an
   * agent without a known call is kept under its own id. The client's own summarising agents (`acompact-…`) only repeat
   * the talk, so their side files are left out.
   */
  read(
    main: TranscriptReader,
    whole: boolean,
    read: (lines: Line[]) => TranscriptReader,
  ): Record<string, Message[]> {
    const found = new Map<string, Message[]>()
    const talks = [main]
    const left = new Set(this.#strands.values())
    for (let reader = talks.shift(); reader !== undefined; reader = talks.shift()) {
      const calls = callsOf(reader.messages)
      for (const strand of left) {
        const callId = strand.callId ?? reader.agents.get(strand.agentId) ?? callByPrompt(strand, calls)
        if (callId === undefined || !calls.has(callId)) continue
        left.delete(strand)
        talks.push(addMessages(found, callId, read(strand.lines)))
      }
    }
    for (const strand of left) {
      const orphan = whole && !isSummarising(strand.agentId)
      if (strand.path !== undefined && !strand.inSegment) this.#leave(strand.path, strand.agentId)
      if (strand.inSegment || orphan) addMessages(found, strand.callId ?? strand.agentId, read(strand.lines))
    }
    return Object.fromEntries([...found].filter(([, messages]) => messages.length > 0))
  }

  #leave(path: string, agentId: string): void {
    if (!isSummarising(agentId)) this.filesLeft.push(path)
  }

  #strand(agentId: string): Strand {
    const strand = this.#strands.get(agentId) ?? {
      agentId,
      lines: [],
      seen: new SeenRecords((record) => blocksOf(fieldsOf(ownRecord(record).message).content)),
      inSegment: false,
    }
    this.#strands.set(agentId, strand)
    return strand
  }

  /** In the oldest form a record names no agent, so the first record of its chain identifies the agent. */
  #rootOf(record: Fields): string {
    const uuid = textOf(record.uuid)
    const root = this.#roots.get(textOf(record.parentUuid)) ?? uuid
    this.#roots.set(uuid, root)
    return root
  }
}

const AGENT_FILE = /^subagents\/(?:.*\/)?agent-([^/]+)\.jsonl$/

/** Whether this is one of the client's own agents, which summarise the talk and have no call. */
function isSummarising(agentId: string): boolean {
  return agentId.startsWith('acompact-')
}

/** The ids of agents and of calls that occur in some bytes of a transcript. */
class NamedAgents {
  readonly #ids = new Set<string>()

  constructor(bytes: Uint8Array) {
    this.add(bytes)
  }

  add(bytes: Uint8Array): void {
    const text = bufferOf(bytes).toString('latin1')
    for (const [, id] of text.matchAll(/"(?:agentId|id)":"([\w-]{1,100})"/g)) this.#ids.add(id!)
  }

  has(agentId: string, callId: string): boolean {
    return this.#ids.has(agentId) || this.#ids.has(callId)
  }
}

function append(strand: Strand, line: Line): void {
  strand.lines.push(line)
  if (line.content.kind === 'record')
    strand.seen.repeats(textOf(line.content.record.uuid), line, line.content.record)
}

/** The subagent's own record. A `progress` record contains it. */
function ownRecord(record: Fields): Fields {
  return record.type === 'progress' ? fieldsOf(fieldsOf(record.data).message) : record
}

function lastUuid(strand: Strand): string | null {
  const last = strand.lines.at(-1)?.content
  return last?.kind === 'record' ? textOf(last.record.uuid) || null : null
}

function addMessages(
  found: Map<string, Message[]>,
  callId: string,
  reader: TranscriptReader,
): TranscriptReader {
  found.set(callId, [...(found.get(callId) ?? []), ...reader.messages])
  return reader
}

/** The id of a call → the prompt among its arguments; '' if there is none. */
function callsOf(messages: readonly Message[]): Map<string, string> {
  const calls = new Map<string, string>()
  for (const message of messages)
    for (const call of message.tool_calls ?? []) calls.set(call.id, textOf(fieldsOf(call.arguments).prompt))
  return calls
}

/** Finds the call whose prompt is the first message to the subagent. */
function callByPrompt(strand: Strand, calls: Map<string, string>): string | undefined {
  const first = strand.lines.find((line) => line.content.kind === 'record')?.content
  if (first?.kind !== 'record') return undefined
  const prompt = textOf(blocksOf(fieldsOf(first.record.message).content)[0]?.text)
  if (prompt === '') return undefined
  for (const [id, text] of calls) if (text === prompt) return id
  return undefined
}

function callInMeta(meta: Uint8Array | undefined): string {
  if (meta === undefined) return ''
  const content = splitLines(Buffer.from(Buffer.from(meta).toString('utf8').replaceAll('\n', ' ')))[0]
    ?.content
  return content?.kind === 'record' ? textOf(content.record.toolUseId) : ''
}
