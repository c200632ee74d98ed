import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Lab } from './workspace-lab.ts'

/**
 * Takes a step that people take in git while conversations are open; git may refuse it. `number` makes names unique.
 * Returns false for an unknown step.
 */
export function gitStep({ root, git, tryGit }: Lab, step: string, number: number): boolean {
  switch (step) {
    case 'stash':
      tryGit('stash', '--include-untracked')
      return true
    case 'unstash':
      // Git keeps a stash that it cannot apply.
      if (!tryGit('stash', 'pop', '--quiet')) tryGit('reset', '--quiet', '--hard', 'HEAD')
      return true
    case 'branch':
      tryGit('checkout', '--quiet', '-b', `other-${number}`)
      return true
    case 'back':
      tryGit('checkout', '--quiet', 'trunk')
      return true
    case 'reset':
      tryGit('reset', '--quiet', '--hard', 'HEAD')
      return true
    case 'rebase':
      if (!tryGit('rebase', '--quiet', 'trunk')) tryGit('rebase', '--abort')
      return true
    case 'clean':
      tryGit('clean', '-fdq')
      return true
    case 'commit':
      tryGit('commit', '--quiet', '--allow-empty', `--message=work ${number}`)
      return true
    case 'worktree': {
      const other = join(root, '..', `tree-${number}`)
      if (tryGit('worktree', 'add', '--quiet', '-b', `tree-${number}`, other))
        git('worktree', 'remove', '--force', other)
      return true
    }
    case 'detach':
      tryGit('checkout', '--quiet', '--detach')
      return true
    case 'forget-caches':
      for (const name of ['index.json', 'binding-index.json'])
        rmSync(resolve(root, git('rev-parse', '--git-common-dir').trim(), 'cortext', name), { force: true })
      return true
    default:
      return false
  }
}
