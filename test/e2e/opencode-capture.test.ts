import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inLongRun } from '../helpers/in-long-run.ts'
import { allText } from './model-request.ts'
import { openWorkspaceLab } from './opencode-workspace.ts'
import { tool } from './reply.ts'
import { STOP_BODY, saidIn, stopWith } from './workspace-lab.ts'

const shell = (command: string) => tool('bash', { command, description: 'a scripted command' })

/** 3 MB: what OpenCode prints to a pipe is cut at 64 KiB or so. */
const LONG = `${'0123456789abcdef'.repeat(196_608)} the end`

describe('OpenCode: a conversation', () => {
  inLongRun('is recorded whole, however long, and uninstall takes back what was made for it', async () => {
    await using lab = await openWorkspaceLab()
    lab.model.when('Topic: API design', LONG)
    await lab.headless('API design', ['--command', 'workspace.brainstorm'])
    await lab.settled()
    expect(saidIn(lab.messages())).toEqual(['user: /workspace.brainstorm API design', `assistant: ${LONG}`])

    const transcripts = join(lab.home, '.local', 'share', 'cortext')
    expect(readdirSync(join(transcripts, 'opencode'))).toHaveLength(1)
    const [conversation] = lab.conversations()
    const removed = await lab.cortext(['uninstall'])
    expect(removed).toMatchObject({ code: 0, stderr: '' })
    expect(existsSync(transcripts)).toBe(false)
    for (const path of ['.opencode/plugins', '.opencode/cortext', '.opencode/commands', '.workspace'])
      expect(existsSync(join(lab.project, path))).toBe(false)
    expect(saidIn(lab.messages(conversation)).at(-1)).toBe(`assistant: ${LONG}`)
  })

  it('S1-002a: is recorded with its tools from the command that began it to the stop, in a terminal', async () => {
    await using lab = await openWorkspaceLab()
    lab.put('note.txt', 'THE NOTE')
    lab.model.when('read the note', shell('cat note.txt'), 'It says THE NOTE.')
    lab.model.when(STOP_BODY, shell(stopWith('REST it is.')), 'Saved.')
    const terminal = await lab.interactive()
    await terminal.submit('/workspace.brainstorm API design')
    await terminal.waitFor('Scripted answer 1.')
    const received = allText(lab.model.requests[0]!)
    expect(received).toContain('Topic: API design')
    expect(received).toContain('[cortext] Conversation 001-brainstorm-api-design is open')
    await terminal.submit('read the note')
    await terminal.waitFor('It says THE NOTE.')
    await terminal.submit('/workspace.stop-conversation ')
    await terminal.waitFor('Saved.')
    await lab.leave(terminal)
    expect(saidIn(lab.messages())).toEqual([
      'user: /workspace.brainstorm API design',
      'assistant: Scripted answer 1.',
      'user: read the note',
      'assistant: ',
      'assistant: It says THE NOTE.',
    ])
    expect(lab.messages().find(({ role }) => role === 'tool')).toMatchObject({
      tool_name: 'bash',
      content: 'THE NOTE',
    })
    expect(lab.session()).toMatchObject({
      title: 'API design',
      status: 'paused',
      context_summary: 'REST it is.',
      agent_config: { client: 'opencode', model: 'fake/scripted' },
    })
    expect(lab.status()).toEqual(['?? note.txt'])
    expect((await lab.cortext(['list'])).stdout).toContain('API design')
  })
})
