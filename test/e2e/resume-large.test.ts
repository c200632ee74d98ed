import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { keepFromClaude } from './kept.ts'
import { allText } from './model-request.ts'
import { openThreeClients } from './three-clients.ts'
import { saidIn } from './workspace-lab.ts'

const TURNS = 1000
/** 10 KB of what few tokens cannot tell. */
const answerTo = (n: number) =>
  `Answer ${n}. ${Array.from({ length: 1700 }, (_, i) => ((n + 1) * (i + 7) * 7919).toString(36)).join(' ')}`

it('E-23: a conversation of 10 MB is gone on with in each client, within the budget, and the block says what was left out and where', async () => {
  await using lab = await openThreeClients()
  const turns = Array.from({ length: TURNS }, (_, n): [string, string] => [`Question ${n}`, answerTo(n)])
  await keepFromClaude(lab, 'A long talk', turns)
  const [path] = lab.conversations()
  let messages = 2 * TURNS

  for (const client of [lab.claude, lab.opencode, lab.gemini]) {
    const asked = lab.model.requests.length
    const terminal = lab.terminal(['cortext', 'resume', '-c', '--in', client.id, '--mode', 'handoff'], {
      cols: 140,
      rows: 42,
    })
    await client.ready(terminal)
    expect(Math.max(...commandLines(terminal.pid()))).toBeLessThan(64 * 1024)
    const words = `on we go in ${client.name}`
    lab.model.when(words, `It goes on in ${client.name}.`)
    await client.say(terminal, words, `It goes on in ${client.name}.`)
    await client.leave(terminal)
    const request = lab.model.requests.slice(asked).find((one) => allText(one).includes(words))
    const received = allText(request!)
    const [, block = '', history = ''] =
      /\n\[RESUMED CONVERSATION\]\n([\s\S]*)\n\[END RESUMED CONTEXT\]\n([\s\S]*)$/.exec(received) ?? []
    expect(block).toMatch(/^History: .*left out/m)
    expect(block).toContain(`${path}/.session/messages.jsonl`)
    // The first task, and the newest answers to the letter.
    expect(history).toContain('Task: Question 0\n')
    expect(history).toContain(`### Assistant\n${answerTo(TURNS - 1)}`)
    // A budget of 20,000 tokens of this kind of text.
    expect(history.length).toBeLessThan(100_000)
    messages += 2
    expect(lab.session()).toMatchObject({ message_count: messages, status: 'paused' })
    expect(saidIn(lab.messages()).slice(-2)).toEqual([
      `user: ${words}`,
      `assistant: It goes on in ${client.name}.`,
    ])
  }
})

/** Lengths of the command lines of a process and of all that descend from it. */
function commandLines(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
  return [readFileSync(`/proc/${pid}/cmdline`).length, ...children.flatMap(commandLines)]
}
