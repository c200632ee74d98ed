import { dirname } from 'node:path'
import { ensureFolder } from '../../io/ensure-folder.ts'
import type { Message } from '../../session/schema.ts'
import { recordFiles } from '../layout.ts'
import { appendLines } from './append-lines.ts'

/**
 * Appends messages to the record of a conversation folder. If git took the folder away, it is made again. Throws the
 * errors of appendLines.
 */
export function appendMessages(folder: string, messages: readonly Message[]): void {
  const files = recordFiles(folder)
  ensureFolder(dirname(folder), files.folder, 0o755)
  appendLines(
    files.messages,
    messages.map((message) => JSON.stringify(message)),
  )
}
