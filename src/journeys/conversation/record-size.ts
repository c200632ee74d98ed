import { statInside } from '../../io/inside.ts'
import { RECORD } from '../../store/layout.ts'
import { prunedFile, prunedFilesIn } from '../../store/record/pruned-files.ts'

/** The bytes of a conversation's record in this work tree, and of its pruned lines. */
export function recordSize(folder: string): { messages: number; archive: number } {
  const bytesOf = (path: string) => Number(statInside(folder, path)?.size ?? 0)
  const archives = prunedFilesIn(folder).map((archive) => bytesOf(prunedFile({ archive })))
  return { messages: bytesOf(RECORD.messages), archive: archives.reduce((sum, bytes) => sum + bytes, 0) }
}
