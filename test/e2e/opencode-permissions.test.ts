import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openWorkspaceLab } from './opencode-workspace.ts'
import { tool } from './reply.ts'
import { stopWith } from './workspace-lab.ts'

const shell = (command: string) => tool('bash', { command, description: 'a scripted command' })

describe('OpenCode, where the person is asked about shell commands', () => {
  it.each([{ bash: 'ask' }, { '*': 'ask' }])(
    'runs the calls of our commands unasked: %j',
    async (permission) => {
      await using lab = await openWorkspaceLab({ config: { permission } })
      await lab.headless('API design', ['--command', 'workspace.brainstorm'])
      lab.model.when('thank you', shell('cortext list'), shell(stopWith('a > b; $(c)')), 'Both ran.')
      const done = await lab.headless('thank you', ['--continue'])
      expect(done.stderr).not.toContain('permission requested')
      expect(done.stdout).toContain('Both ran.')
      expect(lab.session()).toMatchObject({ status: 'paused', context_summary: 'a > b; $(c)' })
    },
  )

  it('lets nothing more than such a call through', async () => {
    await using lab = await openWorkspaceLab({ config: { permission: { bash: 'ask' } } })
    for (const command of [
      'cortext list > y',
      '(cortext list) > y',
      '{ cortext list; } > y',
      'cortext list | cortext list > y',
      'cortext list | tee y',
      'cortext list && touch y',
      'cortext list; touch y',
      'cortext list $(touch y)',
      'cortext list\ntouch y',
      `${stopWith('s')}\ntouch y`,
    ]) {
      lab.model.when('hello', shell(command), `${command} ran.`)
      // Without a terminal OpenCode answers each question with a no.
      const done = await lab.headless('hello')
      expect(done.stderr, command).toContain('permission requested: bash')
      expect(done.stdout).not.toContain(`${command} ran.`)
      expect(existsSync(join(lab.project, 'y')), command).toBe(false)
    }
  })

  it('runs in a terminal what the person says yes to', async () => {
    await using lab = await openWorkspaceLab({ config: { permission: { bash: 'ask' } } })
    lab.model.when('hello', shell('cortext list > y'), 'It ran.')
    const terminal = await lab.interactive()
    await terminal.submit('hello')
    const screen = await terminal.waitFor('Permission required')
    expect(screen).toContain('cortext list > y')
    expect(existsSync(join(lab.project, 'y'))).toBe(false)
    terminal.press('Enter')
    await terminal.waitFor('It ran.')
    expect(existsSync(join(lab.project, 'y'))).toBe(true)
  })
})
