import { basename } from 'node:path'
import { CortextError } from '../../errors.ts'
import type { Source } from '../../journeys/finding/search.ts'
import { isTalk, textOf } from '../../session/live-path.ts'
import { paste } from '../../text/paste.ts'
import type { Workspace } from '../../workspace/open.ts'
import { attribute, type Line } from './attribute.ts'
import { type CommittedIn, committedIn } from './commits.ts'
import { isTrivial, linesOf } from './lines.ts'
import { type Place, placeOf } from './record-files.ts'
import type { RecordedEdit } from './recorded-edits.ts'
import { linesWritten } from './replay.ts'
import { fixForUnknown, rangesOf, type TracedFile, trace } from './trace.ts'

/** A message that names the file, or the line of the file. */
export interface Mention {
  place: Place
  names: 'line' | 'file'
}

export interface WhyLine {
  file: string
  line: Line
  /** The conversations to which the commit of the line belongs. */
  committed: CommittedIn[]
  /**
   * Other conversations that have also added a line with this text to the file: the newest such edit of each. Newest
   * first.
   */
  same: RecordedEdit[]
  /** Whether the line is trivial; see isTrivial. */
  trivial: boolean
  /** How many edits of the file are recorded without their text. */
  withoutText: number
  mentions: Mention[]
}

/**
 * Finds the conversation that wrote a line of a file, and the conversations that mention the file or the line. Throws
 * `usage` for a missing line.
 */
export async function whyLine(ws: Workspace, file: string, number: number): Promise<WhyLine> {
  const traced = await trace(ws, file)
  const [line] = await attribute(traced, { only: new Set([number]) })
  if (line === undefined) throw await noSuchLine(ws, traced, file, number)
  const trivial = isTrivial(line.text)
  const writer = line.by?.place.source
  const others = editsThatAdd(traced, line.text).filter(({ place }) => place.source !== writer)
  return {
    ...{ file, line, trivial, same: trivial ? [] : newestOfEach(others) },
    committed: line.commit === undefined ? [] : await committedIn(ws, traced.sources, line.commit.sha),
    withoutText: countWithoutText(traced),
    mentions: mentionsIn(traced, { number, except: writer === undefined ? [] : [writer] }),
  }
}

async function noSuchLine(
  ws: Workspace,
  { text, edits, blamed }: TracedFile,
  file: string,
  number: number,
): Promise<CortextError> {
  const isKnown = text !== undefined || edits.length > 0 || blamed !== undefined
  const count = linesOf(text ?? '').length
  const what = text === undefined ? 'is not there' : `has ${count} line${count === 1 ? '' : 's'}`
  const fix = isKnown ? paste`cortext why ${file}` : await fixForUnknown(ws, file, number)
  return new CortextError('usage', `${file} ${what}`, { fix })
}

/**
 * The edits that add a line with this text. An edit of parts says itself what it adds. One that writes the whole file adds
 * the line only if the file did not have it before.
 */
function editsThatAdd({ steps }: TracedFile, text: string): RecordedEdit[] {
  const adding: RecordedEdit[] = []
  let isThere = false
  for (const step of steps) {
    const has = step.kind === 'seen' ? linesOf(step.text).includes(text) : linesWritten(step).includes(text)
    if (has && (step.kind === 'parts' || (step.kind === 'whole' && !isThere))) adding.push(step)
    // What else an edit of parts leaves in the file is not known.
    isThere = has || (isThere && (step.kind === 'parts' || step.kind === 'unknown'))
  }
  return adding
}

/** A conversation that has edited the file. */
interface Editor {
  source: Source
  edits: number
  /** The lines that the conversation wrote, as ranges; each has its first and its last number. */
  ranges: [number, number][]
  last: RecordedEdit
}

export interface WhyFile {
  file: string
  there: boolean
  lines: number
  /** The conversation with the newest edit comes first. */
  editors: Editor[]
  withoutText: number
  mentions: Mention[]
}

/**
 * Finds the conversations that edited a file, with the lines that each wrote, and the conversations that only mention
 * it. Throws `not-found` if there is no such file and no conversation edited one.
 */
export async function whyFile(ws: Workspace, file: string): Promise<WhyFile> {
  const traced = await trace(ws, file)
  const { edits, text, blamed } = traced
  const lines = await attribute(traced)
  if (text === undefined && edits.length === 0 && blamed === undefined)
    throw new CortextError('not-found', `there is no ${file}, and no conversation wrote one`, {
      fix: await fixForUnknown(ws, file),
    })
  const editors = newestOfEach(edits).map((last): Editor => {
    const { source } = last.place
    const own = lines.filter(({ by }) => by?.place.source === source).map(({ number }) => number)
    const count = edits.filter(({ place }) => place.source === source).length
    return { source, edits: count, ranges: rangesOf(own), last }
  })
  return {
    ...{ file, there: text !== undefined, lines: lines.length, editors },
    withoutText: countWithoutText(traced),
    mentions: mentionsIn(traced, { except: editors.map(({ source }) => source) }),
  }
}

function countWithoutText({ edits }: TracedFile): number {
  return edits.filter(({ kind }) => kind === 'unknown').length
}

/** The newest edit of each conversation, newest first. */
function newestOfEach(edits: readonly RecordedEdit[]): RecordedEdit[] {
  const newest = new Map(edits.map((one) => [one.place.source, one]))
  return [...newest.values()].sort((one, other) => other.place.time - one.place.time)
}

/**
 * Returns one message of each conversation that names the file: the last one that also names the line, else the last
 * one that names the file. Of the conversations in `except`, only messages that name the line count.
 */
function mentionsIn(
  { records, names }: TracedFile,
  { number, except }: { number?: number; except: readonly Source[] },
): Mention[] {
  const name = names.map((path) => basename(path).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')
  const named = new RegExp(`(?:^|[^\\w.-])(?:${name})(?![\\w-])`)
  const line =
    number === undefined ? undefined : new RegExp(`(?:^|[^\\w.-])(?:${name})(?:#L|:)${number}(?!\\d)`)
  const best = new Map<Source, Mention>()
  for (const record of records)
    for (const [index, message] of record.messages.entries()) {
      if (!isTalk(message)) continue
      const text = textOf(message)
      if (!named.test(text)) continue
      const { source } = record
      const names = line?.test(text) === true ? 'line' : 'file'
      if (names === 'file' && except.includes(source)) continue
      const [before, place] = [best.get(source), placeOf(record, index)]
      // Pruned messages, which are older, are read after the others.
      const isBetter =
        before === undefined || (before.names === names ? place.time >= before.place.time : names === 'line')
      if (isBetter) best.set(source, { place, names })
    }
  return [...best.values()].sort(
    (one, other) =>
      Number(other.names === 'line') - Number(one.names === 'line') || other.place.time - one.place.time,
  )
}
