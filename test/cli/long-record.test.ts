import { once } from 'node:events'
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Lab, workspaceLab } from '../helpers/workspace-lab.ts'

const MANY = 200_000

test('no verb ends with a bug if a record has 200,000 messages, or 200,000 lines that are not messages', async () => {
  const lab = await workspaceLab()
  const { path } = await lab.json<{ path: string }>(['append', '--key', 'a:b', '--json'], {
    input: '{"role":"user","content":"hello"}\n',
  })
  const record = join(lab.root, path, '.session/messages.jsonl')
  const lines = Array.from({ length: MANY }, (_, at) =>
    JSON.stringify({
      id: String(at).padStart(32, '0'),
      role: at % 2 === 0 ? 'assistant' : 'user',
      content: `words ${at}`,
      timestamp: new Date(1_790_000_000_000 + at * 1000).toISOString(),
    }),
  )
  appendFileSync(record, `${lines.join('\n')}\n`)
  const reads = [
    ['show', '001', '--messages'],
    ['context', '001'],
    ['context', '--key', 'a:b'],
    ['search', 'words'],
    ['export', '001', '--output', 'out.md'],
    ['view', '001', '--no-open', '--output', 'out.html'],
  ]
  for (const args of reads) {
    const { code, stderr } = await lab.cortext(args)
    expect(code, `cortext ${args.join(' ')}: ${stderr.slice(0, 500)}`).toBe(0)
  }
  appendFileSync(record, 'this is no message\n'.repeat(MANY))
  for (const args of [['show', '001', '--messages'], ['save', '001'], ['list'], ['doctor']])
    expect((await lab.cortext(args)).code, `cortext ${args.join(' ')}`).toBeLessThan(2)
})

/** A conversation of 40 MB, of which each character takes two bytes in memory. */
async function longTalk(): Promise<Lab> {
  const lab = await workspaceLab()
  const { path } = await lab.json<{ path: string }>(['append', '--key', 'a:b', '--json'], {
    input: '{"role":"user","content":"Which queue do we take for the orders?"}\n',
  })
  const lines = Array.from({ length: 4000 }, (_, at) =>
    JSON.stringify({
      id: String(at).padStart(32, '0'),
      role: at % 2 === 0 ? 'assistant' : 'user',
      content: `${at} – ${'word '.repeat(2000)}`,
      timestamp: new Date(1_790_000_000_000 + at * 1000).toISOString(),
    }),
  )
  appendFileSync(join(lab.root, path, '.session/messages.jsonl'), `${lines.join('\n')}\n`)
  return lab
}

test('a conversation is shown with less memory than it has text, and a slow reader gets all of it', async () => {
  const lab = await longTalk()
  const env = { NODE_OPTIONS: '--max-old-space-size=48' }
  for (const args of [['--messages'], ['--messages', '--json'], ['--at', '3000'], []]) {
    const shown = lab.begin(['show', '001', ...args], { env })
    const ended = once(shown, 'exit')
    const stderr = text(shown.stderr!)
    await setTimeout(1000)
    const [printed, [code]] = await Promise.all([text(shown.stdout!), ended])
    expect({ args, code, stderr: await stderr }).toMatchObject({ args, code: 0 })
    if (args.includes('--json')) expect(printed).toBe(`${JSON.stringify(JSON.parse(printed), null, 2)}\n`)
    else if (args.includes('--messages'))
      for (const at of [0, 1, 2500, 3999]) expect(printed).toContain(`\n ${at} – word word`)
  }
})

test('a reader that goes away ends the output, which is not a failure', async () => {
  const lab = await longTalk()
  const shown = lab.begin(['show', '001', '--messages'])
  const stderr = text(shown.stderr!)
  await once(shown.stdout!, 'data')
  shown.stdout!.destroy()
  const [code] = await once(shown, 'exit')
  expect({ code, stderr: await stderr }).toEqual({ code: 0, stderr: '' })
})

test('a page of a very long conversation has the newest messages, and says how to see the others', async () => {
  const lab = await longTalk()
  const page = () => readFileSync(join(lab.root, 'page.html'), 'utf8')
  const { stderr } = await lab.cortext(['view', '001', '--no-open', '--output', 'page.html'])
  const [, command = '', last = ''] =
    /Not shown: messages 1 to \d+, .*: cortext (export \S+ --format html --from 1 --to (\d+) --output earlier\.html)\n/.exec(
      stderr,
    ) ?? []
  expect(page()).toContain(`Left out: messages 1 to ${last}, because`)
  expect(page()).toContain('id="m-4001"')
  expect(page()).toContain(`id="m-${Number(last) + 1}"`)
  expect(page()).not.toContain(`id="m-${last}"`)
  await lab.cortext(command.split(' ').map((word) => (word === 'earlier.html' ? 'page.html' : word)))
  expect(page()).toContain(`id="m-${last}"`)
  expect(page()).toContain('id="m-1"')
})
