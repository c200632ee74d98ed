import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { allText } from './model-request.ts'
import { openWorkspaceLab, type PiWorkspaceLab } from './pi.ts'
import { text, tool } from './reply.ts'
import { saidIn } from './workspace-lab.ts'

const TYPED = '/workspace.brainstorm "API" design'

const _shell = (command: string) => tool('bash', { command })

describe('Pi: a conversation is recorded', () => {
  it('by a command that was typed while the agent worked, from when Pi takes it', async () => {
    await using lab = await openWorkspaceLab()
    const terminal = await lab.interactive()
    await say(terminal, TYPED, 'Scripted answer 1.')
    let go = () => {}
    const until = new Promise<void>((resolve) => {
      go = resolve
    })
    lab.model.when('the first question', { blocks: [text('The first answer.')], until })
    lab.model.when('Topic: Second', 'The second answer.')
    await terminal.submit('the first question', { after: 300 })
    await terminal.waitFor('The first answer.')
    await terminal.submit('/workspace.brainstorm Second', { after: 300 })
    await terminal.waitFor('Steering: ')
    go()
    await terminal.waitFor('The second answer.')
    const received = allText(lab.model.requests.at(-1)!)
    expect(received.match(/^\[cortext\].*$/gm)).toHaveLength(2)
    expect(await lab.leave(terminal)).toBe(0)
    const [first, second] = lab.conversations()
    expect(saidIn(lab.messages(first!))).toEqual([
      `user: ${TYPED}`,
      'assistant: Scripted answer 1.',
      'user: the first question',
      'assistant: The first answer.',
    ])
    expect(saidIn(lab.messages(second!))).toEqual([
      'user: /workspace.brainstorm Second',
      'assistant: The second answer.',
    ])
  })

  it('up to the moment when the client is killed', async () => {
    await using lab = await openWorkspaceLab()
    await lab.headless(TYPED)
    const id = onlySession(lab)
    const terminal = lab.terminal(['pi', '--session-id', id])
    await terminal.waitFor('Scripted answer 1.')
    lab.model.when('never answered', { blocks: [text('Half')], until: new Promise(() => {}) })
    await terminal.submit('never answered', { after: 300 })
    await terminal.waitFor('Half')
    terminal.close()
    const after = await lab.headless('and now', ['--session-id', id])
    expect(after.code).toBe(0)
    expect(saidIn(lab.messages())).toEqual([
      `user: ${TYPED}`,
      'assistant: Scripted answer 1.',
      'user: never answered',
      ...saidIn(lab.messages()).slice(3),
    ])
    expect(saidIn(lab.messages()).at(-2)).toBe('user: and now')
  })

  // promise: After `/new` a conversation goes on in the new session; a session that `/fork` or `/clone`
  it('further in the session of `/new`, and not in one of `/clone`', async () => {
    await using lab = await openWorkspaceLab()
    const terminal = await lab.interactive()
    await say(terminal, TYPED, 'Scripted answer 1.')
    await terminal.submit('/new', { after: 300 })
    await terminal.waitFor((screen) => !screen.includes('Scripted answer 1.'))
    await say(terminal, 'in the new one', 'Scripted answer 2.')
    await terminal.submit('/clone', { after: 300 })
    await terminal.waitFor(/[Cc]loned/)
    await say(terminal, 'in the copy', 'Scripted answer 3.')
    expect(await lab.leave(terminal)).toBe(0)
    const words = saidIn(lab.messages())
    expect(words).toEqual([
      `user: ${TYPED}`,
      'assistant: Scripted answer 1.',
      'user: in the new one',
      'assistant: Scripted answer 2.',
    ])
  })

  // promise: works in a trusted folder only; Pi asks nobody before its agent runs a command
  // promise: Until then it ignores the commands and our extension; in `pi -p` nothing says so, and
  it('not in a folder that the person does not trust: Pi says nothing, doctor does', async () => {
    await using lab = await openWorkspaceLab({ trusted: false })
    const run = await lab.headless(TYPED)
    expect(run).toMatchObject({ code: 0, stdout: 'Scripted answer 1.\n', stderr: '' })
    expect(allText(lab.model.requests[0]!)).toContain(TYPED)
    expect(lab.conversations()).toEqual([])
    expect((await lab.cortext(['doctor'])).stdout).toContain('is not a trusted folder of Pi')
  })

  it('and does no harm without cortext', async () => {
    await using lab = await openWorkspaceLab()
    rmSync(join(lab.bin, 'cortext'))
    const run = await lab.headless(TYPED)
    expect(run).toMatchObject({ code: 0, stdout: 'Scripted answer 1.\n', stderr: '' })
    expect(lab.conversations()).toEqual([])
  })
})

function onlySession(lab: PiWorkspaceLab): string {
  const [path] = lab.transcripts()
  return JSON.parse(readFileSync(path!, 'utf8').split('\n')[0]!).id
}

/** A second Enter harms nobody: the first one may choose the command in Pi's list. */
async function say(
  terminal: Awaited<ReturnType<PiWorkspaceLab['interactive']>>,
  typed: string,
  answer: string,
): Promise<void> {
  await terminal.submit(typed, { after: 300 })
  await terminal.waitFor(answer)
}
