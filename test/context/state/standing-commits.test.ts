import { describe, expect, test } from 'vitest'
import type { ShellRun } from '../../../src/context/state/quiet-commit.ts'
import { standingCommits } from '../../../src/context/state/standing-commits.ts'

const ran = (command: string, output = '', failed = false): ShellRun => ({ command, output, failed })
const commit = (n: number, branch = 'main') =>
  ran(`git commit -m ${n}`, `[${branch} 000000${n}] Add ${n}\n 1 file changed`)
const standing = (...runs: ShellRun[]) =>
  standingCommits(runs).map(({ subject }) => subject.replace('Add ', ''))

describe('a commit stands', () => {
  const three = [commit(1), commit(2), commit(3)]

  test.each<[string, string[]]>([
    ['git reset --soft HEAD~1', ['1', '2']],
    ['git log -1 --oneline && git reset --soft HEAD~1 && git status --short', ['1', '2']],
    ['git reset HEAD^^', ['1']],
    ['git reset --hard HEAD~2', ['1']],
    ['git -C . reset --mixed "HEAD~"', ['1', '2']],
    ['git reset --hard HEAD~9', []],
    ['git reset --hard 0000001', ['1']],
    ['git reset --hard 0000001 && git reset --hard ORIG_HEAD', ['1', '2', '3']],
    // These take no commit back, as far as is known.
    ['git reset', ['1', '2', '3']],
    ['git reset --hard', ['1', '2', '3']],
    ['git reset HEAD', ['1', '2', '3']],
    ['git reset HEAD~1 -- a.ts', ['1', '2', '3']],
    ['git reset HEAD~1 a.ts', ['1', '2', '3']],
    ['git reset --hard origin/main', ['1', '2', '3']],
    ['git stash -m "then git reset --hard HEAD~1"', ['1', '2', '3']],
  ])('unless a later command took it back: after %j', (command, left) => {
    expect(standing(...three, ran(command))).toEqual(left)
  })

  test('if git refused to take it back', () => {
    expect(
      standing(...three, ran('git reset --hard HEAD~1', 'fatal: ambiguous argument', true)),
    ).toHaveLength(3)
    expect(standing(...three, ran('git reset --soft HEAD~1 && npm test', '2 failed', true))).toHaveLength(2)
  })

  test('on its own branch, whatever a reset does on another one', () => {
    const back = ran('git reset --hard HEAD~1')
    expect(standing(commit(1), commit(2, 'wip'), back)).toEqual(['1'])
    expect(
      standing(commit(1), commit(2, 'wip'), ran('git checkout -q main && git reset --hard HEAD~1')),
    ).toEqual(['2'])
    const switched = ran('git checkout -', "Switched to branch 'other'")
    expect(standing(commit(1), commit(2), switched, back)).toEqual(['1', '2'])
  })

  test('unless its branch was set to one that was begun without it', () => {
    const back = ran('git checkout -q main && git reset -q --hard clean && git branch -D clean')
    const begin = (words: string) => ran(`git checkout -q -B clean${words} && git commit -q -F m.txt`)
    expect(standing(...three, begin(' main~3'), back)).toEqual([])
    expect(standing(commit(1), begin(''), ran('git checkout -q main'), commit(2), back)).toEqual(['1'])
  })

  test('unless its changes were put into a new one, or on another branch than before', () => {
    const fold = (words: string) => ran(`git reset ${words} && git commit -m 4`, '[main 0000004] Add 4\n')
    for (const words of ['--soft 9f01281', '9f01281', '--soft origin/next'])
      expect(standing(...three, fold(words)), words).toEqual(['4'])
    expect(standing(...three, fold('src/a.ts'))).toHaveLength(4)
    const moved = ran('git branch wip && git reset --hard HEAD~2 && git checkout wip')
    expect(standingCommits([...three, moved]).map(({ branch }) => branch)).toEqual(['main', 'wip', 'wip'])
    expect(standing(...three, ran('git branch backup/main && git reset --hard HEAD~2'))).toEqual(['1'])
    expect(standing(...three, ran('git branch wip && git reset --soft HEAD~2'))).toEqual(['1'])
  })

  test('if git was told to be quiet, and nothing says that it refused', () => {
    const quiet = (words: string, output = '', failed = false) =>
      standingCommits([commit(1, 'wip'), ran(words, output, failed)]).slice(1)
    const told = { id: '', branch: 'wip', subject: 'Add 2: the pear' }
    expect(quiet('git add -A && git commit -qm "Add 2: the pear" && git push -q')).toEqual([told])
    expect(quiet("git commit -q -m 'Add 2: the pear' -m 'And why'")).toEqual([told])
    expect(
      quiet('git commit --quiet -m "Add 2: the pear"; git log --oneline -1', '0000002 Add 2: the pear'),
    ).toEqual([{ ...told, id: '0000002' }])
    expect(quiet('git commit -q -m "$(cat <<\'EOF\'\nAdd 2: the pear\n\nWhy.\nEOF\n)"')).toEqual([told])
    expect(quiet("git commit -q -F - <<'EOF'\nAdd 2: the pear\n\nWhy.\nEOF")).toEqual([told])
    const amend = ran('git commit -a --amend --no-edit -q && git log --oneline -1', '0000002 Add 2')
    expect(standingCommits([commit(1, 'wip'), amend])).toEqual([
      { id: '0000002', branch: 'wip', subject: 'Add 2' },
    ])
    for (const output of ['nothing to commit, working tree clean', 'error: hook refused', 'fatal: no name'])
      expect(quiet('git commit -qm "Add 2"', output)).toEqual([])
    expect(quiet('git commit -qm "Add 2"', '', true)).toEqual([])
    expect(quiet('git commit -q -F m.txt')).toEqual([])
  })

  test('if its report went to another program, which left some of it', () => {
    const two = (end: string, output: string) =>
      ran(`git commit -m 'Add 1' | tail -1 && git add b && git commit -m "Add 2" | tail -1${end}`, output)
    expect(standing(two('', ' 1 file changed, 2 insertions(+)\n 2 files changed'))).toEqual(['1', '2'])
    const log = ' create mode 100644 b\n 1 file changed\n0000002 Add 2\n0000001 Add 1'
    expect(standingCommits([two(' && git log --oneline -2', log)]).map(({ id }) => id)).toEqual([
      '0000001',
      '0000002',
    ])
    expect(standing(two('', '[main 0000002] Add 2\n 1 file changed'))).toEqual(['1', '2'])
    expect(standing(ran('git commit -m "Add 1" | tail -1', '✖ 3 problems'))).toEqual([])
  })

  test('unless it is to be put into another one, or was only tried in a worktree', () => {
    expect(standing(commit(1), ran('git commit --fixup HEAD', '[main 0000002] fixup! Add 1'))).toEqual(['1'])
    const tried =
      'git worktree add --detach ../t && git -C ../t commit -m x && git worktree remove --force ../t'
    expect(standing(commit(1), ran(tried, '[detached HEAD 0000002] Add 2'))).toEqual(['1'])
    const left =
      'Warning: you are leaving 1 commit behind, not connected to\nany of your branches:\n\n  0000002 Add 2\n\nHEAD is now at 0000001 Add 1'
    for (const more of ['', ' && git log --oneline -1'])
      expect(standing(commit(1), ran(`git commit -qm "Add 2" && git checkout main${more}`, left))).toEqual([
        '1',
      ])
  })

  test('unless it was made on a branch that is deleted and that nothing else names', () => {
    const quiet = ran('git -C ../wt commit -qm "Add 1" && git log --oneline -1', '0000001 Add 1')
    const deleted = ran('git branch -D wt', 'Deleted branch wt (was 0000001).')
    expect(standing(quiet)).toEqual(['1'])
    expect(standing(quiet, deleted)).toEqual([])
    expect(standing(commit(1, 'wt'), deleted)).toEqual(['1'])
  })

  test('unless a later log shows it: a rebase that nobody saw has given it another id', () => {
    const gone = ran('git reset --hard HEAD~2', 'HEAD is now at 0000001 Add 1')
    expect(standing(...three, gone)).toEqual(['1'])
    expect(standing(...three, gone, ran('git log --oneline -3', '8888883 Add 3\n8888882 Add 2'))).toEqual([
      '1',
      '2',
      '3',
    ])
    const moved = standingCommits([...three, gone, ran('git log --oneline -3', '8888883 Add 3')])
    expect(moved.map(({ id }) => id)).toEqual(['0000001', '8888883'])
    expect(standing(...three, gone, ran('git log --oneline --all', '0000003 Add 3'))).toEqual(['1'])
  })

  test('once, on the branch that has it in the end, if it is made again or its branch is moved', () => {
    const again = (n: number, branch: string) =>
      ran(`git cherry-pick ${n}`, `[${branch} 100000${n}] Add ${n}\n Date: today`)
    const made = standingCommits([
      ...three,
      ran('git checkout -q -B tmp main~3'),
      ...[again(1, 'tmp'), again(3, 'tmp')],
      ran('git branch -f main tmp && git branch -D tmp'),
    ])
    expect(made.map(({ id, branch }) => `${id} ${branch}`)).toEqual(['1000001 main', '1000003 main'])
  })

  test('beside another one of its branch that has the same subject', () => {
    const logs = (id: string) => ran('git commit -m logs', `[main ${id}] Update the logs\n 1 file changed`)
    expect(standingCommits([logs('0000001'), commit(2), logs('0000003')]).map(({ id }) => id)).toEqual([
      ...['0000001', '0000002', '0000003'],
    ])
  })

  test('in place of those that were squashed into it, or that it amended', () => {
    const squash = ran('git reset --soft HEAD~2 && git commit -m "Add 4"', '[main 0000004] Add 4')
    expect(standing(...three, squash)).toEqual(['1', '4'])
    const amend = ran('git commit --amend --no-edit', '[main 0000005] Add 5')
    expect(standing(...three, amend)).toEqual(['1', '2', '5'])
    const loop = ran(
      'for f in a b; do git commit -m $f; done; git reset HEAD~1',
      '[main 0000006] Add 6\n[main 0000007] Add 7',
    )
    expect(standing(commit(1), loop)).toEqual(['1', '6'])
  })

  test('also when it was reverted, because the commit that reverts it is listed too', () => {
    const revert = ran('git revert --no-edit 0000003', '[main 0000008] Revert "Add 3"\n 1 file changed')
    expect(standing(...three, revert)).toEqual(['1', '2', '3', 'Revert "3"'])
    const pick = ran('git cherry-pick abc1234', '[main 0000009] Add 9\n Date: Mon Mar 2')
    expect(standing(commit(1), pick)).toEqual(['1', '9'])
  })
})
