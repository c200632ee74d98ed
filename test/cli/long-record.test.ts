import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { workspaceLab } from '../helpers/workspace-lab.ts'

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
