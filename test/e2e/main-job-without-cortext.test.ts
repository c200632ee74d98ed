import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { allText } from './model-request.ts'
import { bash } from './reply.ts'
import { openWorkspaceLab } from './workspace-lab.ts'

const TYPED = '/workspace.brainstorm API design'

describe('a machine on which cortext does not work', () => {
  it('without it the client works, and names what is missing', async () => {
    await using lab = await openWorkspaceLab()
    rmSync(join(lab.bin, 'cortext'))
    const terminal = await lab.interactive([TYPED])
    await terminal.waitFor('Scripted answer 1.')
    await terminal.submit('more')
    await terminal.waitFor('Scripted answer 2.')
    expect(terminal.history()).toContain('Executable not found in $PATH: "cortext"')
    expect(lab.conversations()).toEqual([])
    // The agent is told what to say: it gets no note that a conversation is open.
    expect(lab.model.requests.map(allText).join()).not.toContain('Executable not found')
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
