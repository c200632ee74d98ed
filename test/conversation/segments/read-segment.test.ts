import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { filesBelow, workspaceLab } from '../../helpers/workspace-lab.ts'

// Put together here, so that no scanner takes this file for a leak.
const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`

test('E-20 arguments and results of tools and the talk of subagents are saved without their secrets', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.debug', 'Tokens')
  claude.user('Look at it.')
  call(claude, 'toolu_shell', 'Bash', { command: `curl -H "Authorization: Bearer ${secret}"` })
  claude.user([{ type: 'tool_result', tool_use_id: 'toolu_shell', content: `sent ${secret}` }])
  call(claude, 'toolu_agent', 'Agent', { prompt: 'search' })
  subagentSaid(claude, 'search', `found ${secret}`)
  claude.user([{ type: 'tool_result', tool_use_id: 'toolu_agent', content: 'found it' }])
  claude.assistant([{ type: 'text', text: 'Done.' }])
  await claude.hook('Stop')
  await lab.json(['stop', '001', '--json'])
  const files = filesBelow(join(lab.root, 'conversations'))
  const named = (end: string) => Object.entries(files).find(([path]) => path.endsWith(end))![1]
  expect(named('messages.jsonl')).toMatch(/curl -H .*\[REDACTED:[\s\S]*sent \[REDACTED:/)
  expect(named('subagents/toolu_agent.jsonl')).toContain('found [REDACTED:')
  expect(JSON.stringify(files)).not.toContain(secret)
})

function call(claude: ClaudeSession, id: string, name: string, input: object): void {
  claude.assistant([{ type: 'tool_use', id, name, input }], 'tool_use')
}

/** As Claude Code keeps it: a file of its own beside the transcript, and one that names the call. */
function subagentSaid(claude: ClaudeSession, prompt: string, answer: string): void {
  const folder = join(claude.transcript.replace(/\.jsonl$/, ''), 'subagents')
  const record = (uuid: string, parentUuid: string | null, role: string, content: unknown) =>
    `${JSON.stringify({
      isSidechain: true,
      agentId: 'abc',
      type: role,
      uuid,
      parentUuid,
      timestamp: new Date().toISOString(),
      message: { id: uuid, role, content, stop_reason: 'end_turn' },
    })}\n`
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'agent-abc.jsonl'),
    record('s1', null, 'user', prompt) + record('s2', 's1', 'assistant', [{ type: 'text', text: answer }]),
  )
  writeFileSync(join(folder, 'agent-abc.meta.json'), '{"toolUseId":"toolu_agent"}')
}
