import { expect, it } from 'vitest'
import { inLongRun } from '../helpers/in-long-run.ts'
import { leave as leaveGemini, openGeminiWorkspaceLab, say } from './gemini-workspace.ts'
import { CLAUDE_VERSIONS } from './install.ts'
import { allText } from './model-request.ts'
import { openWorkspaceLab as openOpenCodeLab } from './opencode-workspace.ts'
import { openWorkspaceLab, saidIn } from './workspace-lab.ts'

const LINE = /This conversation is being recorded: conversations\/\S+/

it.each(CLAUDE_VERSIONS)(
  'Claude Code %s: the person sees that recording has begun, the model and the record do not',
  async (version) => {
    await using lab = await openWorkspaceLab({ version })
    const terminal = await lab.interactive()
    await terminal.submit('/workspace.plan Release')
    await terminal.waitFor('Scripted answer 1.')
    await terminal.waitFor((screen) => LINE.test(screen.replace(/\s*\n\s*/g, '')) || LINE.test(screen))
    await lab.leave(terminal)
    for (const request of lab.model.requests)
      expect(allText(request)).not.toContain('is being recorded: conv')
    expect(saidIn(lab.messages())).toEqual(['user: /workspace.plan Release', 'assistant: Scripted answer 1.'])
  },
)

inLongRun('Gemini CLI: the same', async () => {
  await using lab = await openGeminiWorkspaceLab()
  const terminal = await lab.interactive()
  await say(terminal, '/workspace.plan Release', 'Scripted answer 1.')
  await terminal.waitFor((screen) => LINE.test(screen.replace(/\s*\n\s*/g, '')) || LINE.test(screen))
  await leaveGemini(terminal)
  await lab.settled()
  for (const request of lab.model.requests) expect(allText(request)).not.toContain('is being recorded: conv')
  expect(saidIn(lab.messages())).toEqual(['user: /workspace.plan Release', 'assistant: Scripted answer 1.'])
})

inLongRun('OpenCode: the same, in a toast', async () => {
  await using lab = await openOpenCodeLab()
  const terminal = await lab.interactive()
  await terminal.submit('/workspace.plan Release')
  await terminal.waitFor(/being recorded: *[\s│┃]*conversations/)
  await terminal.waitFor('Scripted answer 1.')
  await lab.leave(terminal)
  for (const request of lab.model.requests) expect(allText(request)).not.toContain('is being recorded: conv')
  expect(saidIn(lab.messages())).toEqual(['user: /workspace.plan Release', 'assistant: Scripted answer 1.'])
})
