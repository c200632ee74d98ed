import { basename, join } from 'node:path'
import { countProblems } from '../../conversation/read.ts'
import { committedSize, LARGE_RECORD_BYTES } from '../../conversation/record-size.ts'
import { CortextError } from '../../errors.ts'
import { listInside } from '../../io/inside.ts'
import { contentOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { RECORD, recordFiles } from '../../store/layout.ts'
import { isUnreadable } from '../../store/record/problem.ts'
import { readMessages } from '../../store/record/read-messages.ts'
import { readSummaries } from '../../store/record/summaries.ts'
import type { Entry } from '../../store/scan.ts'
import { byteSize, countOf } from '../../text/count-of.ts'
import { paste } from '../../text/paste.ts'
import { FIXABLE, type Finding, note, ok, problem, some } from './finding.ts'

/**
 * Reports conversations whose folders are gone, that are half made, or that cannot be read (with path and line). Reads
 * every messages.jsonl.
 */
export function conversationFindings(
  entries: readonly Entry[],
  gone: readonly string[],
  unfinished: readonly string[],
): Finding[] {
  const here = entries.filter(({ backupOnly }) => backupOnly !== true)
  const findings = [
    ...goneFindings(gone),
    ...unfinishedFindings(unfinished),
    ...here.flatMap((entry) => [
      ...sessionFinding(entry),
      ...messagesFindings(entry.folder),
      ...summaryFindings(entry.folder),
      ...conflictCopyFindings(entry.folder),
    ]),
  ]
  return findings.length > 0
    ? findings
    : [ok('readable', `${countOf(here.length, 'conversation')}, all readable`)]
}

function goneFindings(gone: readonly string[]): Finding[] {
  if (gone.length === 0) return []
  const which = some(gone.map((path) => basename(path)))
  return [
    problem(
      'gone',
      `${countOf(gone.length, 'conversation')} whose folders are gone (for example after git clean), and which this machine can bring back: ${which}`,
      FIXABLE,
    ),
  ]
}

function unfinishedFindings(paths: readonly string[]): Finding[] {
  if (paths.length === 0) return []
  const what = `${countOf(paths.length, 'conversation')} half made by a program that was killed: ${some(paths)}`
  return [note('unfinished', what, FIXABLE)]
}

function sessionFinding({ problem: found }: Entry): Finding[] {
  return found === undefined ? [] : [problem(`session-${found.code}`, found.message, found.fix)]
}

/**
 * Reports conflicts and unreadable lines in messages.jsonl. Unreadable lines are only a note, because nobody can repair
 * them.
 */
function messagesFindings(folder: string): Finding[] {
  const path = recordFiles(folder).messages
  try {
    const { lines, places, problems } = readMessages(folder)
    const conflict = problems.find(({ kind }) => kind === 'conflict-marker')
    const unreadable = problems.filter(isUnreadable)
    const [first] = unreadable
    const others = countProblems(unreadable) - 1
    return [
      ...(conflict === undefined
        ? []
        : [
            problem(
              'messages-conflict',
              `${path}:${conflict.line} contains a git conflict; the lines of both sides are read`,
              'delete the marker lines of git (<<<<<<<, =======, >>>>>>>), and keep the lines of both sides',
            ),
          ]),
      ...(first === undefined
        ? []
        : [
            note(
              'messages-unreadable',
              `${path}:${first.line} is not a message (${first.kind})${others > 0 ? `, and ${countOf(others, 'more line')}` : ''}; all others are read`,
            ),
          ]),
      ...rivalFindings(path, lines, places),
    ]
  } catch (error) {
    if (!(error instanceof CortextError)) throw error
    return [problem(`messages-${error.code}`, error.message, error.fix)]
  }
}

/**
 * Reports lines that have the same id and different words. Two clones that record the same message write the same
 * words, or one has more of them. Readers take the longer line, so a merged branch could replace what was said.
 */
function rivalFindings(path: string, lines: readonly Message[], places: readonly number[]): Finding[] {
  const first = new Map<string, number>()
  const rivals = lines.flatMap((line, index) => {
    const other = first.get(line.id)
    if (other === undefined) first.set(line.id, index)
    const [before, content] = [contentOf(lines[other ?? index]!), contentOf(line)]
    return content.startsWith(before) || before.startsWith(content) ? [] : [[other!, index] as const]
  })
  const [rival] = rivals
  if (rival === undefined) return []
  const [one, two] = rival.map((index) => places[index]! + 1)
  const others = rivals.length > 1 ? `, and so for ${countOf(rivals.length - 1, 'more line')}` : ''
  return [
    note(
      'messages-rival',
      `${path}:${one} and :${two} are the same message with other words${others}; the longer line is read`,
      paste`git log -p -- ${path}`,
    ),
  ]
}

/**
 * Reports summaries that cannot be read. A new summary costs tokens, so the person decides whether to remove the file.
 */
function summaryFindings(folder: string): Finding[] {
  return readSummaries(folder).problems.map(({ path }) =>
    note('summary-unreadable', `${path} cannot be read; contexts are built without it`, paste`rm ${path}`),
  )
}

/**
 * Reports copies of messages.jsonl that a sync service has made of two states: nobody reads what is said only there.
 * A line that the record has already is read once.
 */
function conflictCopyFindings(folder: string): Finding[] {
  const { messages } = recordFiles(folder)
  return listInside(folder, RECORD.folder, '.jsonl')
    .filter((name) => CONFLICT_COPY.test(name))
    .map((name) => {
      const copy = join(folder, RECORD.folder, name)
      return problem(
        'conflict-copy',
        `${copy} is a conflict copy of a sync service, and what is only in it is not read`,
        // The record may end in a line without its break. Blank lines count as nothing.
        paste`echo | cat - ${copy} >> ${messages} && rm ${copy}`,
      )
    })
}

/** As Dropbox, Syncthing, iCloud and others name them: `(Ada's conflicted copy 2026-11-27)`, `.sync-conflict-…`, ` 2`. */
const CONFLICT_COPY = /^messages(?:.*conflict.*| \d+| \(\d+\)|-[A-Z0-9-]+)\.jsonl$/i

/** Reports large records; names the largest three. Throws `unsafe-path`. */
export function growthFindings(entries: readonly Entry[]): Finding[] {
  const here = entries.filter(({ backupOnly }) => backupOnly !== true)
  const sizes = here.map(({ path, folder }) => ({ path, bytes: committedSize(folder) }))
  const large = sizes.filter(({ bytes }) => bytes >= LARGE_RECORD_BYTES).sort((a, b) => b.bytes - a.bytes)
  if (large.length === 0) return []
  const all = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
  const named = large.slice(0, MAX_NAMED).map(({ path, bytes }) => `${path} (${byteSize(bytes)})`)
  const more =
    large.length > MAX_NAMED
      ? `, and ${large.length - MAX_NAMED} more over ${byteSize(LARGE_RECORD_BYTES)}`
      : ''
  return [
    note(
      'large',
      `${countOf(sizes.length, 'conversation')}, ${byteSize(all)} in all; the largest: ${named.join(', ')}${more}`,
      'to keep less of what tools print: "capture": {"toolOutput": 20000} in .workspace/config.json',
    ),
  ]
}

const MAX_NAMED = 3
