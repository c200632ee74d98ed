import { existsSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CopilotWorkspaceLab, interrupt, openWorkspaceLab, rewind, say } from './copilot.ts'
import { text, tool } from './reply.ts'
import { saidIn } from './workspace-lab.ts'

const TYPED = '/workspace.brainstorm "API" design'

const shell = (command: string) => tool('bash', { command, description: 'a scripted command' })

describe('Copilot CLI: a conversation is recorded', () => {
  it('what a rewind takes back stays as said, off the path; an interrupted turn and `!cmd` are there', async () => {
    await using lab = await openWorkspaceLab()
    const terminal = await lab.interactive()
    await say(terminal, TYPED, 'Scripted answer 1.')
    await say(terminal, 'to be taken back', 'Scripted answer 2.')
    await rewind(terminal, 'to be taken back')
    await say(terminal, 'said instead', 'Scripted answer 3.')
    await say(terminal, '!echo by hand', 'by hand')
    lab.model.when('never answered', { blocks: [text('Half')], until: new Promise(() => {}) })
    await terminal.submit('never answered', { after: 300 })
    await terminal.waitFor('Half')
    await interrupt(terminal)
    await say(terminal, 'last words', 'Scripted answer')
    expect(await lab.leave(terminal)).toBe(0)
    expect(saidIn(lab.messages())).toEqual([
      `user: ${TYPED}`,
      'assistant: Scripted answer 1.',
      'user: to be taken back',
      'assistant: Scripted answer 2.',
      'user: said instead',
      'assistant: Scripted answer 3.',
      'user: !echo by hand',
      'user: never answered',
      'user: last words',
      expect.stringMatching(/^assistant: Scripted answer/),
    ])
    const events = lab.messages().flatMap(({ event }) => event ?? [])
    expect(events).toEqual(['started', 'rewound', 'interrupted'])
    expect((await lab.cortext(['show', '1', '--messages'])).stdout).not.toContain('to be taken back')
    expect(lab.seen()).toEqual([])
  })

  it('up to the moment when the client is killed', async () => {
    await using lab = await openWorkspaceLab()
    await lab.headless(TYPED)
    const id = onlySession(lab)
    const terminal = await lab.interactive(['--session-id', id])
    lab.model.when('never answered', { blocks: [text('Half')], until: new Promise(() => {}) })
    await terminal.submit('never answered', { after: 300 })
    await terminal.waitFor('Half')
    terminal.close()
    const after = await lab.headless('and now', ['--session-id', id])
    expect(after.code).toBe(0)
    const words = saidIn(lab.messages())
    expect(words.slice(0, 3)).toEqual([
      `user: ${TYPED}`,
      'assistant: Scripted answer 1.',
      'user: never answered',
    ])
    expect(words.at(-2)).toBe('user: and now')
  })

  // promise: After `/clear` or `/new`, and in a session that `/fork` makes, nothing is recorded until you
  it('not in the session of `/clear`', async () => {
    await using lab = await openWorkspaceLab()
    const terminal = await lab.interactive()
    await say(terminal, TYPED, 'Scripted answer 1.')
    await terminal.submit('/clear', { after: 400 })
    await terminal.waitFor((screen) => !screen.includes('Scripted answer 1.'))
    await say(terminal, 'in the cleared one', 'Scripted answer 2.')
    expect(await lab.leave(terminal)).toBe(0)
    expect(lab.transcripts()).toHaveLength(2)
    expect(saidIn(lab.messages())).toEqual([`user: ${TYPED}`, 'assistant: Scripted answer 1.'])
    expect(lab.session()).toMatchObject({ status: 'paused' })
  })

  // promise: works in a trusted folder only, and with `-p` it neither asks nor says so
  // promise: Until then it ignores the commands and our hooks; with `copilot -p` nothing says so; `cortext
  // promise: as the whole call, by our hook before
  it('not in a folder that the person does not trust: Copilot CLI says nothing, doctor does', async () => {
    await using lab = await openWorkspaceLab({ trusted: false })
    const run = await lab.headless(TYPED)
    expect(run).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Scripted answer 1\.\n+$/) })
    expect(lab.conversations()).toEqual([])
    expect((await lab.cortext(['doctor'])).stdout).toContain('is not a trusted folder of Copilot CLI')
  })

  it('and does no harm without cortext: no prompt and no tool is refused', async () => {
    await using lab = await openWorkspaceLab()
    rmSync(join(lab.bin, 'cortext'))
    lab.model.when('run it', shell('echo ran > ran.txt'), 'It ran.')
    const run = await lab.headless('run it', ['--allow-all-tools'])
    expect(run).toMatchObject({ code: 0 })
    expect(run.stdout).toContain('It ran.')
    expect(existsSync(join(lab.project, 'ran.txt'))).toBe(true)
    expect(lab.conversations()).toEqual([])
  })
})

function onlySession(lab: CopilotWorkspaceLab): string {
  const [path] = lab.transcripts()
  const id = basename(dirname(path!))
  expect(readFileSync(path!, 'utf8')).toContain(id)
  return id
}
