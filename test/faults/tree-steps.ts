import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { documentIn } from './documents.ts'
import type { Story } from './story.ts'

/** Steps that people take with the work trees of a private workspace, besides those in git-steps.ts. */
export const TREE_STEPS = [
  'add-tree',
  'add-tree',
  'add-tree-inside',
  'remove-tree',
  'remove-tree',
  'clean-all',
  'clean-all',
  'delete-conversations',
  'lose-document',
  'edit-document',
  'edit-document',
] as const

/** Takes a step in `tree`. Returns false for an unknown step. `number` makes names different. */
export async function treeStep(story: Story, step: string, tree: string, number: number): Promise<boolean> {
  const { chance, world } = story
  const conversation = chance.of(story.conversations)
  switch (step) {
    case 'add-tree':
      world.addTree(join(world.root, '..', `tree-${number % 3}`), number)
      return true
    case 'add-tree-inside':
      world.addTree(join(world.root, '.claude', 'worktrees', `tree-${number % 3}`), number)
      return true
    case 'remove-tree': {
      const trees = world.trees().filter((one) => one !== world.root)
      if (trees.length > 0) await removeTree(story, chance.of(trees))
      return true
    }
    case 'clean-all':
      world.lab.git('-C', tree, 'clean', '-fdxq')
      return true
    case 'delete-conversations':
      rmSync(join(tree, 'conversations'), { recursive: true, force: true })
      return true
    case 'lose-document': {
      const document = documentIn(tree, conversation)
      if (document !== undefined) rmSync(document)
      return true
    }
    case 'edit-document':
      story.documents.edit(tree, conversation, `The person wrote e${number}.`)
      return true
    default:
      return false
  }
}

/** Removes a work tree, often in the middle of a turn there. */
async function removeTree(story: Story, tree: string): Promise<void> {
  const { chance, world } = story
  const remove = () => world.lab.git('worktree', 'remove', '--force', tree)
  const open = story.seats.filter(({ player }) => player.open && player.cwd === tree)
  if (open.length === 0 || chance.percent(50)) return void remove()
  await story.turn(chance.of(open), { midway: () => existsSync(tree) && remove() })
}
