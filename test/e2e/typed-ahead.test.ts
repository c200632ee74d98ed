import { expect, it } from 'vitest'
import { openClients } from './clients-lab.ts'
import { text } from './reply.ts'
import { saidIn } from './workspace-lab.ts'

// Pi takes such a command into the turn that runs: pi-record.test.ts.
it.each(['copilot', 'qwen'] as const)(
  '%s: a command that is typed while the agent works begins a conversation when it is done',
  async (id) => {
    await using lab = await openClients(id)
    const terminal = await lab[id].open()
    await lab[id].say(terminal, '/workspace.brainstorm First', 'Scripted answer 1.')
    let go = () => {}
    const until = new Promise<void>((resolve) => {
      go = resolve
    })
    lab.model.when('the first question', { blocks: [text('The first answer.')], until })
    await terminal.submit('the first question', { after: 400 })
    await expect.poll(() => lab.model.requests.length).toBe(2)
    await terminal.submit('/workspace.plan Second', { after: 400 })
    // The client shows in no common way that it has taken the line.
    await new Promise((done) => setTimeout(done, 1_500))
    go()
    await terminal.waitFor('Scripted answer 3.')
    await lab[id].leave(terminal)
    expect(lab.conversations().map((path) => saidIn(lab.messages(path)))).toEqual([
      [
        'user: /workspace.brainstorm First',
        'assistant: Scripted answer 1.',
        'user: the first question',
        'assistant: The first answer.',
      ],
      ['user: /workspace.plan Second', 'assistant: Scripted answer 3.'],
    ])
  },
)
