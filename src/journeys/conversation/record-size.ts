import { statSync } from 'node:fs'
import { join } from 'node:path'
import { recordFiles } from '../../store/layout.ts'
import { prunedFilesIn } from '../../store/record/pruned-files.ts'

/** The bytes of a conversation's record in this work tree, and of its pruned lines. */
export function recordSize(folder: string): { messages: number; archive: number } {
  const files = recordFiles(folder)
  const archives = prunedFilesIn(folder).map((archive) => bytesOf(join(files.folder, archive)))
  return { messages: bytesOf(files.messages), archive: archives.reduce((sum, bytes) => sum + bytes, 0) }
}

function bytesOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
