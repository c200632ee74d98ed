import { expect, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { twoPeople } from '../helpers/two-people.ts'

const IMAGE = Buffer.from('not really an image').toString('base64')

// promise: the agent has the same instructions and the history that fits, knows where the rest
// promise: Another machine has what its branch has.
test('another person on another machine resumes at another path, and one line names what is missing', async () => {
  const { ann, bob } = await twoPeople()
  const claude = new ClaudeSession(ann)
  await claude.command('workspace.debug', 'Login')
  claude.user([
    { type: 'text', text: 'what does this picture say' },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: IMAGE } },
  ])
  claude.assistant(
    [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'cat log' } }],
    'tool_use',
  )
  claude.user([{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a line of the log\n'.repeat(5000) }])
  await claude.turn('and now')
  await ann.json(['stop', '001', '--json'])
  const here = await ann.cortext(['resume', '001', '--in', 'claude', '--dry-run'])
  expect(here.stdout).not.toContain('Not on this machine')

  ann.git('push', '--quiet')
  bob.git('pull', '--quiet')
  const { stdout } = await bob.cortext(['resume', '001', '--in', 'claude', '--dry-run'])
  expect(stdout).toContain('This conversation was begun and last said by Ann.')
  expect(stdout.split('\n').filter((line) => line.includes('Not on this machine'))).toEqual([
    'Claude Code does not have its session here, so the conversation goes on in a new one. Not on this machine: 1 long output and 1 image of this conversation.',
  ])
  const { stdout: given } = await bob.cortext(['resume', '001', '--in', 'claude', '--print'])
  expect(given.match(/Not on this machine: .*/g)).toEqual([
    'Not on this machine: 1 long output and 1 image of this conversation',
  ])
  expect(given).toContain('Whose: begun and last said by Ann; now with Bob')
  expect(given).toContain('### User (Ann)')
  expect(given).not.toContain(ann.root)
})
