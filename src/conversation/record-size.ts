import { listInside, statInside } from '../io/inside.ts'
import { RECORD } from '../store/layout.ts'
import { prunedFile, prunedFilesIn } from '../store/record/pruned-files.ts'

/** Returns the bytes of a conversation's messages.jsonl, of its pruned lines, and of the talk of its subagents. */
export function recordSize(folder: string): { messages: number; archive: number; subagents: number } {
  const bytesOf = (path: string) => Number(statInside(folder, path)?.size ?? 0)
  const sum = (paths: readonly string[]) => paths.reduce((bytes, path) => bytes + bytesOf(path), 0)
  return {
    messages: bytesOf(RECORD.messages),
    archive: sum(prunedFilesIn(folder).map((archive) => prunedFile({ archive }))),
    subagents: sum(
      listInside(folder, RECORD.subagents, '.jsonl').map((name) => `${RECORD.subagents}/${name}`),
    ),
  }
}

/** From this number of bytes on, a record counts as large (docs/decisions.md). */
export const LARGE_RECORD_BYTES = 5_000_000

/** Returns the bytes of the parts of a conversation's record that grow with the talk and that a commit includes. */
export function committedSize(folder: string): number {
  const { messages, archive, subagents } = recordSize(folder)
  return messages + archive + subagents
}
