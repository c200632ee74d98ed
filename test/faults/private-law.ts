import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { require } from './law.ts'
import type { Story } from './story.ts'
import type { World } from './world.ts'

/** What holds in a private workspace besides the Law: the project's git has nothing of ours, and nobody's work is lost. */

/** Nothing of ours is in the project's repository, except in `info/exclude` and in our own folder. */
function checkProject({ lab, trees }: World): void {
  const folder = join(lab.root, '.git')
  const strange = readdirSync(folder).filter((name) => !OF_GIT.test(name) && name !== 'cortext')
  const refs = lines(lab.git('for-each-ref', '--format=%(refname)')).filter((name) => !REFS.test(name))
  const tracked = trees().flatMap((tree) => lines(lab.git('-C', tree, 'ls-files')))
  const named = lab.git('cat-file', '--batch-all-objects', '--batch')
  require(strange.length === 0, `in .git: ${strange.join(', ')}`)
  require(refs.length === 0, `references: ${refs.join(', ')}`)
  require(tracked.every((path) => /^(own-.*|\.gitignore)$/.test(path)), `in an index: ${tracked.join(', ')}`)
  require(!/cortext/.test(readFileSync(join(folder, 'config'), 'utf8')), 'in .git/config')
  require(!/conversations|\bt\d+[pa]\b|\.workspace/.test(named), 'in the objects of the project')
}

const OF_GIT =
  /^([A-Z_]+HEAD|HEAD|COMMIT_EDITMSG|MERGE_\w+|AUTO_MERGE|branches|config|description|gc\.\w+|hooks|index|info|logs|objects|packed-refs|refs|rebase-\w+|worktrees)$/
const REFS = /^refs\/(heads\/(trunk|linked|theirs|(other|tree)-\d+)|stash|tags\/workspace)$/

/**
 * All linked worktrees go, and often what the main one has of ours: each conversation and the last version of its
 * document are there after the next verbs, and the history is sound.
 */
export async function checkNothingGoes(story: Story): Promise<void> {
  const { chance, world, law, documents } = story
  const [root, ...others] = world.trees()
  if (chance.percent(50)) for (const conversation of story.conversations) await story.save(conversation)
  const expected = story.conversations.toSorted()
  for (const tree of world.trees()) {
    const { conversations } = await world.json<{ conversations: { path: string }[] }>(
      ['list', '--json'],
      tree,
    )
    const listed = conversations.map(({ path }) => path).sort()
    require(String(listed) === String(expected), `the list in ${tree}: ${listed}; there are ${expected}`)
  }
  for (const tree of others) world.lab.git('worktree', 'remove', '--force', tree)
  story.note('all linked worktrees are gone')
  if (chance.percent(50)) await clean(story)
  for (const conversation of story.conversations) {
    await story.save(conversation, undefined, root)
    await law.checkShown(conversation, root)
  }
  const history = historyOf(world)
  for (const conversation of story.conversations) documents.checkLast(root!, conversation, history)
  checkProject(world)
}

/** The next verb brings every conversation back, also if a hook has made the workspace again before. */
async function clean(story: Story): Promise<void> {
  const { root, lab } = story.world
  story.note('git clean -x in the main one')
  lab.git('clean', '-fdxq')
  if (story.chance.percent(50)) await story.start(await story.sit())
  await story.type(['list'])
  const gone = story.conversations.filter((path) => !existsSync(join(root, path)))
  require(gone.length === 0, `not brought back: ${gone.join(', ')}`)
}

/** Every content that the history has. */
function historyOf({ lab, root }: World): string[] {
  const own = join(root, '.git', 'cortext', 'conversations.git')
  const git = (...args: string[]) => lab.git('--git-dir', own, ...args)
  require(lab.tryGit('--git-dir', own, 'fsck', '--full', '--no-dangling'), 'the history is damaged')
  const blobs = lines(git('cat-file', '--batch-all-objects', '--batch-check')).filter((line) =>
    / blob /.test(line),
  )
  return blobs.map((line) => git('cat-file', 'blob', line.split(' ')[0]!))
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}
