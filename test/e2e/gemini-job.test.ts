import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inLongRun } from '../helpers/in-long-run.ts'
import { leave, openGeminiWorkspaceLab, say, shell } from './gemini-workspace.ts'
import { SOON } from './lab.ts'
import { text, thinking, tool } from './reply.ts'
import { STOP_BODY, saidIn, stopWith } from './workspace-lab.ts'

const TITLE = `REST/GraphQL "v2" & $(touch x) it's`

describe('Gemini CLI in a terminal: a conversation is held and stopped', () => {
  it('S1-002g E-2: is recorded whole with its tools, and what stops it is not in it', async () => {
    await using lab = await openGeminiWorkspaceLab()
    writeFileSync(join(lab.project, 'notes.txt'), 'hello from notes\n')
    lab.model.when(
      'please read',
      [
        thinking('**Considering**\n\nA file.'),
        text('I will read it.'),
        tool('read_file', { file_path: 'notes.txt' }),
      ],
      'It says hello.',
    )
    lab.model.when(STOP_BODY, shell(stopWith("REST it is; it's open how.")), 'Saved.')
    const terminal = await lab.interactive()
    await say(terminal, `/workspace.brainstorm ${TITLE}`, 'Scripted answer 1.')
    await say(terminal, 'please read notes.txt', 'It says hello.')
    expect(lab.conversations().map((path) => path.split('/').at(-1))).toEqual([
      '001-brainstorm-rest-graphql-v2-touch-x-its',
    ])
    await say(terminal, '/workspace.stop-conversation', 'Saved.')
    await say(terminal, 'and this is not recorded', /Scripted answer \d+\./)
    await leave(terminal)

    expect(saidIn(lab.messages())).toEqual([
      `user: /workspace.brainstorm ${TITLE}`,
      'assistant: Scripted answer 1.',
      'user: please read notes.txt',
      'assistant: I will read it.',
      'assistant: It says hello.',
    ])
    expect(lab.messages().find(({ role }) => role === 'tool')).toMatchObject({
      tool_name: 'read_file',
      content: 'hello from notes\n',
    })
    expect(lab.session()).toMatchObject({
      title: TITLE,
      status: 'paused',
      message_count: 5,
      context_summary: "REST it is; it's open how.",
      agent_config: {
        client: 'gemini',
        command: '/workspace.brainstorm',
        model: expect.stringMatching(/^gemini-/),
      },
    })
    // In the client's shell git has neither the person's identity nor their settings.
    const log = await lab.run(['git', 'log', '-1', '--format=%an: %s'])
    expect(log.stdout).toMatch(/^Tess Tester: \[conversation\] brainstorm: REST\/GraphQL/)
    const list = await lab.cortext(['list', '--json'])
    expect(JSON.parse(list.stdout)).toMatchObject({ conversations: [{ status: 'paused' }] })
    expect(lab.model.strays).toEqual([])
  })
})

describe('Gemini CLI: other ways to hold a conversation', () => {
  it('headless, from start to pause, with the words as they were typed', async () => {
    await using lab = await openGeminiWorkspaceLab()
    await lab.headless(`/workspace.brainstorm ${TITLE}`)
    await expect.poll(() => lab.session().status, SOON).toBe('paused')
    expect(saidIn(lab.messages())).toEqual([
      `user: /workspace.brainstorm ${TITLE}`,
      'assistant: Scripted answer 1.',
    ])
    expect(lab.session()).toMatchObject({ title: TITLE, message_count: 2 })
  })

  inLongRun('goes on in the same conversation after /clear', async () => {
    await using lab = await openGeminiWorkspaceLab()
    const terminal = await lab.interactive()
    await say(terminal, '/workspace.brainstorm Garden', 'Scripted answer 1.')
    await say(terminal, '/clear', (screen) => !screen.includes('Scripted answer 1.'))
    await say(terminal, 'afresh', 'Scripted answer 2.')
    await leave(terminal)
    await lab.settled()
    await expect.poll(() => lab.session().status, SOON).toBe('paused')
    expect(saidIn(lab.messages())).toEqual([
      'user: /workspace.brainstorm Garden',
      'assistant: Scripted answer 1.',
      'user: afresh',
      'assistant: Scripted answer 2.',
    ])
    expect(lab.messages().some(({ event }) => event === 'cleared')).toBe(true)
  })

  inLongRun(
    'S1-002a: adopts a session that was never a conversation, from its first message, when it is stopped',
    async () => {
      await using lab = await openGeminiWorkspaceLab()
      lab.model.when(STOP_BODY, shell(stopWith('A garden.')), 'Saved.')
      const terminal = await lab.interactive()
      await say(terminal, 'let us plan a garden', 'Scripted answer 1.')
      await say(terminal, 'with tomatoes', 'Scripted answer 2.')
      await say(terminal, '/workspace.stop-conversation', 'Saved.')
      await leave(terminal)
      expect(saidIn(lab.messages())).toEqual([
        'user: let us plan a garden',
        'assistant: Scripted answer 1.',
        'user: with tomatoes',
        'assistant: Scripted answer 2.',
      ])
      expect(lab.session()).toMatchObject({ status: 'paused', context_summary: 'A garden.' })
    },
  )
})
