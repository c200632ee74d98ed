import { readdirSync, readFileSync } from 'node:fs'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, it } from 'vitest'
import { openThreeClients } from './clients-lab.ts'
import { keepFromClaude } from './kept.ts'
import { allText } from './model-request.ts'
import { saidIn } from './workspace-lab.ts'

const TURNS = 5000
/** 2 KB of what few tokens cannot tell. */
const answerTo = (n: number) =>
  `Answer ${n}. ${Array.from({ length: 340 }, (_, i) => ((n + 1) * (i + 7) * 7919).toString(36)).join(' ')}`

it('E-23 S4-P2-9: a conversation of 10 MB is gone on with in each client in 8,000 tokens: the request holds what the receipt claims, no more and no less', async () => {
  await using lab = await openThreeClients()
  const turns = Array.from({ length: TURNS }, (_, n): [string, string] => [`Question ${n}`, answerTo(n)])
  await keepFromClaude(lab, 'A long talk', turns)
  const [path] = lab.conversations()
  let messages = 2 * TURNS

  for (const client of [lab.claude, lab.opencode, lab.gemini]) {
    const { stdout: context } = await lab.cortext(['context', '001', '--budget', '8000'])
    expect(countTokens(context)).toBeLessThanOrEqual(8000)
    const [block = '', history = ''] = context.split('\n[END RESUMED CONTEXT]\n\n')
    const claim =
      /^History: (\d+) messages \(\d+ from you\): (\d+) in full(?:, (\d+) shortened)?(?:, (\d+) summarised)?, (\d+) left out; the whole record is in (.*)$/m
    const [, all, whole, shortened = 0, summarised = 0, leftOut, record] = claim.exec(block) ?? []
    expect(record).toBe(`${path}/.session/messages.jsonl`)
    expect(Number(all)).toBe(messages)
    expect(Number(whole) + Number(shortened) + Number(summarised) + Number(leftOut)).toBe(messages)
    expect(history.match(/^### (?:User|Assistant)$/gm)).toHaveLength(Number(whole) + Number(shortened))
    // The first task, and the newest answer of the long talk to the letter.
    expect(history).toContain('Task: Question 0\n')
    expect(history).toContain(`### Assistant\n ${answerTo(TURNS - 1)}`)

    const asked = lab.model.requests.length
    const terminal = lab.terminal(
      ['cortext', 'resume', '-c', '--in', client.id, '--mode', 'handoff', '--budget', '8000'],
      { cols: 140, rows: 42 },
    )
    await client.ready(terminal)
    expect(Math.max(...commandLines(terminal.pid()))).toBeLessThan(64 * 1024)
    const words = `on we go in ${client.name}`
    lab.model.when(words, `It goes on in ${client.name}.`)
    await client.say(terminal, words, `It goes on in ${client.name}.`)
    await client.leave(terminal)
    const request = lab.model.requests.slice(asked).find((one) => allText(one).includes(words))
    const received = allText(request!)
    expect(received.split(history.trimEnd())).toHaveLength(2)
    expect(received.match(/^### (?:User|Assistant)$/gm)).toHaveLength(Number(whole) + Number(shortened))
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
