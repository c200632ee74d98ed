import { CortextError } from '../../errors.ts'
import { oneLine } from '../../text/line.ts'
import { checkArrived } from '../git/arrived.ts'
import { commitAt, type OwnRepository } from '../git/own-repository.ts'
import { FETCHED, isAncestor, NEXT, setRef } from '../git/place.ts'
import { type Bundle, bundleIn, commitsOf, hasAll, hasCommits, makeBundle, nameOf, takeIn } from './bundle.ts'
import type { Files } from './files.ts'
import { allIn, headsOf, neededBy } from './heads.ts'
import { type Head, INCOMPLETE, type Place, type Unread, type Whereabouts } from './place.ts'

/**
 * Files that are git bundles. A send adds one, which is named after its bytes and never changes. So a service may copy
 * them in any order, and a copy that is not whole is known by its name. The heads are the bundles that no other one
 * includes.
 */
export function bundlePlace(repository: OwnRepository, files: Files, { branch, joined }: Whereabouts): Place {
  const unread: Unread[] = []
  let names: string[] = []
  /** The bundles that are whole. */
  const bundles = new Map<string, Bundle>()

  /** Reads a bundle, or says what is wrong with it. */
  async function read(name: string): Promise<{ bytes: Buffer; bundle: Bundle } | string> {
    try {
      const bytes = await files.read(`${name}${ENDING}`)
      if (bytes === undefined || nameOf(bytes) !== name) return INCOMPLETE
      const bundle = bundleIn(bytes)
      if (bundle === undefined) return 'it is no bundle of cortext'
      const isOther = bundle.project !== '' && bundle.project !== branch
      return isOther ? 'it is of another project' : { bytes, bundle }
    } catch (error) {
      return messageOf(error)
    }
  }

  /** Takes in all that a head needs, the oldest first. Returns what is wrong. */
  async function bring(head: string): Promise<string | undefined> {
    for (const name of neededBy(head, bundles, commitsOf(repository))) {
      const one = await read(name)
      if (typeof one === 'string') return one
      if (!hasCommits(repository, one.bundle.needs)) return INCOMPLETE
      try {
        takeIn(repository, one.bytes, one.bundle)
      } catch (error) {
        return messageOf(error)
      }
    }
    const { commit } = bundles.get(head)!
    if (!hasAll(repository, commit)) return INCOMPLETE
    try {
      checkArrived(repository, commit)
      return undefined
    } catch (error) {
      return messageOf(error)
    }
  }

  /** Whether a machine that has nothing yet finds all there. If not, something was removed, or is damaged. */
  function isEnough(): boolean {
    const all = [...bundles.values()]
    const tips = new Set(all.map(({ commit }) => commit))
    const wholes = all.filter(({ needs }) => needs.length === 0)
    return all
      .flatMap(({ needs }) => needs)
      .every((one) => tips.has(one) || wholes.some(({ commit }) => isAncestor(repository, one, commit)))
  }

  return {
    unread,
    state: files.state,
    heads: async () => {
      names = (await files.list())
        .filter((name) => NAME.test(name))
        .map((name) => name.slice(0, -ENDING.length))
      if (names.length > MOST)
        throw new CortextError(
          'refused',
          `${names.length} bundles of this project are there, and at most ${MOST} are read`,
          { fix: 'see who writes there: there are never more than some thirty for long' },
        )
      for (const name of names) {
        const one = await read(name)
        if (typeof one === 'string') unread.push({ file: files.where(`${name}${ENDING}`), problem: one })
        else bundles.set(name, one.bundle)
      }
      const good = new Set<string>()
      const next = () => headsOf(bundles).find((name) => !good.has(name))
      for (let name = next(); name !== undefined; name = next()) {
        const problem = await bring(name)
        if (problem === undefined) good.add(name)
        else {
          unread.push({ file: files.where(`${name}${ENDING}`), problem })
          // What it includes is a head again.
          bundles.delete(name)
        }
      }
      // Each machine joins them in the same order, so that all send the same.
      return headsOf(bundles)
        .sort()
        .map((name) => ({ name, commit: bundles.get(name)!.commit }))
    },
    take: async ({ commit }) => setRef(repository, FETCHED, commit),
    includesJoined: ({ name }) => joined === undefined || allIn([name], bundles).has(joined),
    send: async (heads, { isAnew, readers }) => {
      const commit = commitAt(repository, NEXT)
      if (commit === undefined) return { name: undefined, state: undefined }
      const [first, ...others] = heads as [Head?, ...Head[]]
      const isWhole = isAnew || bundles.size >= MANY || !isEnough()
      let last = first?.name
      if (first?.commit !== commit || others.length > 0 || isWhole) {
        // What was erased may have given the head another history here.
        const isOnTop = first !== undefined && !isWhole && isAncestor(repository, first.commit, NEXT)
        const needs = isOnTop ? [first.commit] : []
        const sent = heads.map(({ name }) => name)
        const includes = isOnTop ? sent : [...allIn(sent, bundles)].slice(0, MOST)
        const bytes = makeBundle(repository, { commit, needs, includes, project: branch })
        last = nameOf(bytes)
        await files.write(`${last}${ENDING}`, bytes, { isAnew, readers })
        bundles.set(last, { commit, needs, includes, project: branch, packAt: 0 })
      }
      const wholes = [...allIn([last!], bundles)].filter((name) => bundles.get(name)?.needs.length === 0)
      const old = new Set(wholes.flatMap((name) => bundles.get(name)!.includes))
      // A head that was not joined needs what it includes.
      const needed = allIn(
        headsOf(bundles).filter((name) => name !== last),
        bundles,
      )
      const isOld = (name: string) => old.has(name) && name !== last && !needed.has(name)
      for (const name of names.filter(isOld)) files.remove(`${name}${ENDING}`)
      const state = await files.send()
      return state === false ? undefined : { name: last, state }
    },
  }
}

const ENDING = '.bundle'
const NAME = /^[0-9a-f]{32}\.bundle$/
/** When there are so many bundles, the next one has all. */
const MANY = 30
/** So many bundles are read at most, and so many earlier ones are named. */
const MOST = 1_000

function messageOf(error: unknown): string {
  if (!(error instanceof CortextError)) throw error
  return oneLine(error.message)
}
