import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { claude } from '../../../src/clients/claude/index.ts'
import { workspaceLab } from '../../helpers/workspace-lab.ts'

const SESSION = '11111111-1111-4111-8111-111111111111'

/** A session with one subagent, as 2.0.42 writes it: `agent-<id>.jsonl` next to the transcript. */
function writeSession(folder: string, cwd: string, session: string, agent: string): void {
  const line = (uuid: string, parentUuid: string | null, fields: object) => ({
    ...{
      parentUuid,
      uuid,
      sessionId: session,
      cwd,
      version: '2.0.42',
      timestamp: '2026-01-01T00:00:00.000Z',
    },
    ...fields,
  })
  const said = (type: string, content: object[] | string, id = 'm') => ({
    type,
    message: { id, role: type, content },
  })
  const call = { type: 'tool_use', id: `call-${agent}`, name: 'Task', input: { prompt: `Look for ${agent}` } }
  const result = { type: 'tool_result', tool_use_id: call.id, content: 'Found.' }
  const main = [
    line('u1', null, said('user', `Ask a helper about ${agent}.`)),
    line('a1', 'u1', said('assistant', [call])),
    line('u2', 'a1', { ...said('user', [result]), toolUseResult: { agentId: agent } }),
  ]
  const own = [
    line(`${agent}-1`, null, { ...said('user', `Look for ${agent}`), isSidechain: true, agentId: agent }),
    line(`${agent}-2`, `${agent}-1`, {
      ...said('assistant', [{ type: 'text', text: `I looked for ${agent}.` }]),
      ...{ isSidechain: true, agentId: agent },
    }),
  ]
  const write = (name: string, records: object[]) =>
    writeFileSync(join(folder, name), records.map((one) => `${JSON.stringify(one)}\n`).join(''))
  write(`${session}.jsonl`, main)
  write(`agent-${agent}.jsonl`, own)
}

test('subagents whose files are next to the transcript are kept with their session, and with no other', async () => {
  const lab = await workspaceLab()
  const folder = join(claude.sessions.folders!(lab.environment)[0]!, lab.root.replace(/[^A-Za-z0-9]/g, '-'))
  mkdirSync(folder, { recursive: true })
  writeSession(folder, lab.root, SESSION, 'owls')
  writeSession(folder, lab.root, SESSION.replaceAll('1', '2'), 'bats')
  const { imported } = await lab.json<{ imported: { path: string; native_id: string }[] }>([
    ...['import', 'claude', '--all', '--json'],
  ])
  expect(imported).toHaveLength(2)
  for (const { path, native_id } of imported) {
    const agents = join(lab.root, path, '.session/subagents')
    const texts = readdirSync(agents).map((name) => readFileSync(join(agents, name), 'utf8'))
    expect(texts).toHaveLength(1)
    expect(texts[0]).toContain(native_id === SESSION ? 'I looked for owls.' : 'I looked for bats.')
  }
})
