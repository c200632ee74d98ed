import { expect, test } from 'vitest'
import {
  conversationNamed,
  conversationTrailer,
  reportedCommits,
} from '../../../src/session/shell/commits.ts'

test('commits are read from the output only if the command contains a commit', () => {
  const output = [
    'hook says hello',
    '[main (root-commit) 1a2b3c4] First',
    ' 1 file changed',
    '[detached HEAD 0123456789] Second [x]',
    ' [main 7654321] indented is no line of git',
  ].join('\n')
  expect(reportedCommits('git add . && git commit -m x', output)).toEqual([
    { id: '1a2b3c4', branch: 'main', subject: 'First', files: 1 },
    { id: '0123456789', branch: 'detached HEAD', subject: 'Second [x]' },
  ])
  const stopped =
    'failed in sandbox: exit code: 128, stdout: [main 2222222] Add Foo\n 3 files changed\n, stderr: fatal:'
  expect(reportedCommits('git commit -m x && git push', stopped)).toMatchObject([{ subject: 'Add Foo' }])
  expect(reportedCommits('cat notes', output)).toEqual([])
  for (const command of ['git revert --no-edit HEAD', 'git cherry-pick 1a2b3c4'])
    expect(reportedCommits(command, output)).toHaveLength(2)
})

test('a trailer counts only in the last paragraph', () => {
  const trailer = conversationTrailer('conversations/2026-01-02/001-plan-api')
  expect(trailer).toBe('Conversation: 2026-01-02/001-plan-api')
  expect(conversationNamed(`Subject\n\nBody\n\n${trailer}\n`)).toBe('2026-01-02/001-plan-api')
  expect(conversationNamed(`Subject\n\n${trailer}\nSigned-off-by: Ada <a@b>\n`)).toBe(
    '2026-01-02/001-plan-api',
  )
  expect(conversationNamed(`Subject\n\n${trailer}\n\nBody`)).toBeUndefined()
  expect(conversationNamed(trailer)).toBeUndefined()
})
