import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { allText } from './model-request.ts'
import { openWorkspaceLab } from './opencode-workspace.ts'
import { tool } from './reply.ts'
import { saidIn } from './workspace-lab.ts'

const shell = (command: string) => tool('bash', { command, description: 'a scripted command' })
const TYPED = '/workspace.brainstorm API design'

describe('OpenCode, when something goes wrong', () => {
  it('works as before where cortext is missing, and says once that it does not record', async () => {
    await using lab = await openWorkspaceLab()
    rmSync(join(lab.bin, 'cortext'))
    const terminal = await lab.interactive()
    await terminal.submit(TYPED)
    await terminal.waitFor(/cortext was not/)
    await terminal.waitFor('Scripted answer 1.')
    expect(allText(lab.model.requests[0]!)).toContain('Topic: API design')
    expect(lab.conversations()).toEqual([])
  })

  it('loses nothing of the turns before a kill, and goes on with them', async () => {
    await using lab = await openWorkspaceLab({ isNew: true })
    const terminal = await lab.interactive()
    await terminal.submit(TYPED)
    await terminal.waitFor('Scripted answer 1.')
    await terminal.submit('and then')
    await terminal.waitFor('Scripted answer 2.')
    terminal.kill('SIGKILL')
    await terminal.waitForExit()
    const resumed = await lab.resume(['-c'])
    await resumed.waitFor('Scripted answer 2.')
    await resumed.submit('go on')
    await resumed.waitFor('Scripted answer 3.')
    await lab.leave(resumed)
    expect(saidIn(lab.messages())).toEqual([
      `user: ${TYPED}`,
      'assistant: Scripted answer 1.',
      'user: and then',
      'assistant: Scripted answer 2.',
      'user: go on',
      'assistant: Scripted answer 3.',
    ])
  })

  it('keeps what the launch needed from the programs that an agent runs', async () => {
    await using lab = await openWorkspaceLab({ isNew: true })
    const first = await lab.interactive()
    await first.submit(TYPED)
    await first.waitFor('Scripted answer 1.')
    await lab.leave(first)
    lab.model.when(/^look$/, shell('env > seen.txt; echo looked'), 'Looked.')
    lab.model.when(
      /^what is in it$/,
      shell('grep -c -E "npm_config_offline|CORTEXT_(OFFLINE|RESUME)" seen.txt'),
      'Counted.',
    )
    const terminal = await lab.resume(['-c', '--mode', 'handoff'])
    await terminal.submit('look')
    await terminal.waitFor('Looked.')
    await terminal.submit('what is in it')
    await terminal.waitFor('Counted.')
    await lab.leave(terminal)
    const [counted] = lab
      .messages()
      .filter(({ role }) => role === 'tool')
      .slice(-1)
    expect(counted?.content).toBe('0\n')
  })
})
