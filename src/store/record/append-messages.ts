import { dirname } from 'node:path'
import { ensureFolder } from '../../io/ensure-folder.ts'
import type { Message } from '../../session/schema.ts'
import { recordFiles } from '../layout.ts'
import { appendLines } from './append-lines.ts'

/** Appends messages to the record of a conversation folder, which is made where git took it away. Throws as appendLines does. */
export function appendMessages(folder: string, messages: readonly Message[]): void {
  const files = recordFiles(folder)
  ensureFolder(dirname(folder), files.folder, 0o755)
  appendLines(
    files.messages,
    messages.map((message) => JSON.stringify(message)),
  )
}
