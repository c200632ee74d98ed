import { dirname } from 'node:path'
import { clientList } from '../../../clients/index.ts'
import { countOf } from '../../../text/count-of.ts'
import { oneLine } from '../../../text/line.ts'
import type { FileChange } from '../../../workspace/pack/manifest.ts'
import { tableOf } from '../../conversation-lines.ts'

/** Lists what was written or kept, and counts the unchanged files. */
export function changeLines(changes: readonly FileChange[]): string[] {
  const changed = changes.filter((change) => change.state !== 'unchanged')
  const same = changes.length - changed.length
  return [
    ...changed.map(
      ({ state, path, note }) =>
        `  ${state.padEnd(8)} ${oneLine(path)}${note === undefined ? '' : `  (${note})`}`,
    ),
    ...(same > 0 ? [`  ${filesWords(same)} up to date`] : []),
  ]
}

/**
 * Like `changeLines`, but with one line for each owner (workspace, client, git, …), and one more line for each changed
 * file that has a note.
 */
export function changesInShort(changes: readonly FileChange[]): string[] {
  const owners = new Map<string, FileChange[]>()
  for (const change of changes) {
    const owner = ownerOf(change.path)
    owners.set(owner, [...(owners.get(owner) ?? []), change])
  }
  const groups = [...owners].filter(([, some]) => some.some(({ state }) => state !== 'unchanged'))
  const same = changes.filter(({ state }) => state === 'unchanged').length
  const rows = tableOf([
    { cells: groups.map(([owner]) => owner) },
    { cells: groups.map(([, some]) => statesOf(some)) },
    { cells: groups.map(([, some]) => placesOf(some).join(', ')) },
  ])
  const noted = changes.filter(({ note }) => note !== undefined)
  return [
    ...rows.map((row) => `  ${row}`),
    ...(same > 0 ? [`  ${filesWords(same)} up to date`] : []),
    ...changeLines(noted.filter(({ state }) => state !== 'unchanged')),
  ]
}

/**
 * Paths for `git add`: the places where files were written. Files of git itself, files outside the workspace, files
 * that git does not see (`unseen`) and files with a note of why they should not be committed are left out.
 */
export function placesToCommit(changes: readonly FileChange[], unseen: readonly string[]): string[] {
  const left = new Set(unseen)
  const written = changes.filter(
    ({ path, state, note }) =>
      state !== 'unchanged' &&
      state !== 'kept' &&
      note === undefined &&
      !left.has(path) &&
      !isInGitFolder(path) &&
      !/^(?:\/|\.\.\/)/.test(path),
  )
  return [...new Set(written.map(({ path }) => placeOf(path)))].sort()
}

/**
 * The place of a file: `.workspace`, or the first two parts of another path. The first part alone is often the whole
 * folder of a client, and files of the person may be there too.
 */
function placeOf(path: string): string {
  return path
    .split('/')
    .slice(0, path.startsWith(WORKSPACE) ? 1 : 2)
    .join('/')
}

const WORKSPACE = '.workspace/'

/** Whether a path is in a `.git` folder, which may be above the workspace. Git never tracks such a file. */
function isInGitFolder(path: string): boolean {
  return /(?:^|\/)\.git\//.test(path)
}

function ownerOf(path: string): string {
  if (path.startsWith(WORKSPACE)) return 'workspace'
  if (path.startsWith('/') && !isInGitFolder(path)) return 'this machine'
  if (isInGitFolder(path) || path === '.gitignore' || path === '.gitattributes') return 'git'
  // Several clients may read one file, such as `.mcp.json`.
  const clients = clientList().filter(
    ({ pack, settings, mcpEntry }) =>
      pack.folders.some((folder) => path.startsWith(topOf(folder))) ||
      [settings, mcpEntry].some((own) => own?.file === path),
  )
  return clients.map(({ name }) => name).join(', ') || 'other files'
}

function topOf(folder: string): string {
  return `${folder.split('/')[0]!}/`
}

function placesOf(changes: readonly FileChange[]): string[] {
  const tops = changes
    .filter(({ state }) => state !== 'unchanged')
    .map(({ path }) => {
      if (path.startsWith('/') && !isInGitFolder(path)) return `${oneLine(dirname(path))}/`
      return isInGitFolder(path) ? oneLine(path) : oneLine(path).replace(/^([^/]+\/).*/, '$1')
    })
  return [...new Set(tops)]
}

/** `20 files made, 1 updated` */
export function statesOf(changes: readonly FileChange[]): string {
  const counts = new Map<FileChange['state'], number>()
  for (const { state } of changes) if (state !== 'unchanged') counts.set(state, (counts.get(state) ?? 0) + 1)
  return [...counts]
    .map(([state, count], index) => `${index === 0 ? files(count) : count} ${state}`)
    .join(', ')
}

function filesWords(count: number): string {
  return `${files(count)} ${count === 1 ? 'was' : 'were'}`
}

function files(count: number): string {
  return countOf(count, 'file')
}
