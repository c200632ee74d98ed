import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { shown, talk, workspaceLab } from '../helpers/workspace-lab.ts'

test('smoke', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API Design')
  await claude.turn('one')
  console.log(await lab.cortext(['list']))
  console.log(talk(await shown(lab, '001')))
  console.log(
    await claude.command('workspace.stop-conversation', '', () =>
      lab.cortext(['stop', '--summary-stdin'], { input: 'where we are', env: claude.env }),
    ),
  )
  console.log(await lab.cortext(['list']), lab.git('log', '--oneline'), lab.git('status', '--short'))
  console.log(talk(await shown(lab, '001')))
  console.log(await lab.cortext(['resume', 'api desing', '--print']))
})
