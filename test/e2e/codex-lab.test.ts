import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { codexShell, leaveCodex, openCodexLab, rolloutOf } from './codex.ts'
import { typedText } from './model-request.ts'

describe('the lab of Codex CLI', () => {
  it('answers a prompt without a terminal, and runs what the model asks for in the shell', async () => {
    await using lab = await openCodexLab()
    lab.model.when('Hello', [codexShell('echo ran >made')], 'It is made.')
    const done = await lab.headless('Hello $HOME `ls`')
    expect(done).toMatchObject({ code: 0, stdout: 'It is made.\n' })
    expect(existsSync(join(lab.project, 'made'))).toBe(true)
    expect(lab.model.requests.map(typedText)).toEqual(['Hello $HOME `ls`', 'Hello $HOME `ls`'])
    expect(lab.model.strays).toEqual([])
    expect(lab.transcripts()).toHaveLength(1)
    expect(rolloutOf(lab.transcripts()[0]!)[0].type).toBe('session_meta')
  })

  it('answers in a terminal', async () => {
    await using lab = await openCodexLab()
    lab.model.when('Hello', 'Said in a terminal.')
    const terminal = await lab.interactive()
    await terminal.submit('Hello there', { after: 300 })
    await terminal.waitFor('Said in a terminal.')
    expect(await leaveCodex(terminal)).toBe(0)
    expect(lab.model.requests.map(typedText)).toEqual(['Hello there'])
  })

  it('has the background server where a test wants it, which ends with the lab', async () => {
    const lab = await openCodexLab({ daemon: true })
    const terminal = await lab.interactive()
    lab.model.when('Hello', [codexShell('echo ran >made')], 'Said by the server.')
    await terminal.submit('Hello there', { after: 300 })
    await terminal.waitFor('Said by the server.')
    expect(existsSync(join(lab.project, 'made'))).toBe(true)
    expect(await leaveCodex(terminal)).toBe(0)
    const server = async () => (await lab.run(['ps', '-eo', 'args'])).stdout.includes('app-server')
    expect(await server()).toBe(true)
    await lab.close()
    await expect
      .poll(() => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }))
      .not.toContain(basename(lab.folder))
  })
})
