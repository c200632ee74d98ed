import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SOON } from './lab.ts'
import { allText } from './model-request.ts'
import {
  type Driver,
  type FourClientsLab,
  openFourClients,
  openThreeClients,
  type ThreeClientsLab,
} from './three-clients.ts'
import { STOP_BODY, saidIn } from './workspace-lab.ts'

/** What the model reads of the command; Codex CLI gives it the body in a message of its own. */
const STOP = new RegExp(`${STOP_BODY}|^\\$workspace-stop-conversation`)
const TITLE = 'API design'
/** A screen breaks it as it likes. */
const TOLD = 'Not recorded any more: 1 "API design" was stopped.'

describe.each(['claude', 'gemini', 'opencode', 'codex'] as const)('what is said in %s after a stop', (id) => {
  it('is seen on the screen, in list, picker and doctor, and taken in whole by the command that is named', async () => {
    await using lab: ThreeClientsLab & Partial<FourClientsLab> =
      id === 'codex' ? await openFourClients() : await openThreeClients()
    const client: Driver = lab[id]!
    lab.model.when(STOP, client.stop('REST it is.'), 'Saved.')
    lab.model.when(`Topic: ${TITLE}`, 'Answer 0 there.')
    const terminal = await client.open()
    // A skill's text reaches the model apart from what was typed.
    const answer = id === 'codex' ? 'Scripted answer 1.' : 'Answer 0 there.'
    await client.say(terminal, `${client.typed('workspace.brainstorm')} ${TITLE}`, answer)
    await client.say(terminal, client.typed('workspace.stop-conversation'), 'Saved.')
    const words = ['one more', 'another', 'the last']
    for (const [at, said] of words.entries()) {
      lab.model.when(said, `Answer ${at + 1} there.`)
      await client.say(terminal, said, `Answer ${at + 1} there.`)
      if (at === 0) await terminal.waitFor((screen) => flat(screen).includes(flat(TOLD)))
    }
    await client.leave(terminal)
    for (const request of lab.model.requests) expect(allText(request)).not.toContain('Not recorded any more')

    const counted = async () => JSON.parse((await lab.cortext(['list', '--json'])).stdout).not_kept
    await expect.poll(async () => (await counted())[0]?.messages, SOON).toBe(6)
    const [{ command, client: named }] = await counted()
    expect(named).toBe(id)
    expect((await lab.cortext(['list'])).stderr).toContain('6 messages said after the stop of 1 "API design"')
    expect((await lab.cortext(['--json', '--not-kept'])).stderr).toContain(
      '6 messages are in no conversation',
    )
    expect((await lab.cortext(['doctor'])).stdout).toContain('6 messages said after the stop of 1')

    // Nothing of it rests on what this machine has noted.
    rmSync(join(lab.project, '.git/cortext'), { recursive: true })
    expect((await lab.cortext(['doctor'])).stdout).toContain(command)
    const { code, stdout } = await lab.cortext(command.split(' ').slice(1))
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('taken in now into 1 "API design": 6 messages'),
    ])
    const shown = JSON.parse((await lab.cortext(['show', '001', '--messages', '--json'])).stdout)
    expect(saidIn(shown.messages).slice(-6)).toEqual(
      words.flatMap((said, at) => [`user: ${said}`, `assistant: Answer ${at + 1} there.`]),
    )
    expect(await counted()).toEqual([])
  })
})

function flat(text: string): string {
  return text.replace(/[\s│┃|]+/g, '')
}
