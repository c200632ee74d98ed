import { join, relative } from 'node:path'
import { clientOf } from '../clients/index.ts'
import { folderOf } from '../io/process.ts'
import type { SessionName } from '../journeys/recording/current-session.ts'
import type { Workspace } from '../workspace/open.ts'

/** Converts a path below the workspace's root into a path relative to the current folder. */
export function fromHere({ root, environment }: Workspace, path: string): string {
  return relative(environment.cwd, join(root, path))
}

/** Says which folder the printed paths are relative to. Empty for the current folder. */
export function pathsNote({ root, environment }: Workspace): string[] {
  return environment.cwd === root ? [] : ['', `The paths above are relative to ${root}`]
}

/**
 * Returns a warning if the client was started in a sub-folder of the workspace, because clients look for hooks only in
 * the folder in which they are started. Empty otherwise, and if the system does not show that folder.
 */
export function noHooksNote({ root }: Workspace, { client, process }: SessionName): string[] {
  const folder = process && folderOf(process.pid)
  if (folder === undefined || !folder.startsWith(`${root}/`)) return []
  const { name } = clientOf(client)
  return [
    `${name} was started in ${folder} and runs no hooks of cortext there, so its turns are not recorded one by one.`,
    `cortext save and cortext stop record what was said; after ${name} has ended, any cortext command does. Better: start ${name} in ${root}`,
  ]
}
