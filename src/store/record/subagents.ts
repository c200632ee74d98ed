import { dirname, join } from 'node:path'
import { ensureFolder } from '../../io/ensure-folder.ts'
import { newLines } from '../../session/reconcile.ts'
import type { Message } from '../../session/schema.ts'
import { fileNameOf, recordFiles } from '../layout.ts'
import { appendLines } from './append-lines.ts'
import { readMessages } from './messages.ts'

/**
 * Appends what subagents said to their files in a conversation folder, by the id of the call that started them. Lines
 * that are there are not written again. Throws `disk-full`, `unwritable`, `unreadable` or `unsafe-path`.
 */
export function appendSubagents(
  folder: string,
  subagents: Readonly<Record<string, readonly Message[]>>,
): void {
  const { subagents: where } = recordFiles(folder)
  for (const [call, said] of Object.entries(subagents)) {
    if (said.length === 0) continue
    ensureFolder(dirname(folder), where, 0o755)
    const file = join(where, `${fileNameOf(call)}.jsonl`)
    const lines = newLines(readMessages(file).lines, said)
    appendLines(
      file,
      lines.map((message) => JSON.stringify(message)),
    )
  }
}
