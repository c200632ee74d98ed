import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CortextError } from '../../errors.ts'
import { TEMP_SUFFIX } from '../../io/atomic-write.ts'
import { accessFile } from '../../io/file-error.ts'
import { listInside, readBytesInside, removeInside, writeInside } from '../../io/inside.ts'
import { listAllNames } from '../../io/list-names.ts'
import { makeFolders } from '../../io/real-folder.ts'
import { removePath } from '../../io/remove.ts'
import { oneLine } from '../../text/line.ts'
import { checkArrived } from '../git/arrived.ts'
import type { OwnRepository } from '../git/own-repository.ts'
import { commitAt, FETCHED, isAncestor, NEXT, setRef } from '../git/place.ts'
import { type Bundle, bundleIn, commitsOf, hasAll, hasCommits, makeBundle, nameOf, takeIn } from './bundle.ts'
import { allIn, headsOf, neededBy, stateOf } from './heads.ts'
import { type Head, INCOMPLETE, type Place, type Unread, type Whereabouts } from './place.ts'

/**
 * A plain folder. Below it, each project has a folder with bundles, and nothing else: a send adds one, which is named
 * after its bytes and never changes. So a service may copy them in any order, and a copy that is not whole is known by
 * its name. The heads are the bundles that no other one includes.
 */
export function folderPlace(repository: OwnRepository, { address, branch, joined }: Whereabouts): Place {
  const pathOf = (name: string) => `${branch}/${name}${ENDING}`
  const unread: Unread[] = []
  let names: string[] = []
  /** The bundles that are whole. */
  const bundles = new Map<string, Bundle>()
  /** The names of the heads, and at last the one that was sent. */
  let last: string[] = []

  /** Reads a bundle, or says what is wrong with it. */
  function read(name: string): { bytes: Buffer; bundle: Bundle } | string {
    try {
      const bytes = readBytesInside(address, pathOf(name), LARGEST)
      if (bytes === undefined || nameOf(bytes) !== name) return INCOMPLETE
      const bundle = bundleIn(bytes)
      return bundle === undefined ? 'it is no bundle of cortext' : { bytes, bundle }
    } catch (error) {
      return messageOf(error)
    }
  }

  /** Takes in all that a head needs, the oldest first. Returns what is wrong. */
  function bring(head: string): string | undefined {
    for (const name of neededBy(head, bundles, commitsOf(repository))) {
      const one = read(name)
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

  return {
    unread,
    state: async () => {
      checkIsThere(address)
      names = listInside(address, branch, ENDING)
        .map((name) => name.slice(0, -ENDING.length))
        .filter((name) => NAME.test(name))
        .sort()
      if (names.length > MOST)
        throw new CortextError(
          'refused',
          `${join(address, branch)} has ${names.length} bundles, and at most ${MOST} are read`,
          {
            fix: 'see who writes there: there are never more than some thirty for long',
          },
        )
      return stateOf(names)
    },
    heads: async () => {
      for (const name of names) {
        const one = read(name)
        if (typeof one === 'string') unread.push({ file: pathOf(name), problem: one })
        else bundles.set(name, one.bundle)
      }
      const good = new Set<string>()
      const next = () => headsOf(bundles).find((name) => !good.has(name))
      for (let name = next(); name !== undefined; name = next()) {
        const problem = bring(name)
        if (problem === undefined) good.add(name)
        else {
          unread.push({ file: pathOf(name), problem })
          // What it includes is a head again.
          bundles.delete(name)
        }
      }
      // Each machine joins them in the same order, so that all send the same.
      last = headsOf(bundles).sort()
      return last.map((name) => ({ name, commit: bundles.get(name)!.commit }))
    },
    take: async ({ commit }) => setRef(repository, FETCHED, commit),
    includesJoined: ({ name }) => joined === undefined || allIn([name], bundles).has(joined),
    send: async (heads, erases) => {
      const commit = commitAt(repository, NEXT)
      if (commit === undefined) return { name: undefined }
      const [first, ...others] = heads as [Head?, ...Head[]]
      const isWhole = erases || bundles.size >= MANY
      if (first?.commit === commit && others.length === 0 && !isWhole) return { name: first.name }
      // What was erased may have given the head another history here.
      const isOnTop = first !== undefined && !isWhole && isAncestor(repository, first.commit, NEXT)
      const needs = isOnTop ? [first.commit] : []
      const sent = heads.map(({ name }) => name)
      const includes = isOnTop ? sent : [...allIn(sent, bundles)].slice(0, MOST)
      const bytes = makeBundle(repository, { commit, needs, includes })
      const name = nameOf(bytes)
      writeInside(address, pathOf(name), bytes)
      bundles.set(name, { commit, needs, includes, packAt: 0 })
      last = [name]
      names = [...new Set([...names, name])].sort()
      return { name }
    },
    tidy: (erases) => {
      const wholes = [...allIn(last, bundles)].filter((name) => bundles.get(name)?.needs.length === 0)
      const old = new Set(wholes.flatMap((name) => bundles.get(name)!.includes))
      for (const name of names) if (old.has(name)) removeInside(address, pathOf(name))
      removeTemporary(join(address, branch), erases)
      names = names.filter((name) => !old.has(name))
      return stateOf(names)
    },
  }
}

const ENDING = '.bundle'
const NAME = /^[0-9a-f]{32}$/
/** When there are so many bundles, the next one has all. */
const MANY = 30
/** So many bundles are read at most, and so many earlier ones are named. */
const MOST = 1_000
const LARGEST = 1024 * 1024 * 1024

function messageOf(error: unknown): string {
  if (!(error instanceof CortextError)) throw error
  return oneLine(error.message)
}

function checkIsThere(address: string): void {
  if (existsSync(address)) return
  throw new CortextError('not-found', `${address} is not there`, {
    fix: 'connect the disk, or start what copies it; to name another place: cortext sync --to <place>',
  })
}

/** Removes what killed syncs have left; with `all`, however new it is: then a sync that is writing it fails. */
function removeTemporary(folder: string, all: boolean): void {
  for (const name of listAllNames(folder, TEMP_SUFFIX).filter((one) => TEMPORARY.test(one))) {
    const path = join(folder, name)
    const made = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (all || made < Date.now() - LEFT_AFTER_MS) removePath(path)
  }
}

const TEMPORARY = /^\.[0-9a-f]{32}\.bundle\.[0-9a-f]{16}\./
const LEFT_AFTER_MS = 60 * 60_000

/**
 * The names of the folders in a plain folder: those of projects are among them. With `makes`, the folder is made if it
 * is not there, on a disk that is. Throws what files throw.
 */
export function foldersAt(address: string, makes: boolean): { names: Set<string>; made: boolean } {
  const made = makes && !existsSync(address) && existsSync(dirname(address))
  if (made) accessFile(address, 'write', () => makeFolders(address))
  checkIsThere(address)
  const entries = accessFile(address, 'read', () => readdirSync(address, { withFileTypes: true }))
  return { names: new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)), made }
}
