import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CodexThread } from '../../helpers/codex-threads.ts'
import { filesBelow, type Lab, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

interface Imported {
  imported: { path: string; appended: number; report: { bytes: number; missing?: string[] } }[]
}

const importFile = (lab: Lab, file: string) =>
  lab.json<Imported>(['import', 'codex', '--file', file, '--json'])

test('an import of a file of a thread includes what the file continues, and a second import adds only what is new', async () => {
  const lab = await workspaceLab()
  const thread = new CodexThread(lab.home, lab.root)
  thread.say('alpha')
  const place = thread.place()
  thread.say('beta')
  thread.rewind(place)
  thread.say('gamma')
  const [first] = (await importFile(lab, thread.transcript)).imported
  const messages = () => shown(lab, first!.path)
  expect(talk(await messages())).toEqual([
    'user: alpha',
    'assistant: answer to alpha',
    'user: beta',
    'assistant: answer to beta',
    'user: gamma',
    'assistant: answer to gamma',
  ])
  expect((await messages()).map(({ event }) => event)).toContain('rewound')
  // Its first file by itself says nothing new.
  for (const file of thread.files)
    expect((await importFile(lab, file)).imported[0]).toMatchObject({ path: first!.path, appended: 0 })

  // It goes on, in the same file and after a further way back.
  thread.say('delta')
  thread.rewind(place)
  thread.say('epsilon')
  const again = (await importFile(lab, thread.transcript)).imported[0]
  expect(again).toMatchObject({ path: first!.path })
  expect(talk(await messages()).slice(6)).toEqual([
    'user: delta',
    'assistant: answer to delta',
    'user: epsilon',
    'assistant: answer to epsilon',
  ])
  // The journal only grew.
  const journals = Object.keys(filesBelow(join(lab.root, '.git', 'cortext'))).filter((path) =>
    path.includes(thread.id),
  )
  expect(journals.filter((path) => path.includes('~'))).toEqual([])
})

test('a fork has the talk of its parent; one whose parent is gone is imported, and says so', async () => {
  const lab = await workspaceLab()
  const parent = new CodexThread(lab.home, lab.root)
  parent.say('alpha')
  const fork = new CodexThread(lab.home, lab.root, { of: parent })
  fork.say('beta')
  const [one] = (await importFile(lab, fork.transcript)).imported
  expect(talk(await shown(lab, one!.path))).toEqual([
    'user: alpha',
    'assistant: answer to alpha',
    'user: beta',
    'assistant: answer to beta',
  ])
  const other = new CodexThread(lab.home, lab.root, { of: parent })
  other.say('gamma')
  rmSync(parent.transcript)
  const { stderr, code } = await lab.cortext(['import', 'codex', '--file', other.transcript])
  expect(code).toBe(0)
  expect(stderr).toContain(`Transcripts are missing, with all that was said in them: "${parent.id}"`)
})

test('what a subagent said is kept with the call that started it', async () => {
  const lab = await workspaceLab()
  const thread = new CodexThread(lab.home, lab.root)
  thread.say('send an agent')
  const meta = { session_id: thread.id, thread_source: 'subagent', subagent_history_start_ordinal: 5 }
  const agent = new CodexThread(lab.home, lab.root, { meta })
  agent.say("a copy of its parent's words")
  agent.say('look around', 'I looked around.')
  const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'spawn_agent', arguments: '{}' }
  thread.line('response_item', call)
  const output = JSON.stringify({ agent_id: agent.id })
  thread.line('response_item', { type: 'function_call_output', id: 'fco_1', call_id: 'call_1', output })
  const [one] = (await importFile(lab, thread.transcript)).imported
  const files = filesBelow(join(lab.root, one!.path, '.session'))
  const [, said] = Object.entries(files).find(([path]) => path.includes('call_1')) ?? []
  expect(said).toContain('look around')
  expect(said).toContain('I looked around.')
  expect(said).not.toContain('a copy of')
})

test('a thread without envelope is imported by its id, in the folder that it names, and by its file', async () => {
  const lab = await workspaceLab()
  const id = '3f0b1c52-8d60-4a11-9c55-0123456789ab'
  const message = (role: string, text: string) => ({
    type: 'message',
    role,
    content: [{ type: 'text', text }],
  })
  const lines = [
    { id, timestamp: '2025-08-14T10:00:00.000Z', instructions: null },
    message('user', `<environment_context>\nCurrent working directory: ${lab.root}\n</environment_context>`),
    message('user', 'why is the parser slow?'),
    message('assistant', 'It backtracks.'),
  ]
  const folder = join(lab.home, '.codex', 'sessions', '2025', '08', '14')
  const file = join(folder, `rollout-2025-08-14T10-00-00-${id}.jsonl`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const [made] = (await lab.json<Imported>(['import', 'codex', '--all', '--json'])).imported
  expect(made!.path).toContain('2025-08-14')
  expect(talk(await shown(lab, made!.path))).toEqual([
    'user: why is the parser slow?',
    'assistant: It backtracks.',
  ])
  expect((await importFile(lab, file)).imported[0]).toMatchObject({ path: made!.path, appended: 0 })
})
