import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { documentAt, fencesOf } from '../helpers/documents.ts'
import { BIN, recordLines, shown, talk, workspaceLab } from '../helpers/workspace-lab.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const [commands, snippet] = fencesOf('docs/agent-loops.md')

// promise: After a run, append the whole turn, one message a line.
// promise: Before the next run, ask for the messages that fit.
// promise: gives the messages for an
test('S3-I2 S3-P3 S4-P2-5 the commands of docs/agent-loops.md do what it says', async () => {
  const lab = await workspaceLab()
  const program = join(lab.home, 'cortext')
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`)
  chmodSync(program, 0o755)
  const env = { ...lab.env, PATH: `${lab.home}:${lab.env.PATH}` }
  const printed = execFileSync('bash', ['-ec', commands!], { cwd: lab.root, env, encoding: 'utf8' })
  const [budget, model] = printed
    .split(/^(?=\{)/m)
    .slice(1)
    .map((text) => JSON.parse(text.slice(0, text.indexOf('\n}') + 2)))
  const roles = ['user', 'assistant', 'tool', 'assistant']
  expect(budget.messages.map(({ role }: { role: string }) => role)).toEqual(roles)
  expect(budget).toMatchObject({ tokenBudget: 8000, strategy: 'full-history' })
  expect(model).toMatchObject({ messages: budget.messages, tokenBudget: 300_000 })
  expect(printed).toContain('Buy milk.')
  expect(await lab.json(['context', '--key', 'cli:default'])).toMatchObject({ messages: [] })
  await lab.json(['edit', '--key', 'cli:default', '--status', 'completed', '--json'])
  const again = /`cortext (edit --key cli:default --status active --force)`/.exec(
    documentAt('docs/agent-loops.md'),
  )![1]!
  expect((await lab.cortext(again.split(' '))).code).toBe(0)
})

// promise: Any program that talks to a model can keep its conversations here
// promise: as a module of either kind, with types
// promise: is a whole loop with tools
test('S3-A3 S3-W1 the snippet and the example of docs/agent-loops.md run with the installed package', async () => {
  const lab = await workspaceLab()
  mkdirSync(join(lab.root, 'node_modules'))
  symlinkSync(ROOT, join(lab.root, 'node_modules/cortext'))
  const seen = 'console.log(JSON.stringify({ messages, tokensUsed, receipt, everything }))'
  writeFileSync(join(lab.root, 'loop.mjs'), `${snippet}\n${seen}\n`)
  const out = execFileSync(process.execPath, ['loop.mjs'], { cwd: lab.root, env: lab.env, encoding: 'utf8' })
  const { messages, tokensUsed, receipt, everything } = JSON.parse(out)
  expect(messages).toEqual([
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Hello! What are we working on?' },
  ])
  expect(tokensUsed).toBe(receipt.tokens)
  expect(everything).toHaveLength(2)
  const { path, key } = (
    await lab.json<{ conversations: { path: string; key: string }[] }>(['list', '--json'])
  ).conversations[0]!
  expect(key).toBe('discord:channel:123')
  expect(recordLines(lab, path)).toHaveLength(3)
  expect(talk(await shown(lab, '001'))).toHaveLength(2)
})
