import { basename } from 'node:path'
import { CortextError } from '../../errors.ts'
import type { Source } from '../../journeys/finding/search.ts'
import { isTalk, textOf } from '../../session/live-path.ts'
import { paste } from '../../text/paste.ts'
import type { Workspace } from '../../workspace/open.ts'
import { attribute, type Line } from './attribute.ts'
import { type CommittedIn, committedIn } from './committed-in.ts'
import { isTrivial, linesOf } from './lines.ts'
import { fixForUnknown } from './near-file.ts'
import { linesWritten } from './replay.ts'
import { type Place, placeOf, type Told } from './told.ts'
import { type TracedFile, trace } from './trace.ts'
import type { Writing } from './writings.ts'

/** A message that names the file, or the line itself. */
export interface Mention {
  place: Place
  names: 'line' | 'file'
}

export interface WhyLine {
  file: string
  line: Line
  /** The conversations to which the commit of the line belongs. */
  committed: CommittedIn[]
  /** Newest first: edits of other conversations that wrote the same text into the file. */
  same: Writing[]
  /** Whether the line says so little that its text proves nothing. */
  trivial: boolean
  /** How many edits of the file are recorded without their text. */
  withoutText: number
  mentions: Mention[]
}

/** Which conversation wrote a line of a file, and which spoke of it. Throws `usage` where there is no such line. */
export async function whyLine(ws: Workspace, file: string, number: number): Promise<WhyLine> {
  const traced = await trace(ws, file)
  const [line] = await attribute(traced, { only: new Set([number]) })
  if (line === undefined) throw await noSuchLine(ws, traced, file, number)
  const trivial = isTrivial(line.text)
  const others = wroteSame(traced, line.text).filter(({ place }) => place.source !== line.by?.place.source)
  const { sources, writings, names } = traced
  const except = line.by === undefined ? [] : [line.by.place.source]
  return {
    ...{ file, line, trivial, same: trivial ? [] : newestOfEach(others) },
    committed: line.commit === undefined ? [] : await committedIn(ws, sources, line.commit.sha),
    withoutText: writings.filter(({ kind }) => kind === 'unknown').length,
    mentions: mentionsIn(traced.told, names, { number, except }),
  }
}

/** A file that conversations wrote, or that has fewer lines, can be asked about as a whole. */
async function noSuchLine(
  ws: Workspace,
  { text, writings, blamed }: TracedFile,
  file: string,
  number: number,
): Promise<CortextError> {
  const isKnown = text !== undefined || writings.length > 0 || blamed !== undefined
  const count = linesOf(text ?? '').length
  const what = text === undefined ? 'is not there' : `has ${count} line${count === 1 ? '' : 's'}`
  const fix = isKnown ? paste`cortext why ${file}` : await fixForUnknown(ws, file, number)
  return new CortextError('usage', `${file} ${what}`, { fix })
}

/** The edits that wrote a text into a file. One that writes the whole file anew keeps what stood there before. */
function wroteSame({ steps }: TracedFile, text: string): Writing[] {
  let stood = false
  return steps.filter((step) => {
    const holds = step.kind === 'seen' ? linesOf(step.text).includes(text) : linesWritten(step).includes(text)
    const isNew = holds && (step.kind === 'parts' || (step.kind === 'whole' && !stood))
    if (holds) stood = true
    else if (step.kind === 'seen' || step.kind === 'whole') stood = false
    return isNew
  })
}

/** What one conversation did to a file. */
interface Part {
  source: Source
  edits: number
  /** The numbers of the lines that are its own now: from, to. */
  ranges: [number, number][]
  /** Its last edit. */
  last: Writing
}

export interface WhyFile {
  file: string
  there: boolean
  lines: number
  /** Whose last edit is newest comes first. */
  parts: Part[]
  withoutText: number
  mentions: Mention[]
}

/** Which conversations edited a file, which of its lines are theirs, and which spoke of it. */
export async function whyFile(ws: Workspace, file: string): Promise<WhyFile> {
  const traced = await trace(ws, file)
  const { writings, names, told, text, blamed } = traced
  const lines = await attribute(traced)
  if (text === undefined && writings.length === 0 && blamed === undefined)
    throw new CortextError('not-found', `there is no ${file}, and no conversation wrote one`, {
      fix: await fixForUnknown(ws, file),
    })
  const parts = newestOfEach(writings).map((last): Part => {
    const { source } = last.place
    const own = lines.filter(({ by }) => by?.place.source === source).map(({ number }) => number)
    const edits = writings.filter(({ place }) => place.source === source).length
    return { source, edits, ranges: rangesOf(own), last }
  })
  return {
    ...{ file, there: text !== undefined, lines: lines.length, parts },
    withoutText: writings.filter(({ kind }) => kind === 'unknown').length,
    mentions: mentionsIn(told, names, { except: parts.map(({ source }) => source) }),
  }
}

function newestOfEach(writings: readonly Writing[]): Writing[] {
  const newest = new Map(writings.map((one) => [one.place.source, one]))
  return [...newest.values()].sort((one, other) => other.place.time - one.place.time)
}

/** Numbers that rise, as first and last of each row without a gap. */
export function rangesOf(numbers: readonly number[]): [number, number][] {
  const ranges: [number, number][] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === number - 1) last[1] = number
    else ranges.push([number, number])
  }
  return ranges
}

/**
 * The best message of each conversation that names a file: with this line, else the newest one. Conversations in
 * `except` count only with the line.
 */
function mentionsIn(
  told: readonly Told[],
  names: readonly string[],
  { number, except }: { number?: number; except: readonly Source[] },
): Mention[] {
  const name = names.map((path) => basename(path).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')
  const named = new RegExp(`(?:^|[^\\w.-])(?:${name})(?![\\w-])`)
  const line =
    number === undefined ? undefined : new RegExp(`(?:^|[^\\w.-])(?:${name})(?:#L|:)${number}(?!\\d)`)
  const best = new Map<Source, Mention>()
  for (const one of told)
    for (const [index, message] of one.messages.entries()) {
      if (!isTalk(message)) continue
      const text = textOf(message)
      if (!named.test(text)) continue
      const names = line?.test(text) === true ? 'line' : 'file'
      if (names === 'file' && (except.includes(one.source) || best.get(one.source)?.names === 'line'))
        continue
      best.set(one.source, { place: placeOf(one, index), names })
    }
  return [...best.values()].sort(
    (one, other) =>
      Number(other.names === 'line') - Number(one.names === 'line') || other.place.time - one.place.time,
  )
}
