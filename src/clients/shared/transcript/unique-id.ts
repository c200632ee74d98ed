import { sha256 } from '../../../crypto.ts'

/** An id that none of `known` is, made of one that may be, and known from then on. It is the same at every reading. */
export function uniqueAmong(known: Set<string>, id: string): string {
  let unique = id
  while (known.has(unique)) unique = sha256(`${unique}\0again`).slice(0, 32)
  known.add(unique)
  return unique
}
