import { expect, it } from 'vitest'
import { asTyped } from './as-typed.ts'
import { openThreeClients } from './clients-lab.ts'
import { allText } from './model-request.ts'

// promise: `cortext` alone lets you choose what to go on with.
// promise: lets you choose a conversation
it('S4-P4-13: bare cortext lists the sessions that all three clients keep, and goes on with the one that is chosen', async () => {
  await using lab = await openThreeClients()
  const clients = [lab.claude, lab.opencode, lab.gemini]
  for (const client of clients) await client.ask(`How do we name endpoints in ${client.name}?`)
  asTyped(lab.home)
  const table = (await lab.cortext([])).stdout
  expect(table).toContain('Sessions of this folder that are not saved:')
  for (const { id } of clients) expect(table).toMatch(new RegExp(`^ {2}${id} {2}`, 'm'))

  for (const client of clients) {
    const asked = lab.model.requests.length
    const terminal = lab.terminal(['cortext'], { cols: 140, rows: 42 })
    for (const one of clients) await terminal.waitFor(offered(one.name))
    terminal.type(client.name)
    // The picker takes Enter for what it has found by then.
    await terminal.waitFor((shown) =>
      clients.every((one) => one === client || !offered(one.name).test(shown)),
    )
    terminal.press('Enter')
    await client.readyAgain(terminal)
    await client.say(terminal, 'please go on', `Scripted answer ${asked + 1}.`)
    await client.leave(terminal)
    const received = allText(lab.model.requests.at(-1)!)
    for (const one of clients)
      expect(received.includes(`endpoints in ${one.name}?`), one.name).toBe(one === client)
  }
  expect(lab.conversations()).toEqual([])
  expect(lab.status()).toEqual([])
})

/** A line of the picker with a session of a client. */
function offered(client: string): RegExp {
  return new RegExp(`not saved .*${client}`)
}
