import { blocksOf, type Fields, fieldsOf, textOf } from '../shared/transcript/fields.ts'
import { quotedIn } from '../shared/transcript/file-ends.ts'
import { bufferOf, eachLine, type Line, splitLines } from '../shared/transcript/lines.ts'
import { fateOf, isClientText } from './read/rules.ts'
import { classifyText } from './read/typed.ts'

/**
 * Reads the title and the folder of a transcript from its two ends, for lists of sessions. `isAutomated`: all prompts
 * came through the SDK or `claude -p`, and none from a terminal or an editor (`entrypoint`, 2.1.197 to 2.1.330).
 */
export function readHeading(head: Uint8Array, tail: Uint8Array) {
  const heading = { cwd: '', title: '', isSidechain: false, isAutomated: false }
  const ways = new Set<string>()
  let customTitle = ''
  let ownTitle = ''
  let firstPrompt = ''
  const records = [...splitLines(head), ...splitLines(tail)].flatMap(recordOf)
  const uuids = new Set(records.map(({ uuid }) => uuid))
  // A file begins with summaries of other sessions: see read/facts.ts.
  const isOwnSummary = ({ type, leafUuid }: Fields) => type === 'summary' && uuids.has(leafUuid)
  for (const record of records) {
    if (heading.cwd === '') {
      heading.cwd = textOf(record.cwd)
      heading.isSidechain = record.isSidechain === true
    }
    if (record.type === 'user')
      ways.add(record.promptSource === 'typed' ? 'typed' : textOf(record.entrypoint).slice(0, SDK.length))
    customTitle = textOf(record.customTitle) || customTitle
    ownTitle = textOf(record.aiTitle) || (isOwnSummary(record) ? textOf(record.summary) : '') || ownTitle
    if (firstPrompt === '') firstPrompt = promptIn(record)
  }
  heading.cwd ||= quotedIn(head, 'cwd')
  heading.isAutomated = ways.size === 1 && ways.has(SDK)
  heading.title = customTitle || ownTitle || firstPrompt
  return heading
}

/** The entry points of programs begin with this: `sdk-cli`, `sdk-ts`, `sdk-py`. */
const SDK = 'sdk-'

/**
 * For the transcript of a subagent: the id of the session that started the subagent. Undefined for any other
 * transcript. All prompts and answers of a subagent's transcript have `isSidechain`.
 */
export function subagentOf(bytes: Uint8Array): string | undefined {
  if (!bufferOf(bytes).includes('"isSidechain":true')) return undefined
  let session: string | undefined
  for (const { content } of eachLine(bytes)) {
    if (content.kind !== 'record') continue
    const { record } = content
    if (record.type !== 'user' && record.type !== 'assistant') continue
    if (record.isSidechain !== true) return undefined
    session ??= textOf(record.sessionId)
  }
  return session
}

function recordOf(line: Line): Fields[] {
  return line.content.kind === 'record' ? [line.content.record] : []
}

function promptIn(record: Fields): string {
  if (fateOf(record).as !== 'user' || record.isMeta === true || record.isSidechain === true) return ''
  for (const block of blocksOf(fieldsOf(record.message).content)) {
    if (block.type !== 'text' || isClientText(block)) continue
    const typed = classifyText(textOf(block.text))
    if (typed.kind === 'prompt' || typed.kind === 'command' || typed.kind === 'shell-input') return typed.text
  }
  return ''
}
