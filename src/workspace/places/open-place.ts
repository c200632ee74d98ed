import { existsSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { withDefault } from '../../errors.ts'
import { readBytesInside } from '../../io/inside.ts'
import { removePath } from '../../io/remove.ts'
import { contentsOf, filesOf, type OwnRepository, openOwn } from '../git/own-repository.ts'
import { branchesAt, fetchBeginning, isNewFolder, MARKED, makePlace } from '../git/place.ts'
import type { Keys } from '../keys.ts'
import { unseal } from './age.ts'
import { bundlePlace } from './bundles.ts'
import { gitPlace } from './git.ts'
import { filesInBranch } from './in-branch.ts'
import { filesInFolder, foldersAt } from './in-folder.ts'
import type { Kind, Place, Whereabouts } from './place.ts'
import { KEY, PROJECT, sealedFiles } from './sealed.ts'

/** `keys` open and seal what is sealed. Throws git's errors. */
export function openPlace(repository: OwnRepository, whereabouts: Whereabouts, keys: Keys): Place {
  const { address, branch, kind, sealed } = whereabouts
  if (sealed === undefined)
    return kind === 'folder'
      ? bundlePlace(repository, filesInFolder(address, branch), whereabouts)
      : gitPlace(repository, whereabouts)
  const files =
    kind === 'folder'
      ? filesInFolder(address, sealed)
      : filesInBranch(openOwn(mirrorOf(repository), { make: true })!, { address, branch: sealed })
  return bundlePlace(repository, sealedFiles(files, { keys, project: branch }), whereabouts)
}

/** Forgets what is here only for the place of before. */
export function forgetMirror(repository: OwnRepository): void {
  removePath(mirrorOf(repository).root)
}

function mirrorOf(repository: OwnRepository, name = 'sealed.git'): OwnRepository {
  return { ...repository, root: join(dirname(repository.root), name) }
}

/** Of which kind a place is. A folder is a plain one, unless its name ends in `.git` or it is a git repository. */
export function kindOf(address: string): Kind | undefined {
  if (!isAbsolute(address) || /\.git[\\/]*$/.test(address)) return undefined
  const isRepository = ['.git', 'HEAD'].some((name) => existsSync(join(address, name)))
  const isFile = existsSync(address) && !statSync(address).isDirectory()
  return isRepository || isFile ? undefined : 'folder'
}

/** What is at the path of a place; undefined for an address of a server. */
export function whatIsAt(address: string): 'nothing' | 'file' | 'folder' | undefined {
  if (!isAbsolute(address)) return undefined
  if (!existsSync(address)) return 'nothing'
  return statSync(address).isFile() ? 'file' : 'folder'
}

/** What is at a place. */
export interface Found {
  /** The projects that are there, with the names of their folders or branches. */
  projects: Map<string, string>
  /** A folder, or a repository, was made there. */
  made: boolean
  /** Whether what is there is sealed. Undefined: nothing is there. */
  isSealed: boolean | undefined
  /** So many projects are sealed for other keys. */
  closed: number
  /** The key that is there, sealed with a passphrase. */
  key?: Buffer
}

export interface Looking {
  kind: Kind | undefined
  /** Whether a folder that is not there is made, and a repository in it if it is to be one. */
  makes: boolean
  keys: Keys
  timeoutMs?: number | undefined
}

/** Looks which projects are at a place. Throws what files throw, and git's errors. */
export async function projectsAt(repository: OwnRepository, address: string, how: Looking): Promise<Found> {
  const { kind, makes, keys, timeoutMs } = how
  let made = false
  let names: Set<string>
  if (kind === 'folder') ({ names, made } = foldersAt(address, makes))
  else {
    made = makes && isNewFolder(address)
    if (made) makePlace(repository, address)
    names = new Set((await branchesAt(repository, address, timeoutMs)).keys())
  }
  const hidden = [...names].filter((name) => HIDDEN.test(name))
  const open = new Map([...names].filter((name) => !HIDDEN.test(name)).map((name) => [name, name]))
  if (hidden.length === 0)
    return { projects: open, made, isSealed: hasProject(open) ? false : undefined, closed: 0 }
  const found: Found = { projects: new Map(), made, isSealed: true, closed: 0 }
  const read =
    kind === 'folder'
      ? (name: string, file: string) => readBytesInside(address, `${name}/${file}`)
      : await readBranches(repository, address, hidden)
  for (const name of hidden.sort()) {
    const project = withDefault(undefined, () => read(name, PROJECT))
    const key = withDefault(undefined, () => read(name, KEY))
    if (key !== undefined) found.key ??= key
    const opened = project && (await unseal(project, keys.identities).catch(() => undefined))
    const text = opened?.toString('utf8') ?? ''
    // Whoever knows a public key can have sealed anything.
    if (!/^[^\s\p{C}]{1,200}$/u.test(text)) found.closed += 1
    else if (!found.projects.has(text)) found.projects.set(text, name)
  }
  return found
}

/** A person or a service may have made other branches and folders there. */
function hasProject(names: ReadonlyMap<string, string>): boolean {
  return [...names.keys()].some((name) => MARKED.test(name))
}

const HIDDEN = /^[0-9a-f]{32}$/

/** A key and a name have some hundred bytes. */
const LARGEST = 16 * 1024

/** Fetches the small files of some branches, and returns what reads them. */
async function readBranches(
  repository: OwnRepository,
  address: string,
  branches: readonly string[],
): Promise<(branch: string, file: string) => Buffer | undefined> {
  const looking = mirrorOf(repository, 'looking.git')
  removePath(looking.root)
  try {
    openOwn(looking, { make: true })
    await fetchBeginning(looking, address, branches)
    const found = new Map<string, Buffer | undefined>()
    for (const branch of branches)
      for (const file of [PROJECT, KEY]) {
        const one = (filesOf(looking, [file], `refs/heads/${branch}`) ?? []).find(({ path }) => path === file)
        const isSmall = one !== undefined && one.size <= LARGEST
        found.set(`${branch}/${file}`, isSmall ? contentsOf(looking, [one])[0] : undefined)
      }
    return (branch, file) => found.get(`${branch}/${file}`)
  } finally {
    removePath(looking.root)
  }
}
