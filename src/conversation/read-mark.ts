import { mayGrow } from '../store/machine/binding.ts'
import { segmentsOf } from '../store/machine/list-bindings.ts'
import { type ReadMark, readPublished } from '../store/machine/published.ts'
import { publishedStamp } from '../store/record/index.ts'
import type { Workspace } from '../workspace/open.ts'
import { sizeOfTranscript } from './transcript-bytes.ts'

/** A hash of all sources, which scripts/build.mjs inserts. */
declare const __SOURCES__: string

/** Returns the mark of the last publishing; undefined when a file of the record has changed since. */
export function markOf(ws: Workspace, path: string, folder: string): ReadMark | undefined {
  const mark = readPublished(ws.local, path)
  return mark?.by === programStamp(ws) ? stillValid(mark, folder) : undefined
}

/**
 * Returns the mark for the files as they are after lines were moved from one file of the record to another: that changes
 * nothing about how far each segment is published. The caller moves the lines under the lock under which it has read
 * the mark, and does not store the result, because the counts of a mark are those before the move.
 */
export function markAfterMove(mark: ReadMark | undefined, folder: string): ReadMark | undefined {
  return mark && { ...mark, record: publishedStamp(folder) }
}

/** Returns a mark if no file of the record has changed since. */
export function stillValid(mark: ReadMark | undefined, folder: string): ReadMark | undefined {
  return mark?.record === publishedStamp(folder) ? mark : undefined
}

/**
 * Returns a stamp that changes when a conversation may have other unpublished messages. It is made of the settings, the
 * record, the segments and the sizes of transcripts.
 */
export function aheadStamp(ws: Workspace, path: string, folder: string): string {
  const segments = segmentsOf(ws.local, path, ws).map(({ binding, segment }) => [
    ...[binding.client, binding.native_id, segment.journal, segment.from, segment.to, segment.pending],
    segment.to === undefined || mayGrow(segment) ? sizeOfTranscript(binding) : undefined,
  ])
  return JSON.stringify([settingsOf(ws), publishedStamp(folder), segments])
}

/**
 * Identifies the program and its settings, because another program or other settings may make other lines from the same
 * transcript.
 */
export function programStamp(ws: Workspace): string {
  const sources = typeof __SOURCES__ === 'string' ? __SOURCES__ : ''
  return `${sources} ${JSON.stringify(settingsOf(ws))}`
}

function settingsOf({ config: { redact, capture } }: Workspace) {
  return [redact, capture.toolOutput, capture.maxInline]
}
