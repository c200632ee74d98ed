import { existsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readerOf } from '../../clients/index.ts'
import { isOurs } from '../../conversation/worktrees.ts'
import { listNames } from '../../io/list-names.ts'
import { generationPath, localFiles } from '../../store/layout.ts'
import { type Binding, liveSegment } from '../../store/machine/binding.ts'
import { sizeOf } from '../../store/machine/journal/copy-bytes.ts'
import { type HeldLock, listLocks } from '../../store/machine/locks/lock.ts'
import { readLog } from '../../store/machine/log.ts'
import { byteSize, countOf } from '../../text/count-of.ts'
import { paste } from '../../text/paste.ts'
import { relativeTime } from '../../text/relative-time.ts'
import type { Workspace } from '../../workspace/open.ts'
import { recordedNotSaved } from '../not-saved/recorded.ts'
import { oldJournals } from '../recording/tidy.ts'
import { FIXABLE, type Finding, note, ok, problem } from './finding.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/**
 * Checks whether sessions are recorded, and whether turns are not saved yet. `conversations` are the paths of all
 * conversations.
 */
export function recordingFindings(
  ws: Workspace,
  { bindings, broken }: { bindings: Binding[]; broken: string[] },
  conversations: ReadonlySet<string>,
): Finding[] {
  const ours = bindings.filter((binding) => isOurs(ws, binding))
  const findings = [
    ...logFindings(ws),
    ...brokenFindings(broken),
    ...ours.flatMap((binding) => liveFindings(ws, binding, conversations)),
    ...recordedFindings(ws, ours),
    ...listLocks(ws.local).flatMap((lock) => lockFinding(ws, lock)),
    ...journalFindings(ws, bindings),
  ]
  return findings.length > 0 ? findings : [ok('recording', 'nothing has failed, and nothing is left to save')]
}

/**
 * Reports the failures of the last week. They are a problem if nothing was recorded after the last one, else a note.
 */
function logFindings(ws: Workspace): Finding[] {
  const now = ws.environment.now()
  const failures = readLog(ws.local).filter(({ at }) => now.getTime() - at.getTime() < 7 * DAY)
  const last = failures.at(-1)
  if (last === undefined) return []
  const what = `${last.what.split(/ {2,}at /)[0]}`.slice(0, 200)
  const message = `${countOf(failures.length, 'failure')} in the last week; the last ${relativeTime(last.at, now)}: ${what}`
  const log = paste`tail ${localFiles(ws.local).log}`
  return last.at.getTime() > lastRecorded(ws)
    ? [problem('failed', `${message}; nothing was recorded since`, log)]
    : [note('failed-once', `${message}; recording has continued since`, log)]
}

function lastRecorded({ local }: Workspace): number {
  const { journal } = localFiles(local)
  const files = listNames(journal, '').flatMap((client) =>
    listNames(join(journal, client), '').map((name) => join(journal, client, name)),
  )
  return files.reduce(
    (last, file) => Math.max(last, statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0),
    0,
  )
}

/** Reports broken bindings. Leaves out a binding that has a newer, whole file. */
function brokenFindings(broken: readonly string[]): Finding[] {
  return broken
    .filter((path) => !path.endsWith('.broken') || sizeOf(path.replace(/\.broken$/, '')) === undefined)
    .map((path) => {
      const [, client, id] = /^([a-z]+)-(.+?)\.json/.exec(basename(path)) ?? []
      return problem(
        'broken-binding',
        `${path} cannot be read, so cortext does not know the conversation of a session; the session is not recorded any more`,
        client === undefined || id === undefined
          ? 'cortext import <client> <id>'
          : paste`cortext import ${client} ${id}`,
      )
    })
}

/**
 * Reports a live segment whose conversation or transcript is gone, or in which nothing was said for a day after a
 * resume.
 */
function liveFindings(ws: Workspace, binding: Binding, conversations: ReadonlySet<string>): Finding[] {
  const segment = liveSegment(binding)
  if (segment === undefined) return []
  const { conversation } = segment
  const stop = paste`cortext stop ${conversation}`
  if (!conversations.has(conversation) && !existsSync(join(ws.root, conversation)))
    return [
      problem(
        'lost-conversation',
        `a session is bound to ${conversation}, which is not there`,
        // Its words go into a conversation of their own.
        paste`cortext import ${binding.client} ${binding.native_id}`,
      ),
    ]
  const journal = sizeOf(generationPath(ws.local, binding.client, segment.journal)) ?? 0
  const age = ws.environment.now().getTime() - Date.parse(segment.started_at)
  const { name } = readerOf(binding.client)
  if (sizeOf(binding.transcript) === undefined && (journal > 0 || age > DAY))
    return [
      problem(
        'transcript-gone',
        `the transcript of ${name} that ${conversation} is recorded from has vanished: ${binding.transcript}; the copy up to then is kept`,
        stop,
      ),
    ]
  if (segment.pending === true && age > DAY)
    return [note('no-turn', `${conversation} was resumed in ${name}, and nothing was said since`, stop)]
  return []
}

function recordedFindings(ws: Workspace, bindings: readonly Binding[]): Finding[] {
  return recordedNotSaved(ws, bindings).map(({ conversation, client, why }) => {
    const { name } = readerOf(client)
    const message = {
      idle: `${conversation} has turns that are not saved into it yet`,
      ended: `${conversation} has turns of an ended session of ${name} that were not saved into it`,
      missed: `${name} ran no hook for turns of ${conversation}, so these turns are not recorded yet`,
      killed: `${conversation} was open in ${name} when the client ended, and no hook said so; it still counts as open`,
    }[why]
    return why === 'idle' || why === 'killed'
      ? note(`unpublished-${why}`, message, FIXABLE)
      : problem(`unpublished-${why}`, message, FIXABLE)
  })
}

function journalFindings(ws: Workspace, bindings: readonly Binding[]): Finding[] {
  const old = oldJournals(ws, bindings)
  if (old.length === 0) return []
  const size = byteSize(old.reduce((sum, { bytes }) => sum + bytes, 0))
  return [
    note(
      'old-journals',
      `the raw copies of ${countOf(old.length, 'session')} (${size}, not redacted) are old: those that are in the record and committed are removed when a session ends`,
      FIXABLE,
    ),
  ]
}

function lockFinding(ws: Workspace, { path, pid, since, stale, wayOut }: HeldLock): Finding[] {
  if (stale) return [note('stale-lock', `a process that has ended left its lock: ${path}`, FIXABLE)]
  const age = ws.environment.now().getTime() - Date.parse(since)
  if (age >= 0 && age < MINUTE) return []
  return [problem('held-lock', `process ${pid} has held ${path} since ${since}`, wayOut)]
}
