import { clientList } from '../../../clients/index.ts'
import { oneLine } from '../../../text/line.ts'
import type { FileChange } from '../../../workspace/pack/file-change.ts'
import { type Column, tableOf } from '../../conversation-lines.ts'

/** Lists what was written or kept; all unchanged files together are one number. */
export function changeLines(changes: readonly FileChange[]): string[] {
  const told = changes.filter((change) => change.state !== 'unchanged')
  const same = changes.length - told.length
  return [
    ...told.map(
      ({ state, path, note }) => `  ${state.padEnd(8)} ${path}${note === undefined ? '' : `  (${note})`}`,
    ),
    ...(same > 0 ? [`  ${filesWords(same)} up to date`] : []),
  ]
}

/** The same in a line for the workspace, each client and git; and one for each file of which there is more to say. */
export function changesInShort(changes: readonly FileChange[]): string[] {
  const owners = new Map<string, FileChange[]>()
  for (const change of changes) {
    const owner = ownerOf(change.path)
    owners.set(owner, [...(owners.get(owner) ?? []), change])
  }
  const groups = [...owners].filter(([, some]) => some.some(({ state }) => state !== 'unchanged'))
  const same = changes.filter(({ state }) => state === 'unchanged').length
  const column = (cell: (owner: string, some: readonly FileChange[]) => string): Column => ({
    head: '',
    cells: groups.map(([owner, some]) => cell(owner, some)),
  })
  const rows = tableOf([
    column((owner) => owner),
    column((_, some) => statesOf(some)),
    column((_, some) => placesOf(some).join(', ')),
  ])
  const noted = changes.filter(({ note }) => note !== undefined)
  return [
    ...rows.slice(1).map((row) => `  ${row}`),
    ...(same > 0 ? [`  ${filesWords(same)} up to date`] : []),
    ...changeLines(noted.filter(({ state }) => state !== 'unchanged')),
  ]
}

/** The folders and files at the top of the workspace in which anything was written, without git's own. */
export function placesToCommit(changes: readonly FileChange[]): string[] {
  const written = changes.filter(
    ({ path, state }) => state !== 'unchanged' && state !== 'kept' && !/^(?:\.git\/|\/)/.test(path),
  )
  return [...new Set(written.map(({ path }) => path.split('/')[0]!))].sort()
}

function ownerOf(path: string): string {
  if (path.startsWith('.workspace/')) return 'workspace'
  const client = clientList().find(
    ({ id, pack }) =>
      pack.folders.some((folder) => path.startsWith(topOf(folder))) || path.startsWith(`.${id}/`),
  )
  if (client !== undefined) return client.name
  return path.startsWith('.git') || path.startsWith('/') ? 'git' : 'further'
}

function topOf(folder: string): string {
  return `${folder.split('/')[0]!}/`
}

function placesOf(changes: readonly FileChange[]): string[] {
  const tops = changes
    .filter(({ state }) => state !== 'unchanged')
    .map(({ path }) => (path.startsWith('/') ? oneLine(path) : path.replace(/^((?!\.git\/)[^/]+\/).*/, '$1')))
  return [...new Set(tops)]
}

/** `20 files made, 1 updated` */
function statesOf(changes: readonly FileChange[]): string {
  const counts = new Map<FileChange['state'], number>()
  for (const { state } of changes) if (state !== 'unchanged') counts.set(state, (counts.get(state) ?? 0) + 1)
  return [...counts].map(([state, count], at) => `${at === 0 ? files(count) : count} ${state}`).join(', ')
}

function filesWords(count: number): string {
  return `${files(count)} ${count === 1 ? 'was' : 'were'}`
}

function files(count: number): string {
  return `${count} file${count === 1 ? '' : 's'}`
}
