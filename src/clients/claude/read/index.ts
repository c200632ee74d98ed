import type { RawTranscript, Reading, ReadingFacts } from '../../contract/reading.ts'
import { blocksOf, type Fields, fieldsOf, listOf, textOf } from '../../shared/transcript/fields.ts'
import { type Line, splitLines } from '../../shared/transcript/lines.ts'
import { definedFields } from '../../shared/transcript/read-talk.ts'
import { Before } from './before.ts'
import { Strands } from './subagents.ts'
import { TranscriptReader } from './transcript-reader.ts'

/**
 * Reads a Claude Code transcript into messages, facts, and a report on every byte. The format was observed on 2.1.38,
 * 2.1.39, 2.1.197 and 2.1.330. Never throws on content. Pure: it reads nothing but what it is given.
 *
 * A segment is read by itself. The lines before it are used only to find:
 * - line numbers and the parents of records
 * - the tools that the model has
 * - how this version records queued prompts
 * - the target of a rewind
 * - the start of an answer that continues in the segment: all parts of an answer have one id
 */
export function readTranscript(raw: RawTranscript): Reading {
  const from = raw.from ?? 0
  const lines = splitLines(raw.bytes, from, raw.to, raw.firstLine)
  const blobs = new Map<string, Uint8Array>()
  const before = new Before(raw.bytes, from)
  const context = {
    nativeSession: raw.nativeId,
    blobs,
    side: (path: string) => raw.readSideFile(path),
    ended: false,
  }
  const strands = new Strands(raw)
  /** Reads lines as if no lines came before them. Their bytes are not counted in the report. */
  const readSeparately = (part: Line[], subagent: 'self' | (() => 'derived')): TranscriptReader => {
    const nothing = new Before(new Uint8Array(), 0)
    const own = new TranscriptReader({
      ...context,
      before: nothing,
      earlier: () => own,
      subagent,
    })
    own.read(part)
    return own
  }
  let earlier: TranscriptReader | undefined
  const reader = new TranscriptReader({
    ...context,
    ended: raw.ended === true,
    countFrom: raw.countFrom,
    before,
    earlier: () => {
      earlier ??= readSeparately(splitLines(raw.bytes, 0, from), () => 'derived')
      return earlier
    },
    subagent: (line, record) => strands.add(line, record),
  })
  reader.read(lines)
  const isWhole = from === 0 && raw.more !== true
  const subagents = strands.read(reader, isWhole, (strand) => readSeparately(strand, 'self'))
  const { model, settled, messages } = reader
  return {
    messages,
    subagents,
    blobs,
    facts: { ...readFacts(before, lines), ...definedFields({ model }), settled },
    report: reader.report,
    ...(strands.filesLeft.length > 0 && { sideFilesLeft: strands.filesLeft }),
  }
}

/**
 * Whether a prompt may have entered the client's queue before these bytes and leaves the queue in them. Older versions
 * give no reason when they remove a prompt; then the records before these bytes decide what became of it.
 */
export function refersBack(bytes: Uint8Array): boolean {
  const waiting: string[] = []
  return new Before(bytes, bytes.length).linesWith('"queue-operation"').some((record) => {
    const prompt = textOf(record.content)
    if (record.operation === 'enqueue') waiting.push(prompt)
    else if (record.operation === 'dequeue') return waiting.shift() === undefined
    else if (record.operation === 'remove') {
      const index = waiting.indexOf(prompt)
      if (index === -1 || record.reason === undefined) return true
      waiting.splice(index, 1)
    }
    return false
  })
}

/** Reads the facts about the session from its records. `model` and `settled` come from the transcript reader. */
function readFacts(before: Before, lines: readonly Line[]): Omit<ReadingFacts, 'model' | 'settled'> {
  const tools = new Set<string>()
  const titles: { custom?: string; own?: string } = {}
  // Files of Claude Code 1.0 and 2.0 begin with summaries of other sessions of the folder. The last record of the
  // session that a summary is about is its leaf.
  const summaries: Fields[] = []
  const uuids = new Set<string>()
  const facts: { cwd?: string; clientVersion?: string; from?: string; to?: string } = {}
  // The client gave the model its tools when the session began. The session may have begun before the segment.
  const given = ['api-request-shape', 'deferred_tools_delta'].flatMap((kind) => before.linesWith(`"${kind}"`))
  for (const record of given) addTools(record, tools)
  let namesAll = given.length > 0
  for (const { content } of lines) {
    if (content.kind !== 'record') continue
    const { record } = content
    const uuid = textOf(record.uuid)
    if (uuid !== '') {
      uuids.add(uuid)
      facts.from ??= uuid
      facts.to = uuid
    }
    if (textOf(record.cwd) !== '') facts.cwd ??= textOf(record.cwd)
    if (textOf(record.version) !== '') facts.clientVersion = textOf(record.version)
    if (textOf(record.customTitle) !== '') titles.custom = textOf(record.customTitle)
    if (textOf(record.aiTitle) !== '') titles.own = textOf(record.aiTitle)
    if (record.type === 'summary') summaries.push(record)
    addTools(record, tools)
    namesAll ||= record.type !== 'assistant' && toolNames(record).length > 0
  }
  const isOwn = ({ leafUuid }: Fields) => uuids.has(textOf(leafUuid)) || before.hasRecord(textOf(leafUuid))
  const title = titles.custom ?? titles.own ?? (textOf(summaries.findLast(isOwn)?.summary) || undefined)
  return {
    mcpTools: [...tools].sort(),
    ...(namesAll ? {} : { calledToolsOnly: true as const }),
    ...facts,
    ...(title === undefined ? {} : { title }),
    ...(titles.custom === undefined ? {} : { titleGiven: true as const }),
  }
}

function addTools(record: Fields, tools: Set<string>): void {
  for (const name of toolNames(record)) if (name.startsWith('mcp__')) tools.add(name)
}

function toolNames(record: Fields): string[] {
  switch (record.type) {
    case 'assistant':
      return blocksOf(fieldsOf(record.message).content)
        .filter((block) => block.type === 'tool_use')
        .map((block) => textOf(block.name))
    case 'api-request-shape':
      return listOf(fieldsOf(record.shape).tools).map((tool) => textOf(fieldsOf(tool).name))
    case 'attachment': {
      const attachment = fieldsOf(record.attachment)
      const given = listOf(attachment.tools).map((tool) => textOf(fieldsOf(tool).name))
      return attachment.type === 'deferred_tools_delta'
        ? listOf(attachment.addedNames).map(textOf)
        : attachment.type === 'prompt_snapshot'
          ? given
          : []
    }
    default:
      return []
  }
}
