import { expect, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { workspaceLab } from '../helpers/workspace-lab.ts'

test('a stop that commits a large record says so, and doctor names the largest conversations', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'Small')
  await claude.turn('hello')
  const stop = () => lab.cortext(['stop', '--summary', 's'], { env: claude.env })
  expect((await stop()).stderr).not.toContain('record of')
  expect((await lab.cortext(['doctor'])).stdout).not.toContain('the largest')

  await claude.command('workspace.brainstorm', 'Large')
  for (let turn = 0; turn < 3; turn += 1) claude.say(`turn ${turn}`, 'lorem ipsum '.repeat(210_000))
  await claude.turn('last one')
  expect((await stop()).stderr).toMatch(
    /^Committed with a record of 7\.\d MB, which stays in git's history\./m,
  )
  expect((await lab.cortext(['doctor'])).stdout).toMatch(
    /2 conversations, 7\.\d MB in all; the largest: conversations\/\S+\/002-brainstorm-large \(7\.\d MB\)$/m,
  )
})
