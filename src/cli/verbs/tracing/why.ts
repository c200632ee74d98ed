import {
  type CommittedIn,
  fileAndLine,
  type Mention,
  type WhyFile,
  type WhyLine,
  whyFile,
  whyLine,
} from '../../../extras/why/index.ts'
import type { Environment } from '../../../io/environment.ts'
import { listConversations } from '../../../journeys/finding/list.ts'
import { countOf } from '../../../text/count-of.ts'
import { oneLine, shortLine } from '../../../text/line.ts'
import { localTime } from '../../../text/local-time.ts'
import { openWorkspace } from '../../../workspace/open.ts'
import { look } from '../../first-step.ts'
import { note, sayJson, sayWrapped } from '../../print.ts'
import { notSavedNotes } from '../list/not-saved-notes.ts'
import { headOf, idAndNameOf, passageOf, placeAsJson } from './places.ts'

export async function whyVerb(
  environment: Environment,
  place: string,
  { json }: { json?: boolean },
): Promise<void> {
  const ws = openWorkspace(environment)
  await look(ws)
  // If a session is in no conversation, its edits are unknown here, so a note lists such sessions.
  note((await notSavedNotes(ws, listConversations(ws).conversations)).lines)
  const { file, line } = fileAndLine(ws, place)
  if (line === undefined) {
    const why = await whyFile(ws, file)
    return json === true ? sayJson(fileAsJson(why)) : sayWrapped(fileLines(why))
  }
  const why = await whyLine(ws, file, line)
  return json === true ? sayJson(lineAsJson(why)) : sayWrapped(lineLines(why))
}

function lineLines(why: WhyLine): string[] {
  const { file, line, same, committed } = why
  const { by, commit } = line
  return [
    `${oneLine(file)}:${line.number}  ${shortLine(line.text.trim(), 100)}`,
    commit === undefined
      ? '  is not in the last commit'
      : `  came with ${commit.sha.slice(0, 9)} ${shortLine(commit.subject, 80)} (${oneLine(commit.author)}, ${localTime(commit.time).slice(0, 10)})`,
    ...committed.map((one) => `  ${committedLine(one)}`),
    '',
    ...(by === undefined
      ? whyUnknown(why).map((line) => `  ${line}`)
      : [`  Written by ${headOf(by.place.source)}, ${localTime(by.place.time)}`, ...passageOf(by.place)]),
    ...same.flatMap(({ place }) => [
      `  The same line was also written by ${headOf(place.source)}, ${localTime(place.time)}`,
      ...passageOf(place),
    ]),
    ...mentionLines(why.mentions),
  ]
}

function committedLine({ how, source }: CommittedIn): string {
  const { name } = idAndNameOf(source)
  return how === 'made in it' ? `the commit was made in ${name}` : `the commit saved ${name}`
}

/** Sentences that say why no conversation is named. */
function whyUnknown({ committed, trivial, withoutText }: WhyLine): string[] {
  const made = committed.some(({ how }) => how === 'made in it')
  return [
    `No conversation is known to have written it: ${
      trivial
        ? 'a line this short or common is in many places, and the edits around it do not show who wrote it.'
        : 'no recorded edit contains it like this.'
    }`,
    made
      ? 'Its commit was made in a conversation. A command there may have written it (sed, a formatter), or a person.'
      : 'A person may have written or changed it, or a command that was run (sed, a formatter).',
    ...(withoutText === 0
      ? []
      : [`${countOf(withoutText, 'edit')} of the file are recorded without their text.`]),
  ]
}

const MAX_MENTIONS = 5

function mentionLines(mentions: readonly Mention[]): string[] {
  const more = mentions.length - MAX_MENTIONS
  return [
    ...(mentions.length === 0 ? [] : ['', '  Mentioned in']),
    ...mentions
      .slice(0, MAX_MENTIONS)
      .flatMap(({ place, names }) => [
        `   ${headOf(place.source)}, ${localTime(place.time)}${names === 'line' ? ', which names the line by its number at that time' : ''}`,
        ...passageOf(place),
      ]),
    ...(more > 0 ? [`   … and ${more} more; all of them: --json`] : []),
  ]
}

function fileLines(why: WhyFile): string[] {
  const { file, there, lines, editors, withoutText } = why
  const own = editors.reduce((sum, { ranges }) => sum + countIn(ranges), 0)
  return [
    `${oneLine(file)}${there ? `: ${countOf(lines, 'line')}, ${own} of them written in conversations` : ' is not there any more'}`,
    ...(editors.length === 0 ? ['  No conversation is known to have written it.'] : []),
    ...editors.flatMap(({ source, edits, ranges, last }) => [
      `  ${headOf(source)}, ${localTime(last.place.time)}: ${countOf(edits, 'edit')}, ${countOf(countIn(ranges), 'line')}${ranges.length === 0 ? '' : ` (${rangesLine(ranges)})`}`,
      ...passageOf(last.place),
    ]),
    ...(withoutText === 0 ? [] : [`  Without their text: ${countOf(withoutText, 'edit')}.`]),
    ...mentionLines(why.mentions),
  ]
}

function countIn(ranges: WhyFile['editors'][number]['ranges']): number {
  return ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0)
}

const MAX_RANGES = 8

function rangesLine(ranges: WhyFile['editors'][number]['ranges']): string {
  const shown = ranges.slice(0, MAX_RANGES).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`))
  return [...shown, ...(ranges.length > MAX_RANGES ? ['…'] : [])].join(', ')
}

function lineAsJson(why: WhyLine) {
  const { file, line, committed, same, trivial, withoutText, mentions } = why
  const { by, commit } = line
  return {
    ...{ file, line: line.number, text: line.text },
    wrote: by === undefined ? null : placeAsJson(by.place),
    same_text: same.map(({ place }) => placeAsJson(place)),
    commit: commit === undefined ? null : commitAsJson(commit, committed),
    unknown: by === undefined ? whyUnknown(why).join(' ') : null,
    ...{ trivial, edits_without_text: withoutText },
    discussed: mentionsAsJson(mentions),
  }
}

function commitAsJson(
  { sha, author, time, subject }: NonNullable<WhyLine['line']['commit']>,
  committed: readonly CommittedIn[],
) {
  const conversations = committed.map(({ source, how, place }) => ({
    ...idAndNameOf(source),
    ...{ path: source.path, how, at: place?.at },
  }))
  return { sha, author, time: new Date(time).toISOString(), subject, conversations }
}

function fileAsJson(why: WhyFile) {
  const { file, there, lines, editors, withoutText, mentions } = why
  return {
    ...{ file, there, lines },
    conversations: editors.map(({ edits, ranges, last }) => ({
      ...placeAsJson(last.place),
      ...{ edits, lines: ranges },
    })),
    edits_without_text: withoutText,
    discussed: mentionsAsJson(mentions),
  }
}

function mentionsAsJson(mentions: readonly Mention[]) {
  return mentions.map(({ place, names }) => ({ ...placeAsJson(place), names }))
}
