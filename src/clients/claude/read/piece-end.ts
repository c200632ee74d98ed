import { blocksOf, type Fields, fieldsOf, textOf } from '../../shared/transcript/fields.ts'
import { bufferOf, endOfText, splitLines } from '../../shared/transcript/lines.ts'
import { fateOf } from './rules.ts'
import { classifyText } from './typed.ts'

/**
 * Returns the offset of the last record in `bytes` before which a piece can end; undefined when there is none. The
 * record is a prompt or the first record of an answer, and nothing before it is open:
 * - all earlier tool calls have their results
 * - no earlier answer continues after it
 * - it and later records are linked only to the records just before it
 * - no prompt waits in the queue
 */
export function pieceEnd(bytes: Uint8Array): number | undefined {
  const buffer = bufferOf(bytes)
  /** The parents of the records that were read so far, except parents that are among these records. */
  const links = new Set<string>()
  const later = new Set<string>()
  let candidate: Candidate | undefined
  let waiting: ((offset: number) => boolean) | undefined
  for (const { start, record } of recordsFromEnd(buffer)) {
    const [uuid, parent] = [textOf(record.uuid), textOf(record.parentUuid)]
    const isMain = record.isSidechain !== true
    if (candidate !== undefined && isMain) {
      const verdict = judge(candidate, record, later)
      if (verdict === 'no') candidate = undefined
      else if (verdict === 'yes') {
        waiting ??= queueIn(buffer)
        if (!waiting(candidate.start)) return candidate.start
        candidate = undefined
      }
    }
    links.delete(uuid)
    if (parent !== '') links.add(parent)
    if (uuid !== '') later.add(uuid)
    const kind = isMain ? kindOf(record) : undefined
    if (kind === undefined) continue
    // Each candidate copies the links. Many links would make that slow, and no earlier record is likely to close them.
    const isFree = links.size <= MAX_LINKS
    candidate = isFree ? { start, kind, apiId: apiIdOf(record), links: new Set(links) } : undefined
  }
  return undefined
}

const MAX_LINKS = 100

interface Candidate {
  start: number
  kind: 'prompt' | 'answer'
  apiId: string
  /** The parents of the candidate and of later records that come before the candidate and were not read yet. */
  links: Set<string>
}

function kindOf(record: Fields): Candidate['kind'] | undefined {
  const { as } = fateOf(record)
  if (as === 'assistant') return apiIdOf(record) === '' ? undefined : 'answer'
  if (as !== 'user' || record.isMeta === true) return undefined
  const blocks = blocksOf(fieldsOf(record.message).content)
  if (blocks.some(({ type }) => type === 'tool_result')) return undefined
  // The record after a local command decides what becomes of the command, so no piece begins with a local command.
  const { kind } = classifyText(textOf(blocks.find(({ type }) => type === 'text')?.text))
  return kind === 'prompt' || kind === 'command' ? 'prompt' : undefined
}

/**
 * Whether a piece can end before the candidate, judged by an earlier record; undefined if still earlier records decide.
 */
function judge(candidate: Candidate, record: Fields, later: ReadonlySet<string>): 'yes' | 'no' | undefined {
  const isAnswer = record.type === 'assistant'
  // The record was written above its parent, but belongs below the parent.
  if (record.type === 'queue-operation' || later.has(textOf(record.parentUuid))) return 'no'
  if (isAnswer && candidate.kind === 'answer')
    return candidate.links.size === 0 && apiIdOf(record) !== candidate.apiId ? 'yes' : 'no'
  candidate.links.delete(textOf(record.uuid))
  if (candidate.kind === 'answer' || (record.type !== 'user' && !isAnswer)) return undefined
  return candidate.links.size === 0 ? 'yes' : 'no'
}

function apiIdOf(record: Fields): string {
  return textOf(fieldsOf(record.message).id)
}

/** Yields the records of whole lines, the last one first. */
function* recordsFromEnd(buffer: Buffer): Generator<{ start: number; record: Fields }> {
  for (let end = buffer.lastIndexOf(10) + 1; end > 0; ) {
    const start = end === 1 ? 0 : buffer.lastIndexOf(10, end - 2) + 1
    const line = buffer.subarray(start, end)
    const content = splitLines(line.length > LONG_LINE ? withoutLongTexts(line) : line)[0]?.content
    if (content?.kind === 'record') yield { start, record: content.record }
    end = start
  }
}

const LONG_LINE = 1024 * 1024
const LONG_TEXT = 64 * 1024

/** Returns a line of JSON with `…` in place of each very long text, because parsing the line would copy these texts. */
function withoutLongTexts(line: Buffer): Buffer {
  const parts: Buffer[] = []
  let done = 0
  for (let open = line.indexOf(QUOTE); open !== -1; ) {
    const close = endOfText(line, open)
    if (close === -1) break
    if (close - open > LONG_TEXT) {
      parts.push(line.subarray(done, open), Buffer.from('"…'))
      done = close
    }
    open = line.indexOf(QUOTE, close + 1)
  }
  return Buffer.concat([...parts, line.subarray(done)])
}

const QUOTE = 0x22

/** Returns a function that says whether a prompt waits in the client's queue at an offset. */
function queueIn(buffer: Buffer): (offset: number) => boolean {
  const steps: { at: number; waiting: number }[] = []
  let waiting = 0
  for (let at = buffer.indexOf(QUEUE); at !== -1; at = buffer.indexOf(QUEUE, at + 1)) {
    const end = buffer.indexOf(10, at)
    const start = buffer.lastIndexOf(10, at) + 1
    const content = splitLines(buffer.subarray(start, end === -1 ? buffer.length : end))[0]?.content
    if (content?.kind !== 'record' || content.record.type !== 'queue-operation') continue
    const { operation } = content.record
    if (operation === 'enqueue') {
      // Notifications can leave the queue without a trace, so they are not counted.
      if (!textOf(content.record.content).startsWith('<task-notification>')) waiting += 1
    } else waiting = operation === 'popAll' ? 0 : Math.max(0, waiting - 1)
    steps.push({ at, waiting })
  }
  return (offset) => (steps.findLast(({ at }) => at < offset)?.waiting ?? 0) > 0
}

const QUEUE = '"queue-operation"'
