import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gitStep as plainGitStep } from '../helpers/git-steps.ts'
import type { Story } from './story.ts'

const STEPS = [
  'stash',
  'unstash',
  'branch',
  'back',
  'reset',
  'reset-earlier',
  'rebase',
  'merge',
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

/**
 * Something that a person does in git or with folders while conversations are open. Git may refuse. Not among them:
 * `git init` where conversations run, and two people whose clones are merged; they have tests of their own.
 */
export async function gitStep(story: Story): Promise<void> {
  const { chance, world } = story
  const { root, git, tryGit } = world.lab
  const step = chance.of(STEPS)
  const number = chance.number(10_000)
  const seat = chance.of(story.seats)
  await world.settled()
  story.note(`git: ${step} ${number}`)
  if (plainGitStep(world.lab, step, number)) return
  switch (step) {
    case 'reset-earlier':
      return void (
        tryGit('merge-base', '--is-ancestor', 'workspace', 'HEAD~1') &&
        tryGit('reset', '--quiet', '--hard', 'HEAD~1')
      )
    case 'merge':
      if (!tryGit('merge', '--quiet', '--no-edit', 'trunk')) tryGit('merge', '--abort')
      return
    case 'commit-all':
      return void (tryGit('add', '--all') && tryGit('commit', '--quiet', `--message=work ${number}`))
    case 'stage':
      writeFileSync(join(root, `own-${number}.txt`), 'mine\n')
      return void git('add', `own-${number}.txt`)
    case 'abort':
      return void (tryGit('rebase', '--abort') || tryGit('merge', '--abort'))
    case 'delete-folder':
      return rmSync(join(root, chance.of(story.conversations)), { recursive: true, force: true })
    case 'move-folder': {
      const from = chance.of(story.conversations)
      if (!existsSync(join(root, from))) return
      const to = `kept/${from.split('/').slice(1).join('-')}`
      mkdirSync(join(root, 'kept'), { recursive: true })
      renameSync(join(root, from), join(root, to))
      return story.moved(from, to)
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
