import { existsSync } from 'node:fs'
import { withDefault } from '../../errors.ts'
import { findProgram } from '../../io/program.ts'
import { localFiles } from '../../store/layout.ts'
import { withLockSync } from '../../store/machine/locks/lock.ts'
import { writeLog } from '../../store/machine/log.ts'
import { filesOf, type OwnRepository, openOwn } from '../../workspace/git/own-repository.ts'
import { gitNow } from '../../workspace/git/run-git.ts'
import type { Workspace } from '../../workspace/open.ts'

/** The person's name as git knows it, and a time, for a commit. */
export function author({ root, environment }: Workspace, time = environment.now()): string {
  const name = NAMES.get(root) ?? nameIn(root, environment)
  NAMES.set(root, name)
  // A session.json that was edited by hand may have any time in it.
  const seconds = Math.floor(time.getTime() / 1000) || 0
  return `${name} ${Math.max(seconds, 0)} +0000`
}

/** An import makes many commits. */
const NAMES = new Map<string, string>()

function nameIn(root: string, environment: Workspace['environment']): string {
  // Git fails if nobody has told it a name.
  const told = withDefault('', () =>
    gitNow({ root, environment }, ['var', 'GIT_COMMITTER_IDENT']).toString('utf8'),
  )
  return /^.*>(?= \d)/.exec(told)?.[0] ?? 'cortext <cortext>'
}

/**
 * Calls `work` under the lock of the history, with its repository. Does nothing if there is none and it is not to be
 * made. Throws `locked` and git's errors.
 */
export function inHistory(
  ws: Workspace,
  how: { make?: boolean },
  work: (repository: OwnRepository) => void,
): void {
  const { local, environment } = ws
  const root = localFiles(local).history
  withLockSync(local, 'history', () => {
    const repository = openOwn({ root, environment, isBare: true }, how)
    if (repository !== undefined) work(repository)
  })
}

export function hasGit({ environment }: Workspace): boolean {
  return findProgram('git', environment.env) !== undefined
}

/** Writes an error to the log. A record is whole without its history. */
export function attempt({ local }: Workspace, what: string, work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    writeLog(local, `${what}: ${error.message}`)
  }
}

/** Whether the history can be read; why not, if it is damaged. Undefined if there is none. */
export function historyState(ws: Workspace): { problem?: string } | undefined {
  const root = localFiles(ws.local).history
  if (!hasGit(ws) || !existsSync(root)) return undefined
  try {
    filesOf({ root, environment: ws.environment, isBare: true }, ['.workspace'])
    return {}
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}
