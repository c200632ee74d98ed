import { statSync } from 'node:fs'
import { join } from 'node:path'
import { readSegments } from '../../conversation/segments/read-segment.ts'
import type { SegmentContent } from '../../conversation/segments/segment-content.ts'
import { isOurs } from '../../conversation/worktrees.ts'
import { withDefault } from '../../errors.ts'
import { isFileInside, pathInside } from '../../io/inside.ts'
import { newLines } from '../../session/reconcile.ts'
import { fileNameOf, journalPath, RECORD } from '../../store/layout.ts'
import { type Binding, type Segment, updateBinding } from '../../store/machine/binding.ts'
import { removeJournal, removeLeftTemps } from '../../store/machine/forget.ts'
import { listGenerations } from '../../store/machine/journal/journal.ts'
import { listBindings } from '../../store/machine/list-bindings.ts'
import { writeLog } from '../../store/machine/log.ts'
import { forgetPublished } from '../../store/machine/published.ts'
import { readRecord } from '../../store/record/index.ts'
import { readMessages } from '../../store/record/read-messages.ts'
import { isCommitted } from '../../workspace/git/index.ts'
import type { Workspace } from '../../workspace/open.ts'

const DAY = 24 * 60 * 60_000

/** The raw copy of a session that ended so long ago that the copy may be removed. */
export interface OldJournal {
  binding: Binding
  bytes: number
}

/**
 * Returns the journals that are older than the setting `journal.keepDays` allows. All segments of such a journal have
 * ended and, according to the bindings, are published to their ends. Returns none in a private workspace: git has no
 * copy of its conversations, so only a journal can restore them.
 */
export function oldJournals(
  ws: Workspace,
  bindings: readonly Binding[] = listBindings(ws.local, ws),
): OldJournal[] {
  const { keepDays } = ws.config.journal
  if (keepDays === 0 || ws.config.visibility === 'private') return []
  const before = ws.environment.now().getTime() - keepDays * DAY
  return bindings.flatMap((binding) => {
    const generations = listGenerations(journalPath(ws.local, binding.client, binding.native_id))
    const bytes = generations.reduce((sum, { size }) => sum + size, 0)
    const touched = Math.max(...generations.map(({ path }) => modified(path)))
    const old = touched < before && binding.segments.every((segment) => isOld(segment, before))
    return bytes > 0 && old && isOurs(ws, binding) ? [{ binding, bytes }] : []
  })
}

function isOld({ to, from, published_to, ended_at, tidied }: Segment, before: number): boolean {
  const published = tidied === true || (to !== undefined && (published_to ?? from) >= to)
  return published && Date.parse(ended_at ?? '') < before
}

/**
 * Removes old journals of at most `maxSessions` sessions. First compares their messages with the record, and removes a
 * journal only if all of its messages are in the record and committed. Returns the removed journals. Throws nothing:
 * what cannot be removed stays and is logged.
 */
export async function tidyJournals(
  ws: Workspace,
  maxSessions = Number.POSITIVE_INFINITY,
): Promise<OldJournal[]> {
  const gone: OldJournal[] = []
  for (const old of oldJournals(ws).slice(0, maxSessions))
    try {
      if (await isInRecord(ws, old.binding)) gone.push(...remove(ws, old))
    } catch (error) {
      writeLog(
        ws.local,
        `tidying ${old.binding.native_id}: ${error instanceof Error ? error.message : error}`,
      )
    }
  return gone
}

/** Removes the temporary files that killed processes have left in the local folder and beside the conversations. */
export function tidyTemps({ root, local, types }: Workspace): void {
  removeLeftTemps(local)
  // A link may be in the place of the folder.
  for (const folder of new Set([...types.values()].map((type) => type.folder).concat('.workspace')))
    withDefault(undefined, () => removeLeftTemps(pathInside(root, folder)))
}

/** Removes a journal. Marks the binding `tidied` first, so that a kill between the two steps only wastes disk space. */
function remove(ws: Workspace, old: OldJournal): OldJournal[] {
  const { client, native_id: nativeId, segments } = old.binding
  const segmentsBefore = JSON.stringify(segments)
  const changed = updateBinding(ws.local, client, nativeId, (now) =>
    // The session may have continued in the meantime.
    now === undefined || JSON.stringify(now.segments) !== segmentsBefore
      ? now
      : { ...now, segments: now.segments.map((segment) => ({ ...segment, tidied: true })) },
  )
  if (changed?.segments.every(({ tidied }) => tidied === true) !== true) return []
  removeJournal(ws.local, client, nativeId)
  for (const { conversation } of segments) forgetPublished(ws.local, conversation)
  return [old]
}

async function isInRecord(ws: Workspace, binding: Binding): Promise<boolean> {
  const left = binding.segments.filter(({ tidied }) => tidied !== true)
  for (const path of new Set(left.map(({ conversation }) => conversation))) {
    if (!isFileInside(ws.root, `${path}/${RECORD.messages}`)) return false
    const own = readSegments(ws, path).filter(
      ({ binding: { client, native_id } }) => client === binding.client && native_id === binding.native_id,
    )
    if (!own.every(({ content }) => recordHas(pathInside(ws.root, path), content))) return false
    // Commits leave out attachments; `recordHas` has checked that they are on disk.
    const files = [RECORD.session, RECORD.messages, RECORD.archive, RECORD.subagents]
    const committed = await isCommitted(
      ws,
      files.map((file) => `${path}/${file}`),
    )
    if (!committed) return false
  }
  return true
}

/** Whether the record has every message that the journal has, with subagents and attachments. */
function recordHas(folder: string, { read, subagents, blobs }: SegmentContent): boolean {
  const { lines, pruned } = readRecord(folder)
  return (
    newLines([...lines, ...pruned.values()], read.messages).length === 0 &&
    Object.entries(subagents).every(([call, said]) => {
      const file = `${RECORD.subagents}/${fileNameOf(call)}.jsonl`
      return newLines(readMessages(folder, file).lines, said).length === 0
    }) &&
    [...blobs.keys()].every((sha256) => isFileInside(folder, join(RECORD.attachments, sha256)))
  )
}

function modified(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
}
