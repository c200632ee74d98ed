import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shown, workspaceLab } from '../helpers/workspace-lab.ts'
import { conversation } from './bad-world.ts'

const DEEP = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`
const SECRET = 'ghp_K7fQ2mX9vLp4RzT8wYb3NcJ6hDs1GaEu5oVi'

test('a call whose arguments are nested without end is kept, as text, and stops no verb', async () => {
  const lab = await workspaceLab()
  const { claude, path } = await conversation(lab)
  await claude.turn('go on', 'QQ')
  const text = readFileSync(claude.transcript, 'utf8')
  const last = text.trimEnd().split('\n').at(-1)!
  const call = `{"type":"tool_use","id":"t1","name":"X","input":{"key":"${SECRET}","deep":${DEEP}}}`
  const line = last
    .replace(/"content":\[.*?\]/, () => `"content":[${call}]`)
    .replace(/"uuid":"[^"]*"/, '"uuid":"00000000-0000-4000-8000-000000000001"')
  appendFileSync(claude.transcript, `${line}\n`)
  await claude.turn('after it')
  for (const args of [['save', '001'], ['list'], ['search', 'after'], ['doctor'], ['stop', '001']]) {
    const run = await lab.cortext(args)
    expect(run.code, `${args}: ${run.stderr}`).toBeLessThanOrEqual(1)
  }
  const kept = await shown(lab, '001')
  expect(kept.map(({ content }) => content)).toContain('after it')
  const record = readFileSync(join(lab.root, path, '.session', 'messages.jsonl'), 'utf8')
  expect(record).toContain('{\\"a\\":'.repeat(4000))
  expect(record).not.toContain(SECRET)
})

test('a line of a record that is nested without end does not keep a secret beside it from being replaced', async () => {
  const lab = await workspaceLab()
  const message = (more: object) => JSON.stringify({ role: 'user', content: 'hello', ...more })
  await lab.json(['append', '--json'], { input: `${message({})}\n` })
  const [conversationPath] = lab.git('ls-files', '--others', '--', '*.jsonl').split('\n')
  const file = join(lab.root, conversationPath!)
  const line = `{"id":"x","role":"assistant","content":"${SECRET}","tool_calls":[{"id":"c","name":"X","arguments":${DEEP}}]}`
  appendFileSync(file, `${line}\n`)
  await lab.json(['redact', '001', '--apply', '--json'])
  expect(readFileSync(file, 'utf8')).not.toContain(SECRET)
})

test('append takes arguments that are nested without end', async () => {
  const lab = await workspaceLab()
  const call = `{"id":"c","name":"X","arguments":${DEEP}}`
  await lab.json(['append', '--json'], {
    input: `{"role":"assistant","content":"x","tool_calls":[${call}]}\n`,
  })
  expect((await lab.cortext(['context', '001'])).code).toBe(0)
})
