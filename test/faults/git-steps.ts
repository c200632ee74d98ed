import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { gitStep as plainGitStep } from '../helpers/git-steps.ts'
import type { Lab } from '../helpers/workspace-lab.ts'
import { require } from './law.ts'
import type { Story } from './story.ts'
import { TREE_STEPS, treeStep } from './tree-steps.ts'
import { commitAll } from './world.ts'

const STEPS = [
  'stash',
  'unstash',
  'branch',
  'back',
  'pull',
  'reset',
  'reset-earlier',
  'rebase',
  'merge',
  'merge-linked',
  'clean',
  'commit',
  'commit-all',
  'stage',
  'worktree',
  'detach',
  'abort',
  'delete-folder',
  'forget-caches',
  'cut-transcript',
  'delete-transcript',
  'rewrite-transcript',
  'move-folder',
] as const

/** Steps that need no repository. */
const WITHOUT_GIT = [
  'make-repository',
  'delete-folder',
  'cut-transcript',
  'delete-transcript',
  'rewrite-transcript',
  'move-folder',
] as const

/** Folders are not moved: each work tree may have one of the same conversation. */
const PRIVATE = [...STEPS.filter((step) => step !== 'move-folder'), ...TREE_STEPS, ...TREE_STEPS]

/**
 * Takes a step in git or with folders while conversations are open, in the work tree or in a linked one. Git may refuse
 * it. Merges of two people's clones have tests of their own.
 */
export async function gitStep(story: Story): Promise<void> {
  const { chance, world } = story
  const hasGit = world.hasGit()
  const tree = someTree(story)
  const lab = inTree(world.lab, tree)
  const { root, git, tryGit } = lab
  const step = world.isPrivate ? chance.of(PRIVATE) : hasGit ? chance.of(STEPS) : chance.of(WITHOUT_GIT)
  const number = chance.number(10_000)
  const seat = chance.of(story.seats)
  await world.settled()
  story.note(`git: ${step} ${number} in ${tree}`)
  if (plainGitStep(lab, step, number)) return
  if (await treeStep(story, step, tree, number)) return
  switch (step) {
    case 'make-repository':
      git('init', '--quiet', '--initial-branch=trunk')
      return commitAll(world.lab)
    case 'reset-earlier':
      return void (
        tryGit('merge-base', '--is-ancestor', 'workspace', 'HEAD~1') &&
        tryGit('reset', '--quiet', '--hard', 'HEAD~1')
      )
    case 'merge':
      if (!tryGit('merge', '--quiet', '--no-edit', 'trunk')) tryGit('merge', '--abort')
      return
    case 'pull':
      return pull(lab, number)
    case 'commit-all':
      return void (tryGit('add', '--all') && tryGit('commit', '--quiet', `--message=work ${number}`))
    case 'stage':
      writeFileSync(join(root, `own-${number}.txt`), 'mine\n')
      return void git('add', `own-${number}.txt`)
    case 'abort':
      return void (tryGit('rebase', '--abort') || tryGit('merge', '--abort'))
    case 'merge-linked':
      if (!tryGit('merge', '--quiet', '--no-edit', 'linked')) tryGit('merge', '--abort')
      return
    case 'delete-folder':
      return rmSync(story.law.placeOf(chance.of(story.conversations), tree), { recursive: true, force: true })
    case 'move-folder': {
      const from = chance.of(story.conversations)
      if (!existsSync(join(world.root, from))) return
      const at = story.law.treeOf(from)
      const kept = join(at, 'kept')
      const to = join(kept, relative(at, join(world.root, from)).split('/').slice(1).join('-'))
      mkdirSync(kept, { recursive: true })
      renameSync(join(world.root, from), to)
      return story.moved(from, relative(world.root, to))
    }
    case 'cut-transcript':
      story.forgetUnseen(seat)
      return seat.player.cut()
    case 'delete-transcript':
      story.forgetUnseen(seat)
      return rmSync(seat.player.transcript, { force: true })
    case 'rewrite-transcript':
      story.forgetUnseen(seat)
      return seat.player.rewrite()
  }
}

function someTree({ chance, world }: Story): string {
  if (world.isPrivate) return chance.percent(40) ? world.root : chance.of(world.trees())
  return existsSync(world.linked) && chance.percent(30) ? world.linked : world.root
}

/** Somebody else pushes to the branch. A pull and a checkout must succeed unless a save was not committed. */
function pull({ git, tryGit }: Lab, number: number): void {
  const branch = git('branch', '--show-current').trim()
  if (branch === '' || git('status', '--porcelain', '--untracked-files=no') !== '') return
  const theirs = git('commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', `theirs ${number}`).trim()
  git('branch', '--force', 'theirs', theirs)
  require(tryGit('pull', '--quiet', '--rebase', '.', 'theirs'), 'a pull was refused')
  require(tryGit('checkout', '--quiet', '--detach', 'workspace'), 'a checkout was refused')
  require(tryGit('checkout', '--quiet', branch), 'the way back was refused')
}

/** The same lab, but git runs in another work tree of it. */
function inTree(lab: Lab, root: string): Lab {
  const within = (args: readonly string[]) => ['-C', root, ...args]
  return {
    ...lab,
    root,
    git: (...args) => lab.git(...within(args)),
    tryGit: (...args) => lab.tryGit(...within(args)),
  }
}
