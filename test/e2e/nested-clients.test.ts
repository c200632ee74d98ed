import { describe, expect, it } from 'vitest'
import { leave, openGeminiWorkspaceLab, say, shell } from './gemini-workspace.ts'
import { openWorkspaceLab } from './opencode-workspace.ts'
import { tool } from './reply.ts'
import { STOP_BODY, saidIn, stopWith } from './workspace-lab.ts'

/** What Claude Code gives to whatever is started in its shell. */
const env = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'aaaaaaaa-1111-4222-8333-444444444444' }
const SAID = ['user: /workspace.brainstorm API design', 'assistant: Scripted answer 1.']

describe('a client that was started in the shell of Claude Code', () => {
  it('has its own conversation stopped: Gemini CLI', async () => {
    await using lab = await openGeminiWorkspaceLab({ env })
    lab.model.when(STOP_BODY, shell(stopWith('REST it is.')), 'Saved.')
    const terminal = await lab.interactive()
    await say(terminal, '/workspace.brainstorm API design', 'Scripted answer 1.')
    await say(terminal, '/workspace.stop-conversation', 'Saved.')
    await leave(terminal)
    expect(saidIn(lab.messages())).toEqual(SAID)
    expect(lab.session()).toMatchObject({ status: 'paused', context_summary: 'REST it is.' })
  })

  it('has its own conversation stopped: OpenCode', async () => {
    await using lab = await openWorkspaceLab({ env })
    const stop = tool('bash', { command: stopWith('REST it is.'), description: 'x' })
    lab.model.when(STOP_BODY, stop, 'Saved.')
    await lab.headless('API design', ['--command', 'workspace.brainstorm'])
    await lab.headless('', ['--continue', '--command', 'workspace.stop-conversation'])
    expect(saidIn(lab.messages())).toEqual(SAID)
    expect(lab.session()).toMatchObject({ status: 'paused', context_summary: 'REST it is.' })
  })
})
