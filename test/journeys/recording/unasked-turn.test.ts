import { expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

const NOTE =
  '<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n<result>exit 1</result>\n</task-notification>'

test('what an agent says in a turn that a background task has begun is saved, also if that turn stops the conversation', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.plan', 'Ship')
  await claude.turn('Build it in the background, tell me how it ends, and stop.', 'It runs.')
  claude.user(NOTE)
  claude.assistant([{ type: 'text', text: 'The build fails; we take REST.' }], 'tool_use')
  const call = { type: 'tool_use', id: 'toolu_stop', name: 'Bash', input: { command: 'cortext agent stop' } }
  claude.assistant([call], 'tool_use')
  expect((await lab.cortext(['agent', 'stop'], { env: claude.env })).code).toBe(0)
  expect(talk(await shown(lab, '1')).join('\n')).toContain('The build fails; we take REST.')
})
