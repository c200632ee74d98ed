import { existsSync } from 'node:fs'
import { join as at } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Driver, openThreeClients, type ThreeClientsLab } from './clients-lab.ts'
import type { Terminal } from './terminal.ts'
import { STOP_BODY, saidIn, stopWith } from './workspace-lab.ts'

describe('one conversation in several clients at the same time', () => {
  it('S0-NG1 X-33: all is recorded whole, once and in order; who comes later is told who is there; one stops, the others go on', async () => {
    await using lab = await openThreeClients()
    const said: string[] = []
    const turn = (client: Driver) => async (terminal: Terminal) => {
      const n = said.length / 2 + 1
      lab.model.when(`turn ${n} `, `Answer ${n} there.`)
      await client.say(terminal, `turn ${n} in ${client.id}`, `Answer ${n} there.`)
      said.push(`user: turn ${n} in ${client.id}`, `assistant: Answer ${n} there.`)
    }

    const claude = await lab.claude.open()
    lab.model.when('Topic: API design', 'Answer 1 there.')
    await lab.claude.say(claude, '/workspace.brainstorm API design', 'Answer 1 there.')
    said.push('user: /workspace.brainstorm API design', 'assistant: Answer 1 there.')
    const gemini = await join(lab, lab.gemini)
    await turn(lab.gemini)(gemini)
    await gemini.waitFor(/Also open in Claude Code/)
    await turn(lab.claude)(claude)
    // The session that is open in the other terminal is not opened a second time.
    const second = await join(lab, lab.gemini)
    await turn(lab.gemini)(second)
    await second.waitFor(/Also open in Gemini CLI/)
    await turn(lab.gemini)(gemini)
    expect(told(gemini)).toHaveLength(1)
    const opencode = await join(lab, lab.opencode)
    await turn(lab.opencode)(opencode)
    for (const name of ['Claude Code', 'Gemini CLI']) await opencode.waitFor(`Also open in ${name}`)
    await turn(lab.claude)(claude)
    expect(told(claude)).toEqual([])
    expect(await status(lab)).toBe('active')

    lab.model.when(STOP_BODY, lab.gemini.shell(stopWith('REST it is.')), 'Saved.')
    await lab.gemini.say(gemini, '/workspace.stop-conversation', 'Saved.')
    await turn(lab.claude)(claude)
    await turn(lab.gemini)(second)
    expect(lab.session().context_summary).toBe('REST it is.')
    expect(await status(lab)).toBe('active')
    lab.model.when('after the stop', 'Nobody writes it down.')
    await lab.gemini.say(gemini, 'after the stop', 'Nobody writes it down.')
    for (const [client, terminal] of [
      [lab.gemini, gemini],
      [lab.claude, claude],
      [lab.opencode, opencode],
    ] as const)
      await client.leave(terminal)
    expect(await status(lab)).toBe('active')
    await turn(lab.gemini)(second)
    await lab.gemini.leave(second)

    expect(await status(lab)).toBe('paused')
    expect(lab.conversations()).toHaveLength(1)
    expect(existsSync(at(lab.project, '.git', 'cortext', 'log'))).toBe(false)
    const shown = JSON.parse((await lab.cortext(['show', '001', '--messages', '--json'])).stdout)
    expect(saidIn(shown.messages)).toEqual(said)
    expect(saidIn(lab.messages()).sort()).toEqual([...said].sort())
    expect(new Set(lab.messages().map(({ id }) => id)).size).toBe(lab.messages().length)
    expect(
      lab
        .session()
        .agent_sessions.map(({ client }) => client)
        .sort(),
    ).toEqual(['claude', 'gemini', 'gemini', 'opencode'])
  })
})

async function join(lab: ThreeClientsLab, client: Driver): Promise<Terminal> {
  const terminal = lab.terminal(['cortext', 'resume', '-c', '--in', client.id], { cols: 140, rows: 42 })
  await client.ready(terminal)
  return terminal
}

function told(terminal: Terminal): string[] {
  return terminal.history().match(/Also open in/g) ?? []
}

async function status(lab: ThreeClientsLab): Promise<string> {
  return JSON.parse((await lab.cortext(['list', '--all', '--json'])).stdout).conversations[0].status
}
