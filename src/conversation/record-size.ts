import { listInside, statInside } from '../io/inside.ts'
import { RECORD } from '../store/layout.ts'
import { prunedFile, prunedFilesIn } from '../store/record/pruned-files.ts'

/** The bytes of a conversation's record in this work tree, of its pruned lines, and of what its subagents said. */
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

/** From so many bytes on a record is large enough to tell of (docs/decisions.md). */
export const LARGE = 5_000_000

/** The bytes of all that git has of a conversation's record. */
export function committedSize(folder: string): number {
  const { messages, archive, subagents } = recordSize(folder)
  return messages + archive + subagents
}
