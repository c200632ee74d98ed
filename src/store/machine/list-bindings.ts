import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { listNames } from '../../io/list-names.ts'
import { localFiles } from '../layout.ts'
import {
  type Binding,
  liveSegment,
  peekBindingFile,
  readBindingFile,
  type Segment,
  updateBinding,
} from './binding.ts'
import { openFileIndex } from './indexes/file-index.ts'

/** With `mayWrite: false` nothing is written, and broken files stay where they are. */
export interface Looking {
  readonly mayWrite?: boolean
}

/**
 * All bindings of this workspace on this machine, in all its worktrees. Ten thousand take a tenth of a second, because
 * an index has the contents of unchanged files. Broken files are renamed to `….broken` and logged.
 */
export function listBindings(local: string, { mayWrite = true }: Looking = {}): Binding[] {
  const { bindings: folder, bindingIndex } = localFiles(local)
  const index = openFileIndex<Binding | undefined>(local, bindingIndex, [readBindingFile])
  const read = (path: string) => (mayWrite ? readBindingFile(local, path) : intact(peekBindingFile(path)))
  const bindings: Binding[] = []
  for (const name of listNames(folder, '.json')) {
    const path = `${folder}/${name}`
    const stats = lstatSync(path, { throwIfNoEntry: false })
    const binding = stats?.isFile() ? index.look(name, stats, () => read(path)) : undefined
    if (binding !== undefined) bindings.push(binding)
  }
  if (mayWrite) index.save()
  return bindings
}

function intact(binding: Binding | 'broken' | undefined): Binding | undefined {
  return binding === 'broken' ? undefined : binding
}

/** All bindings, and the paths of files that are not a binding (`broken`). Writes nothing and uses no index. */
export function surveyBindings(local: string): { bindings: Binding[]; broken: string[] } {
  const { bindings: folder } = localFiles(local)
  const bindings: Binding[] = []
  const broken = listNames(folder, '.broken').map((name) => join(folder, name))
  for (const name of listNames(folder, '.json')) {
    const path = join(folder, name)
    const binding = peekBindingFile(path)
    if (binding === 'broken') broken.push(path)
    else if (binding !== undefined) bindings.push(binding)
  }
  return { bindings, broken }
}

/** A segment with the binding that it is in. */
export interface BoundSegment {
  binding: Binding
  segment: Segment
}

/**
 * The segments of one conversation (workspace-relative path). Segments of the same binding are together, in their
 * order.
 */
export function segmentsOf(local: string, conversation: string, looking?: Looking): BoundSegment[] {
  return segmentsIn(listBindings(local, looking), (segment) => segment.conversation === conversation)
}

/** The live segments of all conversations. */
export function listLive(local: string, looking?: Looking): BoundSegment[] {
  return liveSegmentsIn(listBindings(local, looking))
}

export function liveSegmentsIn(bindings: readonly Binding[]): BoundSegment[] {
  return segmentsIn(bindings, (segment, binding) => segment === liveSegment(binding))
}

function segmentsIn(
  bindings: readonly Binding[],
  isWanted: (segment: Segment, binding: Binding) => boolean,
): BoundSegment[] {
  return bindings.flatMap((binding) =>
    binding.segments.filter((segment) => isWanted(segment, binding)).map((segment) => ({ binding, segment })),
  )
}

/** Notes that the segments of a conversation in one journal generation are published up to the offset `to`. */
export function markPublishedTo(
  local: string,
  binding: Binding,
  { conversation, journal }: Segment,
  to: number,
): void {
  const isConcerned = (segment: Segment) =>
    segment.conversation === conversation && segment.journal === journal
  if (
    binding.segments.every(
      (segment) => !isConcerned(segment) || publishedOffset(segment, to) === segment.published_to,
    )
  )
    return
  updateBinding(local, binding.client, binding.native_id, (now) =>
    now === undefined
      ? undefined
      : {
          ...now,
          segments: now.segments.map((segment) =>
            isConcerned(segment)
              ? { ...segment, published_to: publishedOffset(segment, to), saved_at: new Date().toISOString() }
              : segment,
          ),
        },
  )
}

function publishedOffset(segment: Segment, to: number): number {
  return Math.max(segment.published_to ?? segment.from, Math.min(segment.to ?? to, to))
}
