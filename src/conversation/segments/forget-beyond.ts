import { journalPath } from '../../store/layout.ts'
import type { Binding } from '../../store/machine/binding.ts'
import { removeJournal } from '../../store/machine/forget.ts'
import { blankJournal } from '../../store/machine/journal/blank-journal.ts'
import { listGenerations, readJournal } from '../../store/machine/journal/journal.ts'
import { ownParts } from './restarted.ts'

/**
 * Removes from the journal of a native session what belongs to no conversation of `binding`, or the whole journal if
 * nothing does. Throws `unwritable` and the like.
 */
export function forgetBeyond(local: string, binding: Binding): void {
  const { client, native_id, segments } = binding
  if (segments.every(({ from, to }) => to === from)) {
    removeJournal(local, client, native_id)
    return
  }
  const generations = listGenerations(journalPath(local, client, native_id))
  const read = (name: string) => {
    const found = generations.find((one) => one.name === name)
    return found === undefined ? Buffer.alloc(0) : readJournal(found.path)
  }
  const kept = segments.flatMap((one) =>
    one.restarted === true ? ownParts(binding, one, { generations, read }) : one,
  )
  blankJournal(local, { client, native_id }, kept)
}
