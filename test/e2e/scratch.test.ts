import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openLab } from './opencode.ts'
import { tool } from './reply.ts'

it('scratch', async () => {
  await using lab = await openLab()
  lab.put('note.txt', 'NOTE CONTENT')
  lab.put(
    '.opencode/command/workspace.brainstorm.md',
    '---\ndescription: x\n---\nBODY of it\n\nTopic: $ARGUMENTS\n',
  )
  lab.put(
    '.opencode/plugin/p.js',
    readFileSync('/tmp/oc/p.js', 'utf8').replace('LOG', join(lab.folder, 'plug.jsonl')),
  )
  lab.model.when(
    'hello',
    tool('bash', {
      command: 'echo hi; env | grep -i -E "CORTEXT|OPENCODE"; cortext --version',
      description: 'x',
    }),
    'done',
  )
  const t = await lab.interactive()
  await t.submit('/workspace.brainstorm my topic @note.txt please')
  await t.waitFor('Scripted answer 1.')
  console.log(t.screen())
  await t.submit('hello there')
  await t.waitFor('done')
  await new Promise((r) => setTimeout(r, 1000))
  console.log(t.screen())
  t.type('/undo')
  await new Promise((r) => setTimeout(r, 700))
  t.press('Enter')
  await new Promise((r) => setTimeout(r, 1500))
  console.log(t.screen())
  t.press('C-u')
  await t.submit('another way')
  await t.waitFor('Scripted answer 4.')
  await new Promise((r) => setTimeout(r, 1000))
  await t.submit('/exit')
  await t.waitForExit()
  writeFileSync('/tmp/oc/plug.jsonl', readFileSync(join(lab.folder, 'plug.jsonl')))
  writeFileSync(
    '/tmp/oc/req.json',
    JSON.stringify(
      lab.model.requests.map((r) => r.messages),
      null,
      1,
    ),
  )
  const s = await lab.run(['opencode', 'session', 'list', '--format', 'json'])
  console.log(s)
}, 200000)
