import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Environment } from '../../src/io/environment.ts'
import { removeFolder } from './temporary.ts'

/**
 * The folder for temporary folders. It is outside every git repository, because some tests need a folder without git.
 * Throws when all candidates are inside a repository.
 */
export function tempBase(): string {
  const bases = [tmpdir(), '/tmp', '/var/tmp', '/dev/shm'].filter((base) => existsSync(base))
  const base = bases.find((one) => !isInGit(realpathSync(one)))
  if (base === undefined) throw new Error(`all of these are in a git repository: ${bases}; set TMPDIR`)
  return base
}

function isInGit(folder: string): boolean {
  return existsSync(join(folder, '.git')) || (dirname(folder) !== folder && isInGit(dirname(folder)))
}

/** A new folder. It is removed after the test. */
export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tempBase(), 'cortext-test-')))
  onTestFinished(() => removeFolder(folder))
  return folder
}

/** An environment in which git has an author and does not read this machine's configuration. */
export function gitEnv(home: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.org',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.org',
  }
}

/** A folder in a repository, for functions that run git there. */
export function treeAt(root: string, env: Record<string, string | undefined>) {
  return { root, environment: { env } }
}

export interface Repository {
  root: string
  env: Record<string, string>
  environment: Environment
  git: (...args: string[]) => string
  write: (path: string, content: string) => void
}

/** A git repository on branch `trunk`, with a first commit of `files` if they are given. */
export function tempRepository(files?: Record<string, string>): Repository {
  const root = tempFolder()
  const env = gitEnv(tempFolder())
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: root,
      env: { ...env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  git('init', '--quiet', '--initial-branch=trunk')
  if (files !== undefined) {
    for (const [path, content] of Object.entries(files)) write(path, content)
    git('add', '--all')
    git('commit', '--quiet', '--message=first')
  }
  return { root, env, environment: placeOf(root, env), git, write }
}

export function placeOf(cwd: string, env: Record<string, string>): Environment {
  return { cwd, home: env.HOME ?? cwd, env, now: () => new Date('2026-11-21T10:30:00Z'), interactive: false }
}
