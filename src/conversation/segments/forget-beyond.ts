import type { Message } from '../../session/schema.ts'
import { journalPath } from '../../store/layout.ts'
import type { Binding } from '../../store/machine/binding.ts'
import { removeJournal } from '../../store/machine/forget.ts'
import { blankJournal, type KeptPart } from '../../store/machine/journal/blank-journal.ts'
import { readForgotten, writeForgotten } from '../../store/machine/journal/forgotten.ts'
import { listGenerations, readJournal } from '../../store/machine/journal/journal.ts'
import { messagesIn, offsetOf } from './messages-in.ts'

/**
 * Removes from the journal of a native session what belongs to no conversation of `binding`, or the whole journal if
 * nothing does. Notes whose messages these were, because the client's transcript still has them. Throws `unwritable`
 * and the like.
 */
export function forgetBeyond(local: string, binding: Binding): void {
  const { client, native_id, segments } = binding
  if (segments.every(({ from, to }) => to === from)) {
    removeJournal(local, client, native_id)
    return
  }
  const native = { client, nativeId: native_id }
  const before = readForgotten(local, binding)
  const highest: Record<string, number> = { ...before.highest }
  const seen = new Set(before.ids)
  const own = new Set<string>()
  const kept: KeptPart[] = []
  for (const [index, { name, path }] of listGenerations(journalPath(local, client, native_id)).entries()) {
    const bytes = readJournal(path)
    for (const segment of segments.filter(({ journal }) => journal === name)) {
      // An import gets all that it names, and only the import does.
      if (segment.how === 'import') {
        kept.push(segment)
        continue
      }
      // What a rewritten transcript repeats is in an earlier generation.
      const news = messagesIn(native, bytes, segment.from, segment.to).filter(({ id }) => !seen.has(id))
      for (const { id } of news) own.add(id)
      kept.push(index === 0 ? segment : { ...segment, from: beginOf(bytes, segment, news) })
    }
    for (const { id, seq = 0 } of messagesIn(native, bytes)) {
      seen.add(id)
      highest[name] = Math.max(highest[name] ?? 0, seq)
    }
  }
  const ids = new Set([...seen].filter((id) => !own.has(id)))
  // The note comes first: a publishing that has read the journal before it was blanked reads the note after that.
  writeForgotten(local, binding, { ids, highest })
  blankJournal(local, binding, kept)
}

/** Where the new messages of a segment begin; its last line, which the client may not have ended, if there are none. */
function beginOf(bytes: Uint8Array, { from, to = bytes.length }: KeptPart, news: readonly Message[]): number {
  const ended = Buffer.from(bytes.buffer, bytes.byteOffset, to).lastIndexOf('\n') + 1
  if (news.length === 0) return Math.max(from, ended)
  // Claude Code writes some answers above their prompts.
  const offsets = news.slice(0, 20).map((message) => offsetOf(bytes, message) ?? from)
  return Math.max(from, Math.min(...offsets))
}
