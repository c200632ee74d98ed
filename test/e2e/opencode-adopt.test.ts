import { describe, expect, it } from 'vitest'
import { openWorkspaceLab } from './opencode-workspace.ts'
import { tool } from './reply.ts'
import { STOP_BODY, saidIn, stopWith } from './workspace-lab.ts'

const shell = (command: string) => tool('bash', { command, description: 'a scripted command' })
/** 3 MB: OpenCode's export to a pipe would be cut at 64 KiB or so. */
const LONG = `${'0123456789abcdef'.repeat(196_608)} the end`

describe('OpenCode: a session that was not recorded', () => {
  it('S2-14: is found, and imported whole, once, with its subagent, though it is longer than a pipe passes on', async () => {
    await using lab = await openWorkspaceLab()
    const task = tool('task', {
      description: 'sub work',
      prompt: 'do the sub thing',
      subagent_type: 'general',
    })
    lab.model.when('do the sub thing', 'The sub thing is done.')
    lab.model.when('delegate', task, LONG)
    await lab.headless('delegate', ['--pure'])

    const listed = JSON.parse((await lab.cortext(['--json'])).stdout)
    expect(listed.native).toMatchObject([{ client: 'opencode', title: 'A scripted title' }])
    const done = await lab.cortext(['import', 'opencode', '--all', '--type', 'plan'])
    expect(done.stderr).toBe('')
    expect(saidIn(lab.messages())).toEqual(['user: delegate', 'assistant: ', `assistant: ${LONG}`])
    expect(lab.session()).toMatchObject({ title: 'A scripted title', status: 'paused' })
    const before = lab.messages()
    await lab.cortext(['import', 'opencode', '--all', '--type', 'plan'])
    expect(lab.conversations()).toHaveLength(1)
    expect(lab.messages()).toEqual(before)
    expect(JSON.parse((await lab.cortext(['--json'])).stdout).native).toEqual([])
  })

  it('S1-002a: becomes a conversation from its first message when the person stops it, though shells ask first', async () => {
    await using lab = await openWorkspaceLab({ config: { permission: { bash: 'ask' } } })
    lab.model.when(STOP_BODY, shell(stopWith('We said hello.')), 'Saved.')
    const terminal = await lab.interactive()
    await terminal.submit('hello there')
    await terminal.waitFor('Scripted answer 1.')
    await terminal.submit('/workspace.stop-conversation ')
    await terminal.waitFor('Saved.')
    await lab.leave(terminal)
    expect(saidIn(lab.messages())).toEqual(['user: hello there', 'assistant: Scripted answer 1.'])
    expect(lab.session()).toMatchObject({ status: 'paused', context_summary: 'We said hello.' })
  })
})
