import type { ReadingFacts } from '../../contract/reading.ts'
import { blocksOf, type Fields, fieldsOf, listOf, textOf } from '../../shared/transcript/fields.ts'
import type { Line } from '../../shared/transcript/lines.ts'
import type { Before } from './before.ts'

/** Reads the facts about the session from its records. `model` and `settled` come from the transcript reader. */
export function readFacts(before: Before, lines: readonly Line[]): Omit<ReadingFacts, 'model' | 'settled'> {
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
