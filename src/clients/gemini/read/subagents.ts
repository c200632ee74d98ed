import { sha256 } from '../../../hash.ts'
import type { Message } from '../../../session/schema.ts'
import type { RawTranscript } from '../../contract/reading.ts'
import { partsOf, textIn } from '../../shared/genai/parts.ts'
import { type Fields, fieldsOf, isObject, listOf, textOf } from '../../shared/transcript/fields.ts'
import { type Line, splitLines } from '../../shared/transcript/lines.ts'
import { oneObject } from './one-object.ts'
import { TranscriptReader } from './transcript-reader.ts'

/**
 * Messages of subagents, by the call that started them. Each subagent has a session of its own, with a file in the side
 * folder. The call contains the id of that session (`agentId`). The file is complete as soon as the call has ended.
 */
export function readSubagents(
  raw: RawTranscript,
  agents: ReadonlyMap<string, string>,
  blobs: Map<string, Uint8Array>,
): Record<string, Message[]> {
  const found = [...agents].flatMap(([agent, call]): [string, Message[]][] => {
    const bytes = raw.readSideFile(`${agent}.jsonl`)
    if (bytes === undefined) return []
    const reader = new TranscriptReader(agent, blobs, (name) => raw.readSideFile(`outputs/${name}`))
    reader.read(splitLines(bytes))
    return [[call, reader.writer.messages]]
  })
  return Object.fromEntries(found)
}

/**
 * Subagents of the versions that wrote one object a file (0.20 to 0.28). A subagent records itself under the id of the
 * session that started it, and the file's name is the minute and that id. So its records stand in a file of their own,
 * or, if it started in the session's first minute, among those of the session (packages/core/src/agents and
 * services/chatRecordingService.ts of these versions). Neither its tool calls nor their results are written.
 */
export interface Strand {
  /** The call that started the subagent. Absent: no record names it. */
  call?: string
  records: Fields[]
}

/** Takes the records of subagents out of a session's messages. */
function splitStrands(messages: readonly Fields[]): { own: Fields[]; strands: Strand[] } {
  const own: Fields[] = []
  const strands: Strand[] = []
  for (let at = 0; at < messages.length; at += 1) {
    const task = taskIn(messages[at]!)
    if (task === undefined) {
      own.push(messages[at]!)
      continue
    }
    const strand: Strand = { records: [messages[at]!] }
    strands.push(strand)
    for (; at + 1 < messages.length; at += 1) {
      const next = messages[at + 1]!
      if (next.type === 'user' && !isWarning(next)) break
      const call = callWith(task, callsOf(next))
      if (call === undefined) {
        strand.records.push(next)
        continue
      }
      strand.call = call
      // The client adds the session's call to the last answer in the file, which is the subagent's.
      if (textOf(next.content) !== '') strand.records.push({ ...next, toolCalls: undefined })
      own.push({ ...next, content: '' })
      at += 1
      break
    }
  }
  return { own, strands }
}

/** Whether the first message of a session file of these versions is the task of a subagent. */
export function beginsWithTask(record: Fields): boolean {
  const first = listOf(record.messages).find(isObject)
  return record.kind === undefined && first !== undefined && taskIn(first) !== undefined
}

/** Takes the subagents' records out of a file of one object. A file of another format has none. */
export function splitFile(lines: readonly Line[] | undefined): {
  lines: Line[] | undefined
  strands: Strand[]
} {
  const strands: Strand[] = []
  const kept = lines?.map((line): Line => {
    if (line.content.kind !== 'record') return line
    const { record } = line.content
    const split = splitStrands(listOf(record.messages).filter(isObject))
    if (split.strands.length === 0) return line
    strands.push(...split.strands)
    return { ...line, content: { kind: 'record', record: { ...record, messages: split.own } } }
  })
  return { lines: kept, strands }
}

/** Reads these subagents: those of the session's file and those in files of their own. By the call that started each. */
export function readStrands(
  raw: RawTranscript,
  inFile: readonly Strand[],
  messages: readonly Message[],
  blobs: Map<string, Uint8Array>,
): Record<string, Message[]> {
  const inFiles = raw.sideFiles
    .filter((path) => OWN_FILE.test(path))
    .flatMap((path) => splitFile(oneObject(raw.readSideFile(path) ?? new Uint8Array())).strands)
  const calls = messages.flatMap((message) => message.tool_calls ?? [])
  const found: Record<string, Message[]> = {}
  for (const { call, records } of [...inFile, ...inFiles]) {
    const task = taskIn(records[0]!) ?? ''
    const id = call ?? calls.find(({ arguments: given }) => isIn(task, given))?.id ?? idOf(records[0]!)
    const reader = new TranscriptReader(raw.nativeId, blobs, () => undefined)
    reader.read([
      {
        number: 0,
        seq: 0,
        start: 0,
        bytes: new Uint8Array(),
        content: { kind: 'record', record: { $set: { messages: records } } },
      },
    ])
    found[id] = [...(found[id] ?? []), ...reader.writer.messages]
  }
  return found
}

/** The name of a file of such a subagent among the side files. */
export const OWN_FILE = /^session-[^/]+\.json$/

/** The task that the client gives to a subagent as its first prompt. Undefined for any other record. */
function taskIn(record: Fields): string | undefined {
  if (record.type !== 'user') return undefined
  return TASK.exec(textIn(partsOf(record.content)))?.[1]?.trim()
}

/** The prompts of the agents that came with the client: `codebase_investigator` and `cli_help`. */
const TASK =
  /^Your task is to (?:do a deep investigation of the codebase|answer the following question about Gemini CLI)[^\n]*\n<(?:objective|question)>\n([\s\S]*)/

/** What the client says to a subagent that has used up its time or its turns (agents/executor.ts). */
function isWarning(record: Fields): boolean {
  return /^You have (?:exceeded the|stopped calling tools)/.test(textIn(partsOf(record.content)))
}

function callsOf(record: Fields): Fields[] {
  return listOf(record.toolCalls).filter(isObject)
}

function callWith(task: string, calls: readonly Fields[]): string | undefined {
  const call = calls.find(({ args }) => isIn(task, args))
  return call && textOf(call.id)
}

function isIn(task: string, given: unknown): boolean {
  return Object.values(fieldsOf(given)).some(
    (value) => typeof value === 'string' && value.trim() !== '' && task.startsWith(value.trim()),
  )
}

function idOf(record: Fields): string {
  return textOf(record.id) || sha256(Buffer.from(textIn(partsOf(record.content)))).slice(0, 32)
}
