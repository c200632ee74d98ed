import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bash } from './reply.ts'
import { openWorkspaceLab } from './workspace-lab.ts'

const TYPED = '/workspace.brainstorm API design'

describe('a machine on which cortext does not work', () => {
  it('without it the client works, and says in one line that nothing is recorded', async () => {
    await using lab = await openWorkspaceLab()
    rmSync(join(lab.bin, 'cortext'))
    const terminal = await lab.interactive([TYPED])
    const screen = await terminal.waitFor('Scripted answer 1.')
    expect(screen.match(/this conversation is not being recorded/g)).toHaveLength(1)
    await terminal.submit('more')
    await terminal.waitFor('Scripted answer 2.')
    expect(terminal.screen().match(/not being recorded/g)).toHaveLength(1)
    expect(lab.conversations()).toEqual([])
  })

  it('a hook that fails says so in one line, and does not disturb the client', async () => {
    await using lab = await openWorkspaceLab()
    const local = join(lab.project, '.git', 'cortext')
    rmSync(local, { recursive: true, force: true })
    writeFileSync(local, 'A file where a folder should be: not even root can write into it.')
    lab.model.when('more', bash('echo works'), 'It works.')
    const terminal = await lab.interactive([TYPED, '--allowedTools=Bash'])
    await terminal.waitFor('Scripted answer 1.')
    await terminal.submit('more')
    await terminal.waitFor('It works.')
    await expect.poll(() => terminal.history()).toMatch(/cortext could not record/)
    expect(terminal.history()).not.toMatch(/hook (error|failed)/i)
    expect(await lab.leave(terminal)).toBe(0)
  })
})
