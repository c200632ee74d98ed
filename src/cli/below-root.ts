import { join, relative } from 'node:path'
import { clientOf } from '../clients/index.ts'
import { folderOf } from '../io/process.ts'
import type { SessionName } from '../journeys/recording/current-session.ts'
import type { Workspace } from '../workspace/open.ts'

/** A path of the workspace as it is written in the folder that the verb was called in. */
export function fromHere({ root, environment }: Workspace, path: string): string {
  return relative(environment.cwd, join(root, path))
}

/** What an agent has to know of the paths that it is given. */
export function pathsNote({ root, environment }: Workspace): string[] {
  return environment.cwd === root ? [] : ['', `The paths above are relative to ${root}`]
}

/**
 * What a person has to know of a client that was started in a sub-folder: clients look for hooks only in the folder that
 * they are started in. Empty where the system does not tell that folder.
 */
export function withoutHooks({ root }: Workspace, { client, process }: SessionName): string[] {
  const folder = process && folderOf(process.pid)
  if (folder === undefined || !folder.startsWith(`${root}/`)) return []
  const { name } = clientOf(client)
  return [
    `${name} was started in ${folder} and runs no hooks of cortext there, so its turns are not recorded one by one.`,
    `What is said is taken in by cortext save, by cortext stop, and, when ${name} has ended, by the next cortext command. Better: start ${name} in ${root}`,
  ]
}
