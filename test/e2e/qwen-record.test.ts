import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inLongRun } from '../helpers/in-long-run.ts'
import { allText } from './model-request.ts'
import { openWorkspaceLab, type QwenWorkspaceLab } from './qwen.ts'
import { text } from './reply.ts'
import { say } from './say.ts'
import { saidIn } from './workspace-lab.ts'

const TYPED = '/workspace.brainstorm "API" design'

describe('Qwen Code: a conversation is recorded', () => {
  inLongRun('a command over several lines, as it was typed', async () => {
    await using lab = await openWorkspaceLab()
    await lab.headless('/workspace.brainstorm API design\nand its errors')
    expect(saidIn(lab.messages())[0]).toBe('user: /workspace.brainstorm API design\nand its errors')
    expect(allText(lab.model.requests[0]!)).toContain('API design\nand its errors')
  })

  inLongRun('what was answered before the person ended the turn', async () => {
    await using lab = await openWorkspaceLab()
    const terminal = await lab.interactive()
    await say(terminal, TYPED, 'Scripted answer 1.')
    lab.model.when('never answered', { blocks: [text('Half an answer.')], until: new Promise(() => {}) })
    await say(terminal, 'never answered', 'Half an answer.')
    terminal.press('Escape')
    await terminal.waitFor('Request cancelled')
    // The client puts the prompt back to be typed otherwise.
    terminal.press('C-u')
    await say(terminal, 'last words', 'Scripted answer 3.')
    expect(await lab.leave(terminal)).toBe(0)
    expect(saidIn(lab.messages()).slice(2)).toEqual([
      'user: never answered',
      'assistant: Half an answer.',
      'user: last words',
      'assistant: Scripted answer 3.',
    ])
    expect(lab.seen()).toEqual([])
  })

  inLongRun('up to the moment when the client is killed', async () => {
    await using lab = await openWorkspaceLab()
    await lab.headless(TYPED)
    const id = onlySession(lab)
    const terminal = await lab.interactive(['--resume', id])
    lab.model.when('never answered', { blocks: [text('Half')], until: new Promise(() => {}) })
    await say(terminal, 'never answered', 'Half')
    terminal.close()
    const after = await lab.headless('and now', ['--resume', id])
    expect(after.code).toBe(0)
    expect(saidIn(lab.messages()).slice(0, 3)).toEqual([
      `user: ${TYPED}`,
      'assistant: Scripted answer 1.',
      'user: never answered',
    ])
    expect(saidIn(lab.messages()).at(-2)).toBe('user: and now')
  })

  // promise: After `/clear` a conversation of Qwen Code goes on
  inLongRun('further in the session of `/clear`', async () => {
    await using lab = await openWorkspaceLab()
    const terminal = await lab.interactive()
    await say(terminal, TYPED, 'Scripted answer 1.')
    await terminal.submit('/clear', { after: 500 })
    await terminal.waitFor((screen) => !screen.includes('Scripted answer 1.'))
    await say(terminal, 'in the new one', 'Scripted answer 2.')
    expect(await lab.leave(terminal)).toBe(0)
    expect(saidIn(lab.messages())).toEqual([
      `user: ${TYPED}`,
      'assistant: Scripted answer 1.',
      'user: in the new one',
      'assistant: Scripted answer 2.',
    ])
  })

  // promise: After `/clear` a conversation of Qwen Code goes on in the new session; a session
  it('not in a session that `--fork-session` makes; an import takes what was said there', async () => {
    await using lab = await openWorkspaceLab()
    await lab.headless(TYPED)
    await lab.headless('in the fork', ['--continue', '--fork-session'])
    expect(saidIn(lab.messages())).toEqual([`user: ${TYPED}`, 'assistant: Scripted answer 1.'])
    expect(lab.transcripts().length).toBe(2)
    expect((await lab.cortext(['import', 'qwen', '--all'])).stdout).toMatch(/4 saved, 0 lost \(.*\/002-/)
    const { stdout } = await lab.cortext(['show', '2', '--messages'])
    for (const said of [TYPED, 'Scripted answer 1.', 'in the fork', 'Scripted answer 2.'])
      expect(stdout.split(`\n ${said}\n`).length).toBe(2)
  })

  // promise: **Qwen Code trusts every folder**
  inLongRun('not in a folder that the person does not trust: doctor says so', async () => {
    await using lab = await openWorkspaceLab()
    const settings = join(lab.home, '.qwen', 'settings.json')
    const { security, ...others } = JSON.parse(readFileSync(settings, 'utf8'))
    writeFileSync(
      settings,
      JSON.stringify({ ...others, security: { ...security, folderTrust: { enabled: true } } }),
    )
    writeFileSync(
      join(lab.home, '.qwen', 'trustedFolders.json'),
      JSON.stringify({ [lab.project]: 'DO_NOT_TRUST' }),
    )
    await lab.headless('hello')
    expect(lab.conversations()).toEqual([])
    expect((await lab.cortext(['doctor'])).stdout).toContain('is not a trusted folder of Qwen Code')
  })

  it('and does no harm without cortext', async () => {
    await using lab = await openWorkspaceLab()
    rmSync(join(lab.bin, 'cortext'))
    const run = await lab.headless(TYPED)
    expect(run).toMatchObject({ code: 0, stdout: 'Scripted answer 1.\n' })
    expect(run.stderr).toBe('')
    expect(lab.conversations()).toEqual([])
  })

  it('once, where the hooks and skills of other clients are in the project too', async () => {
    await using lab = await openWorkspaceLab()
    const init = await lab.cortext(['init', '--in', 'claude', '--in', 'gemini', '--in', 'codex', '--mcp'])
    expect(init.code).toBe(0)
    await lab.headless(TYPED)
    expect(saidIn(lab.messages())).toEqual([`user: ${TYPED}`, 'assistant: Scripted answer 1.'])
    expect(lab.session().agent_config.client).toBe('qwen')
    expect(allText(lab.model.requests[0]!)).not.toMatch(/<name>\s*workspace/)
  })
})

function onlySession(lab: QwenWorkspaceLab): string {
  const [path] = lab.transcripts()
  return /([^/]+)\.jsonl$/.exec(path!)![1]!
}
