import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openWorkspaceLab, saidIn } from './workspace-lab.ts'

const TYPED = '/workspace.brainstorm API design'

describe('conversations and native sessions', () => {
  it('a second conversation in the same session pauses the first', async () => {
    await using lab = await openWorkspaceLab()
    const terminal = await lab.interactive()
    await terminal.submit(TYPED)
    await terminal.waitFor('Scripted answer 1.')
    await terminal.submit('/workspace.debug Slow tests')
    await terminal.waitFor('Scripted answer 2.')
    const [first, second] = lab.conversations()
    expect(lab.session(first)).toMatchObject({ status: 'paused', conversation_type: 'brainstorm' })
    expect(lab.session(second)).toMatchObject({ status: 'active', conversation_type: 'debug' })
    await lab.leave(terminal)
    expect(saidIn(lab.messages(first))).toEqual([`user: ${TYPED}`, 'assistant: Scripted answer 1.'])
    expect(saidIn(lab.messages(second))).toEqual([
      'user: /workspace.debug Slow tests',
      'assistant: Scripted answer 2.',
    ])
    expect(lab.session(second).status).toBe('paused')
    expect(lab.conversations()).toHaveLength(2)
  })

  it('/clear keeps the conversation, and leaves a mark where the person cleared', async () => {
    await using lab = await openWorkspaceLab()
    const terminal = await lab.interactive()
    await terminal.submit(TYPED)
    await terminal.waitFor('Scripted answer 1.')
    await terminal.submit('/clear')
    await terminal.waitFor((screen) => !screen.includes('Scripted answer 1.'))
    await terminal.submit('with a fresh mind')
    await terminal.waitFor('Scripted answer 2.')
    await lab.leave(terminal)
    const messages = lab.messages()
    expect(saidIn(messages)).toEqual([
      `user: ${TYPED}`,
      'assistant: Scripted answer 1.',
      'user: with a fresh mind',
      'assistant: Scripted answer 2.',
    ])
    expect(messages.map(({ event }) => event ?? '')).toEqual(['started', '', '', 'cleared', '', ''])
    expect(lab.session()).toMatchObject({ status: 'paused', message_count: 4 })
    expect(lab.session().agent_sessions).toHaveLength(2)
    expect(lab.transcripts()).toHaveLength(2)
  })

  it('goes on being recorded when the person resumes with the client itself', async () => {
    await using lab = await openWorkspaceLab()
    await lab.headless([TYPED])
    const terminal = await lab.interactive(['--resume', basename(lab.transcripts()[0]!, '.jsonl')])
    await terminal.submit('please go on')
    await terminal.waitFor('Scripted answer 2.')
    await lab.leave(terminal)
    expect(saidIn(lab.messages())).toEqual([
      `user: ${TYPED}`,
      'assistant: Scripted answer 1.',
      'user: please go on',
      'assistant: Scripted answer 2.',
    ])
    expect(lab.session()).toMatchObject({ status: 'paused', message_count: 4 })
  })

  it('goes on being recorded when it is resumed before its end was published', async () => {
    await using lab = await openWorkspaceLab()
    // Not `headless`, which waits for the publishing.
    await lab.run(['claude', '-p', TYPED])
    await lab.headless(['--resume', basename(lab.transcripts()[0]!, '.jsonl'), 'please go on'])
    expect(saidIn(lab.messages())).toEqual([
      `user: ${TYPED}`,
      'assistant: Scripted answer 1.',
      'user: please go on',
      'assistant: Scripted answer 2.',
    ])
  })

  it('S1-005e-f: a resume in which nothing was said leaves a completed conversation as it was', async () => {
    await using lab = await openWorkspaceLab()
    await lab.headless([TYPED])
    await lab.cortext(['stop', '001', '--complete', '--summary', 'Done.'])
    const before = [lab.session(), lab.messages(), lab.git('rev-parse', 'HEAD')]
    expect(lab.session().status).toBe('completed')
    expect((await lab.cortext(['resume', '001'])).code).toBe(1)
    const terminal = await lab.resume(['001', '--force'])
    expect(lab.session().status).toBe('active')
    await lab.leave(terminal)
    await expect.poll(() => [lab.session(), lab.messages(), lab.git('rev-parse', 'HEAD')]).toEqual(before)
    expect(lab.status()).toEqual([])
  })
})
