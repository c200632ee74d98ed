import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConversation } from '../../../src/conversation/read.ts'
import { planResume } from '../../../src/journeys/resuming/plan.ts'
import { openWorkspace } from '../../../src/workspace/open.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { type Lab, workspaceLab } from '../../helpers/workspace-lab.ts'

test('a handoff to each client shows the same recap, which says what has changed since; a native resume has none', async () => {
  const lab = await workspaceLab()
  put(lab, 'src/api.ts', 'first')
  put(lab, 'src/other.ts', 'first')
  commit(lab, 'before')
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.plan', 'API design')
  claude.user('Which fields?')
  claude.assistant(
    [{ type: 'tool_use', id: 't1', name: 'Edit', input: { file_path: join(lab.root, 'src/api.ts') } }],
    'tool_use',
  )
  claude.user([{ type: 'tool_result', tool_use_id: 't1', content: 'done' }])
  claude.assistant([{ type: 'text', text: 'These three.' }])
  await claude.hook('Stop', { stop_hook_active: false })
  await lab.json(['stop', '001', '--summary', 'REST it is.', '--json'])

  const ws = openWorkspace(lab.environment)
  const [{ path }] = (await lab.json<{ conversations: [{ path: string }] }>(['list', '--json'])).conversations
  const recapIn = async (client: string, mode?: 'handoff') => {
    const { launch } = await planResume(ws, readConversation(ws, path), { client, mode, budget: 0 })
    const lines = (launch.seed?.content ?? '').split('\n').filter(Boolean)
    const texts = lines.flatMap((line) => textsIn(JSON.parse(line)))
    return texts.filter((text) => text.startsWith('`[Resuming'))
  }
  const recap = [
    '`[Resuming "API design"]` plan, 5 messages, just now',
    '',
    '- Where it stood: `REST it is.`',
    '- You said last: `"Which fields?"`',
    '- The answer: `"These three."`',
  ]
  expect(await recapIn('claude')).toEqual([])
  for (const client of ['claude', 'gemini', 'opencode'])
    expect(await recapIn(client, 'handoff')).toEqual([recap.join('\n')])

  put(lab, 'src/other.ts', 'second')
  commit(lab, 'other')
  put(lab, 'src/api.ts', 'second')
  commit(lab, 'api')
  const changed = '- Changed since: `2 commits; src/api.ts`'
  for (const client of ['claude', 'gemini', 'opencode'])
    expect(await recapIn(client, 'handoff')).toEqual([[...recap, changed].join('\n')])
})

function put(lab: Lab, path: string, content: string): void {
  mkdirSync(join(lab.root, 'src'), { recursive: true })
  writeFileSync(join(lab.root, path), content)
}

function commit(lab: Lab, message: string): void {
  lab.git('add', 'src')
  lab.git('commit', '--quiet', '--message', message)
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
