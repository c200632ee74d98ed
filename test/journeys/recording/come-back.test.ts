import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { type Lab, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

test('X-19 a person who comes back after hours is told that the conversation was paused; it continues, and git sees nothing', async () => {
  const { lab, claude } = await talking()
  quietFor(lab, 3)
  const { stdout } = await claude.hook('UserPromptSubmit', { prompt: 'two' })

  expect(JSON.parse(stdout).systemMessage).toBe(
    '"API" was saved as paused: the last thing in it was said 3 hours ago. It goes on now.',
  )
  claude.say('two')
  await claude.hook('Stop', { stop_hook_active: false })
  expect((await claude.hook('UserPromptSubmit', { prompt: 'three' })).stdout).toBe('')
  expect(talk(await shown(lab, '001')).slice(-2)).toEqual(['user: two', 'assistant: answer to two'])
  expect(lab.git('status', '--porcelain', '-uall', 'conversations')).toMatch(/^\?\? \S+\/brainstorm\.md\n$/)
})

test('the person is not told of a short break', async () => {
  const { lab, claude } = await talking()
  quietFor(lab, 0.5)
  expect((await claude.hook('UserPromptSubmit', { prompt: 'two' })).stdout).toBe('')
})

async function talking() {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API')
  await claude.turn('one')
  return { lab, claude }
}

function quietFor(lab: Lab, hours: number): void {
  const folder = join(lab.root, '.git/cortext/journal/claude')
  const then = new Date(Date.now() - hours * 60 * 60_000 - 1000)
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), then, then)
}
