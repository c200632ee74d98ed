import type { SessionFile } from '../../session/schema.ts'
import { keepBesideDocument, readDocument, writeDocument } from '../../workspace/folder.ts'
import type { Past } from './past.ts'

interface Place {
  path: string
  session: SessionFile
}

/** What git's history knows: of each conversation in the common folder, and since then in each one's own. */
interface Versions {
  past: ReadonlyMap<string, Past>
  own: readonly ReadonlySet<string>[]
}

/**
 * Gives each conversation its document, as git's history knows it; where it does not, each has what lies there. What a
 * person has written since stays: nothing is replaced that is not one of the versions which git knows, or a conflict.
 */
export function divideDocument(
  root: string,
  [kept, ...moved]: readonly Place[],
  type: string,
  { past, own: since }: Versions,
): void {
  if (kept === undefined) return
  const documentsOf = ({ session }: Place) => past.get(session.origin!)?.documents ?? []
  const present = readDocument(root, kept.path, type)
  for (const [at, place] of moved.entries()) {
    const documents = documentsOf(place)
    const own = documents[0] ?? present
    const there = readDocument(root, place.path, type)
    if (own === undefined || there === own || since[at]?.has(own) === true) continue
    if (there === undefined || documents.includes(there)) writeDocument(root, place.path, type, own)
    else keepBesideDocument(root, place.path, type, own)
  }
  const own = documentsOf(kept)[0]
  const isAnother = present !== undefined && moved.some((place) => documentsOf(place).includes(present))
  if (own !== undefined && present !== undefined && (isAnother || CONFLICT.test(present)))
    writeDocument(root, kept.path, type, own)
}

const CONFLICT = /^<{7} [\s\S]*^={7}$[\s\S]*^>{7} /m
