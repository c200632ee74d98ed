import type { Message } from '../../session/schema.ts'
import { journalPath } from '../../store/layout.ts'
import type { Binding } from '../../store/machine/binding.ts'
import { removeJournal } from '../../store/machine/forget.ts'
import { blankJournal, type KeptPart } from '../../store/machine/journal/blank-journal.ts'
import { readForgotten, writeForgotten } from '../../store/machine/journal/forgotten.ts'
import { listGenerations, readJournal } from '../../store/machine/journal/journal.ts'
import { messagesIn } from './messages-in.ts'
import { type Numbered, seqsOf } from './restarted.ts'

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
  const generations: Numbered[] = []
  const seen = new Set(before.seqs.keys())
  const own = new Set<string>()
  const kept: KeptPart[] = []
  for (const [index, { name, path }] of listGenerations(journalPath(local, client, native_id)).entries()) {
    const bytes = readJournal(path)
    const all = messagesIn(native, bytes).map(({ id, seq }) => ({ id, seq }))
    for (const segment of segments.filter(({ journal }) => journal === name)) {
      // An import gets all that it names, and only the import does.
      if (segment.how === 'import') {
        kept.push(segment)
        continue
      }
      // What a rewritten transcript repeats is whose it was in an earlier generation.
      const said = messagesIn(native, bytes, segment.from, segment.to)
      for (const { id } of said) if (!seen.has(id)) own.add(id)
      kept.push(...(index === 0 ? [segment] : ownLines(bytes, segment, said, own)))
    }
    generations.push({ name, all })
    for (const { id } of all) seen.add(id)
    highest[name] = all.reduce((most, { seq = 0 }) => Math.max(most, seq), highest[name] ?? 0)
  }
  const seqs = new Map([...seqsOf(generations, { ...before, highest }).seqs].filter(([id]) => !own.has(id)))
  // The note comes first: a publishing that has read the journal before it was blanked reads the note after that.
  writeForgotten(local, binding, { seqs, highest })
  blankJournal(local, binding, kept)
}

/**
 * The parts of a segment whose lines say what is `own`, with what the client has written between them and after the last
 * one. The last line stays in any case, because the client may not have ended it.
 */
function ownLines(
  bytes: Uint8Array,
  segment: KeptPart,
  said: readonly Message[],
  own: ReadonlySet<string>,
): KeptPart[] {
  const { journal, from, to = bytes.length } = segment
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // An older form is one object over many lines, whose messages have no line of their own.
  if (!isOfLines(buffer) || said.some(({ seq }) => seq === undefined)) return [segment]
  const isOwn = new Map<number, boolean>()
  for (const { id, seq = 0 } of said) {
    const line = Math.floor(seq)
    isOwn.set(line, own.has(id) || isOwn.get(line) === true)
  }
  const parts: KeptPart[] = []
  let begin: number | undefined
  let lastOwn = from
  for (let start = 0, number = 0; start < to; number += 1) {
    const found = buffer.indexOf(LINE_END, start)
    const end = found === -1 ? to : found + 1
    const mark = start < from ? undefined : isOwn.get(number)
    if (mark === true) {
      begin ??= start
      lastOwn = end
    } else if (mark === false && begin !== undefined) {
      parts.push({ journal, from: begin, to: lastOwn })
      begin = undefined
    }
    start = end
  }
  begin ??= Math.max(from, buffer.lastIndexOf(LINE_END, to - 1) + 1)
  return [...parts, { ...segment, from: begin }]
}

const LINE_END = 0x0a

/** Whether the first line that is not blank is JSON by itself. */
function isOfLines(buffer: Buffer): boolean {
  for (let start = 0; start < buffer.length; ) {
    const found = buffer.indexOf(LINE_END, start)
    const end = found === -1 ? buffer.length : found
    if (end > start && buffer[start] === OPEN) return buffer[end - 1] === CLOSE
    start = end + 1
  }
  return true
}

const [OPEN, CLOSE] = [0x7b, 0x7d]
