import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bash, text } from './reply.ts'
import { openWorkspaceLab, saidIn } from './workspace-lab.ts'

const TYPED = '/workspace.brainstorm API design'

describe('a client that is killed in the middle of a turn', () => {
  it('S1-004h E-22: has lost nothing that was on disk', async () => {
    await using lab = await openWorkspaceLab()
    const terminal = await lab.interactive([TYPED])
    await terminal.waitFor('Scripted answer 1.')
    lab.model.when('second question', { blocks: [text('Half an answer.')], until: new Promise(() => {}) })
    await terminal.submit('second question')
    await terminal.waitFor('Half an answer.')
    await expect.poll(() => lab.talk()).toContain('second question')
    terminal.kill('SIGKILL')
    expect(await terminal.waitForExit()).toBe(137)

    const list = await lab.cortext(['resume', '--list'])
    expect(list.stdout).toMatch(/001-brainstorm-api-design +brainstorm +active .* API design/)
    const shown = await lab.cortext(['show', '001', '--messages'])
    expect(shown).toMatchObject({ code: 0 })
    const places = [TYPED, 'Scripted answer 1.', 'second question'].map((part) => shown.stdout.indexOf(part))
    expect(places).not.toContain(-1)
    expect(places).toEqual([...places].sort((a, b) => a - b))

    const again = await lab.resume(['-c'])
    await again.submit('where were we?')
    await again.waitFor('Scripted answer 3.')
    await lab.leave(again)
    expect(saidIn(lab.messages())).toEqual([
      `user: ${TYPED}`,
      'assistant: Scripted answer 1.',
      'user: second question',
      'user: where were we?',
      'assistant: Scripted answer 3.',
    ])
  })
})

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
