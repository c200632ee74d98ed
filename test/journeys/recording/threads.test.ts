import { join } from 'node:path'
import { expect, test } from 'vitest'
import { publish } from '../../../src/conversation/publish.ts'
import { recordedNotSaved } from '../../../src/journeys/not-saved/recorded.ts'
import { sessionNamed } from '../../../src/journeys/recording/current-session.ts'
import { start } from '../../../src/journeys/recording/start.ts'
import { listBindings } from '../../../src/store/machine/list-bindings.ts'
import { openWorkspace } from '../../../src/workspace/open.ts'
import { CodexThread } from '../../helpers/codex-threads.ts'
import { filesBelow, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

test('a thread that continues in another file is recorded by its hooks, in one journal that only grows', async () => {
  const lab = await workspaceLab()
  const thread = new CodexThread(lab.home, lab.root)
  const ws = openWorkspace(lab.environment)
  const current = sessionNamed(ws, { client: 'codex', nativeId: thread.id, transcript: thread.transcript })
  const { path } = await start(ws, { type: 'brainstorm', title: 'T', current })
  const hook = async (hook_event_name: string) => {
    const names = { session_id: thread.id, transcript_path: thread.transcript, cwd: lab.root }
    const input = JSON.stringify({ hook_event_name, ...names, prompt: 'p', turn_id: 't', source: 'resume' })
    expect(await lab.cortext(['hook', 'codex'], { input })).toMatchObject({ code: 0, stdout: '' })
  }
  const turn = async (prompt: string) => {
    await hook('UserPromptSubmit')
    thread.say(prompt)
    await hook('Stop')
  }
  await turn('alpha')
  const place = thread.place()
  await turn('beta')
  thread.rewind(place)
  await hook('SessionStart')
  await turn('gamma')
  await publish(ws, path)
  const messages = await shown(lab, path)
  expect(talk(messages)).toEqual(
    ['alpha', 'beta', 'gamma'].flatMap((one) => [`user: ${one}`, `assistant: answer to ${one}`]),
  )
  expect(messages.map(({ event }) => event)).toContain('rewound')
  const journals = Object.entries(filesBelow(join(lab.root, '.git', 'cortext'))).filter(([name]) =>
    name.endsWith(`${thread.id}.jsonl`),
  )
  expect(journals).toHaveLength(1)
  expect(journals[0]![1].match(/"session_meta"/g)).toHaveLength(2)

  // And doctor sees in it what no hook has.
  for (const prompt of ['delta', 'epsilon']) thread.say(prompt)
  expect(recordedNotSaved(ws, listBindings(ws.local))).toMatchObject([{ conversation: path, why: 'missed' }])
})
