import type { Bundle } from './bundle.ts'

type Bundles = ReadonlyMap<string, Bundle>

/** The names of the bundles that no other one includes. */
export function headsOf(bundles: Bundles): string[] {
  const older = new Set(
    [...bundles].flatMap(([name, { includes }]) => includes.filter((one) => one !== name)),
  )
  return [...bundles.keys()].filter((name) => !older.has(name))
}

/** These bundles, and all that they include. */
export function allIn(names: readonly string[], bundles: Bundles): Set<string> {
  const all = new Set(names)
  // A set may grow while one goes through it.
  for (const name of all) for (const older of bundles.get(name)?.includes ?? []) all.add(older)
  return all
}

/**
 * The bundles that a repository with the commits `known` has to take in, one after the other, to have a head.
 * What a bundle needs may also be in the history of one that has all.
 */
export function neededBy(head: string, bundles: Bundles, known: ReadonlySet<string>): string[] {
  if (known.has(bundles.get(head)!.commit)) return []
  const byCommit = new Map([...bundles].map(([name, { commit }]) => [commit, name]))
  const wholes = [...bundles].filter(([, { needs }]) => needs.length === 0).map(([name]) => name)
  const [seen, needed] = [new Set<string>(), new Set<string>()]
  const waiting = [head]
  for (let name = head; waiting.length > 0; name = waiting.at(-1)!) {
    if (seen.has(name)) {
      needed.add(name)
      waiting.pop()
      continue
    }
    seen.add(name)
    for (const commit of bundles.get(name)!.needs.filter((one) => !known.has(one))) {
      const older = byCommit.get(commit)
      waiting.push(...(older === undefined ? wholes : [older]).filter((one) => !seen.has(one)))
    }
  }
  return [...needed]
}
