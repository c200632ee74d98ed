import { newLines } from '../../session/reconcile.ts'
import type { Message } from '../../session/schema.ts'
import { fileNameOf, RECORD } from '../layout.ts'
import { appendLines } from './append-lines.ts'
import { readMessages } from './messages.ts'

/**
 * Appends what subagents said to their files in a conversation folder. The keys of `subagents` are the ids of the tool
 * calls that started them. Lines that a file already has are not written again. Throws `disk-full`, `unwritable`,
 * `unreadable` or `unsafe-path`.
 */
export function appendSubagents(
  folder: string,
  subagents: Readonly<Record<string, readonly Message[]>>,
): void {
  for (const [call, messages] of Object.entries(subagents)) {
    if (messages.length === 0) continue
    const file = `${RECORD.subagents}/${fileNameOf(call)}.jsonl`
    const lines = newLines(readMessages(folder, file).lines, messages)
    appendLines(
      folder,
      file,
      lines.map((json) => ({ json })),
    )
  }
}
