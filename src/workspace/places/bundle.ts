import { withDefault } from '../../errors.ts'
import { sha256 } from '../../hash.ts'
import type { OwnRepository } from '../git/own-repository.ts'
import { gitNow } from '../git/run-git.ts'

/**
 * A git bundle as one send makes it; see gitformat-bundle(5). The references at its head say which earlier ones it
 * includes, so that nothing has to be written beside it.
 */
export interface Bundle {
  commit: string
  /** Commits that a repository must have before it can take the bundle in. None: all of the history is in it. */
  needs: string[]
  /** The names of bundles whose content this one has too. */
  includes: string[]
  /** The name that the project has at the place; '' if it is not said. */
  project: string
  /** Where git's pack begins. */
  packAt: number
}

/** The name of a bundle. It says whether the bytes are whole. */
export function nameOf(bytes: Buffer): string {
  return sha256(bytes).slice(0, NAME_LENGTH)
}

const NAME_LENGTH = 32

/** Makes a bundle with what the history of a commit has beyond that of `needs`. Rejects with git's error message. */
export function makeBundle(
  repository: OwnRepository,
  { commit, needs, includes, project }: Omit<Bundle, 'packAt'>,
): Buffer {
  const head = [
    SIGNATURE,
    ...needs.map((one) => `-${one} `),
    `${commit} ${HEAD}`,
    `${commit} ${CONVERSATIONS}`,
    ...includes.map((name) => `${commit} ${INCLUDED}${name}`),
    `${commit} ${PROJECT}${project}`,
    '',
    '',
  ]
  const revisions = [commit, '--not', ...needs].map((line) => `${line}\n`).join('')
  const how = ['--revs', '--thin', '--delta-base-offset', '--quiet', '--stdout']
  return Buffer.concat([
    Buffer.from(head.join('\n')),
    gitNow(repository, ['pack-objects', ...how], revisions),
  ])
}

const SIGNATURE = '# v2 git bundle'
/** With these two, `git clone` of a bundle without needs makes a work tree. */
const HEAD = 'HEAD'
const CONVERSATIONS = 'refs/heads/conversations'
const INCLUDED = 'refs/cortext/includes/'
const PROJECT = 'refs/cortext/project/'

/** Reads the head of a bundle; undefined if it is none that `makeBundle` has made. */
export function bundleIn(bytes: Buffer): Bundle | undefined {
  const end = bytes.subarray(0, LONGEST_HEAD).indexOf('\n\n')
  if (end === -1) return undefined
  const [signature, ...lines] = bytes.toString('utf8', 0, end).split('\n')
  if (signature !== SIGNATURE) return undefined
  const bundle: Bundle = { commit: '', needs: [], includes: [], project: '', packAt: end + 2 }
  for (const line of lines) {
    const [, minus, commit, ref] = /^(-?)([0-9a-f]{40}) ?(.*)$/.exec(line) ?? []
    if (commit === undefined) return undefined
    if (minus === '-') bundle.needs.push(commit)
    else if (ref === CONVERSATIONS) bundle.commit = commit
    else if (ref!.startsWith(INCLUDED)) bundle.includes.push(ref!.slice(INCLUDED.length))
    else if (ref!.startsWith(PROJECT)) bundle.project = ref!.slice(PROJECT.length)
  }
  return bundle.commit === '' ? undefined : bundle
}

const LONGEST_HEAD = 4 * 1024 * 1024

/** Takes the objects of a bundle into a repository. No reference changes. Git checks each; its errors are thrown. */
export function takeIn(repository: OwnRepository, bytes: Buffer, { packAt }: Bundle): void {
  gitNow(repository, ['index-pack', '--stdin', '--fix-thin', '--strict'], bytes.subarray(packAt))
}

/** Whether a repository has all that the history of a commit needs. */
export function hasAll(repository: OwnRepository, commit: string): boolean {
  return withDefault(false, () => {
    gitNow(repository, ['rev-list', '--quiet', '--objects', commit, '--not', '--all'])
    return true
  })
}

/** The commits of all references. */
export function commitsOf(repository: OwnRepository): Set<string> {
  return new Set(gitNow(repository, ['rev-list', '--all']).toString('latin1').split('\n').filter(Boolean))
}

/** Whether a repository has all of these commits. */
export function hasCommits(repository: OwnRepository, commits: readonly string[]): boolean {
  if (commits.length === 0) return true
  const asked = commits.map((commit) => `${commit}\n`).join('')
  const answer = gitNow(repository, ['cat-file', '--batch-check=%(objecttype)'], asked).toString('latin1')
  return answer.split('\n').filter((type) => type === 'commit').length === commits.length
}
