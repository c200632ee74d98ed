import {
  commitAt,
  commitOwn,
  contentsOf,
  filesOf,
  type OwnChange,
  type OwnFile,
  type OwnRepository,
} from '../git/own-repository.ts'
import {
  branchesAt,
  FETCHED,
  fetchPlace,
  isAncestor,
  NEXT,
  removeUnused,
  sendNext,
  setRef,
  tidyPlace,
} from '../git/place.ts'
import type { Files } from './files.ts'

/**
 * The files in a branch of a git repository, without folders. `mirror` is a repository here that has the same, and
 * nothing else. Its commits say neither who made them nor when. A large file lies there in parts, `<name>.part01` and so
 * on, because forges refuse files of more than 100 MB.
 */
export function filesInBranch(
  mirror: OwnRepository,
  place: { address: string; branch: string },
  { partBytes = PART } = {},
): Files {
  let there: string | undefined
  const files = new Map<string, OwnFile>()
  const changes = new Map<string, OwnChange>()
  let isErasing = false
  const pathsOf = (name: string) => [...files.keys()].filter((path) => nameOf(path) === name).sort()
  return {
    state: async () => {
      there = (await branchesAt(mirror, place.address)).get(place.branch)
      return there
    },
    list: async () => {
      if (there === undefined) return []
      const before = commitAt(mirror, FETCHED)
      if (before !== there) await fetchPlace(mirror, place, LARGEST)
      // Another machine has erased something, which goes here too.
      if (before !== undefined && !isAncestor(mirror, before, there)) removeUnused(mirror)
      for (const file of filesOf(mirror, 'all', FETCHED) ?? [])
        if (!file.path.includes('/')) files.set(file.path, file)
      return [...new Set([...files.keys()].map(nameOf))].sort()
    },
    read: async (name) => {
      const parts = pathsOf(name).map((path) => files.get(path)!)
      return parts.length === 0 ? undefined : Buffer.concat(contentsOf(mirror, parts))
    },
    write: async (name, bytes, { isAnew }) => {
      for (const path of pathsOf(name)) changes.set(path, { path, bytes: undefined })
      for (let at = 0; at < bytes.length; at += partBytes) {
        const part = `${name}.part${String(1 + at / partBytes).padStart(2, '0')}`
        const path = bytes.length <= partBytes ? name : part
        changes.set(path, { path, bytes: bytes.subarray(at, at + partBytes) })
      }
      isErasing ||= isAnew
    },
    where: (name) => `${name} in the branch ${place.branch}`,
    remove: (name) => {
      for (const path of pathsOf(name)) changes.set(path, { path, bytes: undefined })
      isErasing = true
    },
    send: async () => {
      if (changes.size === 0) return there
      // What was removed is in no history then.
      const all = new Map<string, OwnChange>([...(isErasing ? files : []), ...changes])
      const isThere = (change: OwnChange) => 'blob' in change || change.bytes !== undefined
      setRef(mirror, NEXT, isErasing || there === undefined ? undefined : FETCHED)
      const made = [...all.values()].filter((change) => !isErasing || isThere(change))
      commitOwn(mirror, [{ changes: made, message: 'sync', who: NOBODY }], NEXT)
      if (!(await sendNext(mirror, place, there))) return false
      there = commitAt(mirror, NEXT)
      setRef(mirror, FETCHED, NEXT)
      setRef(mirror, NEXT, undefined)
      if (isErasing) {
        removeUnused(mirror)
        tidyPlace(mirror, place)
      }
      return there
    },
  }
}

/** The name of a file, of which this may be a part. */
function nameOf(path: string): string {
  return path.replace(/\.part\d\d$/, '')
}

/** Forges warn of larger files. */
const PART = 48 * 1024 * 1024

/** A bundle may have all conversations of a project. */
const LARGEST = 1024 * 1024 * 1024

const NOBODY = 'cortext <cortext> 0 +0000'
